"""Oshi-Zumo by its rules, with the counts and values that are published.

Histories a depth of Oshi-Zumo(10, 3, 1), and pure and mixed first bids: Bosansky et al., Artificial Intelligence 237 (2016), and
a second program that recounted them.
"""

from functools import cache

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.oshi_zumo import OshiZumo, State
from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.solve import Induction, solve_positions

pytestmark = pytest.mark.plain
HISTORIES = (1, 99, 2016, 14784, 48546, 79926, 69938, 33538, 8351, 861)


@cache
def solved(coins: int, size: int, utility: str = "win") -> Induction:
    return solve_positions(OshiZumo(coins, size, 1, utility))


@COMPILED_ONLY
def test_histories_and_distinct_positions_are_the_published_ones() -> None:
    game = OshiZumo(10, 3, 1)
    layer, counts = {game.initial_state(): 1}, list[int]()
    seen = set(layer)
    while layer:
        counts.append(sum(layer.values()))
        after: dict[State, int] = {}
        for state, ways in layer.items():
            for a in game.legal_actions(state, 0):
                for b in game.legal_actions(state, 1):
                    child = game.advance(state, a, b)
                    if game.current_player(child) != TERMINAL:
                        after[child] = after.get(child, 0) + ways
        seen |= set(after)
        layer = after
    assert tuple(counts) == HISTORIES
    assert len(seen) == 340 == solved(10, 3).counts().stages == solved(10, 3).counts().positions


@pytest.mark.parametrize(
    "coins",
    [
        6,
        pytest.param(14, marks=[pytest.mark.compiles_soon, COMPILED_ONLY]),
        pytest.param(15, marks=pytest.mark.slow),
    ],
)
def test_first_bids_on_nine_fields_are_pure_up_to_14_coins_and_mixed_from_15(coins: int) -> None:
    stage = Solution.of(solved(coins, 4)).at(OshiZumo(coins, 4).initial_state())
    worst = [min(row) for row in stage.matrix]
    best = [max(column) for column in zip(*stage.matrix, strict=True)]
    assert (max(worst) == pytest.approx(min(best), abs=1e-9)) == (coins <= 14)


def test_one_coin_ahead_wins() -> None:
    assert solve_positions(OshiZumo(10, 3), State(10, 9, 0)).value == pytest.approx(1.0)


def test_a_horizon_that_ends_the_game_is_told() -> None:
    told = OshiZumo(5, 2, 0, horizon=2).why_over(State(4, 5, 1, 2))
    assert told == "All 2 rounds are played, and the wrestler stands in player 1's half."


def test_without_a_horizon_positions_are_written_as_they_were() -> None:
    game = OshiZumo(5, 2)
    assert game.to_text(State(4, 3, -1)) == "(4, 3, -1)"
    assert game.from_text(" (4, 3, -1) ") == State(4, 3, -1)
    timed = OshiZumo(5, 2, horizon=7)
    assert timed.to_text(State(4, 3, -1, 1)) == "(4, 3, -1, 1)"
    assert timed.from_text("(4, 3, -1, 1)") == State(4, 3, -1, 1)


def test_how_it_is_played_names_a_limit_of_rounds() -> None:
    usual, limited = " ".join(OshiZumo().how_to_play), " ".join(OshiZumo(5, min_bid=0, horizon=7).how_to_play)
    assert "rounds" not in usual and "or none" not in usual
    assert "If no coins are left before that, or after 7 rounds, he loses" in limited
    assert "some coins, or none, at the same time" in limited
