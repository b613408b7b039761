"""Games that are odd in one way each are searched and solved like others."""

from typing import Any

import pytest

from helpers.small_games import Die, TurnedLead
from helpers.written_games import Written, WrittenTurns
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

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
ONE_IS_BEST = WrittenTurns("0 1 2 3; 1 4; 1 5; 1 6; end -0.5; end -1; end 0.25; end 1")
"""Player 0 chooses one of three results, of which the last one is the best; player 1 has no choice. Nothing leads to 1."""
NEVER_DRAWN = Written(
    "2x2 1 2 2 1; chance 0.25 3 0 4 0.75 5; chance 0.25 5 0 3 0.75 4; "
    "2x2 6 7 7 8; 2x2 8 8 8 7; 2x2 7 6 6 7; end -1; end 0; end 1"
)
"""The second outcome of a draw between two rounds never comes."""
COSTLY = Written("chance 0.5 1 0.5 2; 0 3 4; 0 5 4; end 20; end 25; end 30")
"""All results lie between 20 and 30."""


@pytest.mark.parametrize("faces", [6, 200])
def test_a_game_with_many_more_outcomes_than_actions_has_a_certificate(faces: int) -> None:
    solution = solve(Die(faces))
    found = certificate_of(solution)
    assert solution.value == pytest.approx(faces - 1)
    assert (found.lower, found.upper) == pytest.approx((faces - 1, faces - 1))


@pytest.mark.parametrize("seed", range(5))
def test_what_monte_carlo_has_proven_it_plays_though_others_were_visited_as_often(seed: int) -> None:
    found = search(ONE_IS_BEST, ONE_IS_BEST.initial_state(), MonteCarlo(), Limits(nodes=20_000), seed=seed)
    assert found.exact
    assert found.value == 0.25
    assert found.best_action(0) == 2


@pytest.mark.parametrize(
    "algorithm", [BackwardInduction(), SMAB(), DoubleOracleBounds(), SerialisedAlphaBeta()]
)
def test_outcomes_of_probability_0_change_nothing(algorithm: Any) -> None:
    found = search(NEVER_DRAWN, NEVER_DRAWN.initial_state(), algorithm)
    value = solve(NEVER_DRAWN).value
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
    found = search(COSTLY, COSTLY.initial_state(), SMAB(), limits)
    assert 20 <= found.bounds[0] <= found.value <= found.bounds[1] <= 30


@pytest.mark.parametrize("nodes", [1, 2, 50])
def test_a_single_move_has_all_of_the_probability_however_little_was_tried(nodes: int) -> None:
    only = ONE_IS_BEST.next_state(ONE_IS_BEST.initial_state(), 1)
    found = search(ONE_IS_BEST, only, MonteCarlo(), Limits(nodes=nodes))
    assert found.strategy(1) == {0: 1.0}
