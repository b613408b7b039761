"""Choices that follow a position of chance alone are solved within it: the same values, strategies and certificates, fewer positions."""

import numpy as np
import pytest
from hypothesis import given, strategies as some

from helpers.random_trees import MIXED, RandomGame, State as Node, ToldGame
from helpers.sizes import COMPILED_ONLY
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL, GameError
from saddlepoint.games.goofspiel import Goofspiel, State
from saddlepoint.policies import SolutionPolicy, nash_conv
from saddlepoint.solvers.general import Solution, check_solution
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = [pytest.mark.compiles_long, COMPILED_ONLY]


TOLD, PLAIN = ToldGame(), RandomGame()


@given(
    seed=some.integers(0, 2**32),
    depth=some.integers(1, 5),
    branching=some.integers(1, 4),
    threads=some.integers(1, 2),
)
def test_chance_after_chance_and_any_choice_are_worth_what_they_are_where_all_is_kept(
    seed: int, depth: int, branching: int, threads: int
) -> None:
    start = TOLD.initial_state(seed=seed, depth=depth, branching=branching, kinds=MIXED)
    work = solve_positions(TOLD, start, fold=True, threads=threads)
    kept, whole = Solution.of(work), Solution.of(solve_positions(PLAIN, start))
    states = list(whole.states())
    drawn = after_chance(states)
    within = [
        state
        for state in states
        if state != start and TOLD.current_player(state) != CHANCE and state in drawn
    ]
    assert len(kept) == len(whole) - len(within)
    counts, all_of_them = work.counts(), solve_positions(PLAIN, start).counts()
    assert (counts.stages, counts.chance_positions, counts.ends, counts.edges) == (
        all_of_them.stages,
        all_of_them.chance_positions,
        all_of_them.ends,
        all_of_them.edges,
    )
    for state in states:
        assert kept.value_of(state) == pytest.approx(whole.value_of(state), abs=1e-12)
    if TOLD.current_player(start) != TERMINAL:
        certificate = check_solution(kept)
        assert certificate.lower - 1e-9 <= whole.value <= certificate.upper + 1e-9
        assert certificate.gap < 1e-9
        assert nash_conv(TOLD, SolutionPolicy(kept), start) == pytest.approx(0.0, abs=1e-9)


def after_chance(states: list[Node]) -> set[Node]:
    """The positions before which chance moves."""
    return {
        TOLD.advance(one, outcome, NO_ACTION)
        for one in states
        if TOLD.current_player(one) == CHANCE
        for outcome, _ in TOLD.chance_outcomes(one)
    }


def test_a_choice_that_cannot_come_about_is_not_answered() -> None:
    """With another deck: none of what follows was solved."""
    game = Goofspiel(3)
    start = State(0b110, 0b101, 0b100, 1, 0)
    solution = Solution.of(solve_positions(game, start, fold=True))
    other = State(0b110, 0b101, 0b010, 2, 0)
    assert solution.has(start)
    assert not solution.has(other)
    with pytest.raises(GameError, match="cannot come about"):
        solution.value_of(other)


def test_only_positions_of_chance_are_in_the_file_and_the_start() -> None:
    game = Goofspiel(3)
    for start in (game.initial_state(), game.next_state(game.initial_state(), 1)):
        solution = Solution.of(solve_positions(game, start, fold=True))
        choices = [state for state in solution.kept_states() if game.current_player(state) != CHANCE]
        assert len(choices) == (start.prize >= 0)
        assert np.isfinite(solution.values).all()
