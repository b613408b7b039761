"""Games that are odd in one way each are searched and solved like others."""

from typing import Any

import pytest

from helpers.small_games import Costly, Die, NeverDrawn, OneIsBest, TurnedLead
from saddlepoint import (
    SMAB,
    BackwardInduction,
    DoubleOracleBounds,
    Limits,
    MonteCarlo,
    SerialisedAlphaBeta,
    search,
    solve,
)
from saddlepoint.solvers.general import certificate_of


@pytest.mark.parametrize("faces", [6, 200])
def test_a_game_with_many_more_outcomes_than_actions_has_a_certificate(faces: int) -> None:
    solution = solve(Die(faces))
    found = certificate_of(solution)
    assert solution.value == pytest.approx(faces - 1)
    assert (found.lower, found.upper) == pytest.approx((faces - 1, faces - 1))


@pytest.mark.parametrize("seed", range(5))
def test_what_monte_carlo_has_proven_it_plays_though_others_were_visited_as_often(seed: int) -> None:
    game = OneIsBest()
    found = search(game, game.initial_state(), MonteCarlo(), Limits(nodes=20_000), seed=seed)
    assert found.exact
    assert found.value == 0.25
    assert found.best_action(0) == 2


@pytest.mark.parametrize(
    "algorithm", [BackwardInduction(), SMAB(), DoubleOracleBounds(), SerialisedAlphaBeta()]
)
def test_outcomes_of_probability_0_change_nothing(algorithm: Any) -> None:
    game = NeverDrawn()
    found = search(game, game.initial_state(), algorithm)
    value = solve(game).value
    assert found.bounds[0] - 1e-9 <= value <= found.bounds[1] + 1e-9
    if found.exact:
        assert found.value == pytest.approx(value)


def test_a_position_with_minus_zero_is_the_one_with_zero() -> None:
    solution = solve(TurnedLead())
    kept = list(solution.kept_states())
    assert len(kept) == len(set(kept))
    assert all(solution.at(state).value == solution.value_of(state) for state in solution.states())


@pytest.mark.parametrize("limits", [Limits(depth=0), Limits(depth=1), Limits(nodes=1)])
def test_where_nothing_is_known_the_value_is_a_possible_result(limits: Limits) -> None:
    game = Costly()
    found = search(game, game.initial_state(), SMAB(), limits)
    assert game.min_utility <= found.bounds[0] <= found.value <= found.bounds[1] <= game.max_utility


@pytest.mark.parametrize("nodes", [1, 2, 50])
def test_a_single_move_has_all_of_the_probability_however_little_was_tried(nodes: int) -> None:
    game = OneIsBest()
    found = search(game, game.next_state(game.initial_state(), 1), MonteCarlo(), Limits(nodes=nodes))
    assert found.strategy(1) == {0: 1.0}
