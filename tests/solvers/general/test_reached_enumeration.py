"""Positions are enumerated by the solver's walk, without solving: all of them, each once, successors first."""

import pytest
from hypothesis import given, strategies as some

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, RandomGame
from helpers.walks import after_one_step
from saddlepoint import TERMINAL, GameError, Goofspiel
from saddlepoint.solvers.general.positions import TooManyPositions
from saddlepoint.solvers.general.reached import enumerate_positions
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
TREE = RandomGame()


@pytest.mark.compiles_long
@given(seed=some.integers(0, 2**32), kinds=some.sampled_from([MIXED, ONLY_SIMULTANEOUS]))
def test_what_follows_from_a_position_has_a_smaller_number(seed, kinds):
    start = TREE.initial_state(seed=seed, kinds=kinds)
    found = enumerate_positions(TREE, start)
    states = [found.state(number) for number in range(len(found))]
    assert len(set(states)) == len(found) == solve_positions(TREE, start).counts().positions
    for number, state in enumerate(states):
        assert found.number_of(state) == number
        for after in after_one_step(TREE, state):
            assert TREE.current_player(after) == TERMINAL or found.number_of(after) < number
    if states:
        assert states[-1] == start


def test_it_counts_as_solving_does_and_solves_nothing():
    game = Goofspiel(cards=3)
    found, solved = enumerate_positions(game).counts, solve_positions(game).counts()
    assert (found.positions, found.chance_positions, found.edges) == (
        solved.positions,
        solved.chance_positions,
        solved.edges,
    )
    assert found.stages == 0 < solved.stages


def test_what_cannot_come_about_has_no_number_and_memory_is_bounded():
    game = Goofspiel(cards=3)
    found = enumerate_positions(game, game.next_state(game.initial_state(), 2))
    with pytest.raises(GameError, match="cannot come about"):
        found.number_of(game.initial_state())
    with pytest.raises(TooManyPositions, match="more than 0 MB"):
        enumerate_positions(game, memory=1000)
