"""Positions of games of a search against itself: what each is worth is by its definition."""

import pytest

from saddlepoint import Game, Goofspiel, TicTacToe
from saddlepoint.play.valued_games import ValuedGames

pytestmark = pytest.mark.plain


FOUND, RANDOM = [0.2, -0.4, 0.6, 0.1], [True, False, True, True]
"""The second move is a random one: what follows says nothing of the position before it."""


@pytest.mark.parametrize(
    ("game", "trace", "result", "values", "chosen", "wanted"),
    [
        (TicTacToe(), 0.0, 1.0, FOUND, RANDOM, [0.2, -0.4, 0.6, 0.1]),  # what the search found
        (TicTacToe(), 1.0, 1.0, FOUND, RANDOM, [-0.4, -0.4, 1.0, 1.0]),  # the result
        (
            TicTacToe(),
            0.5,
            1.0,
            FOUND,
            RANDOM,
            [0.5 * 0.2 + 0.5 * -0.4, -0.4, 0.5 * 0.6 + 0.5 * 0.55, 0.55],
        ),
        (Goofspiel(3), 1.0, -1.0, [0.5, None, 0.25], [True] * 3, [-1.0] * 3),  # chance passes it on
        (Goofspiel(3, utility="points"), 1.0, 3.0, [0.0], [True], [0.5]),  # a share of 6 points
    ],
)
def test_a_target_mixes_what_the_search_found_with_what_came_of_it(
    game: Game,
    trace: float,
    result: float,
    values: list[float | None],
    chosen: list[bool],
    wanted: list[float],
) -> None:
    assert ValuedGames(game, 2, 0.1, trace).targets(result, values, chosen) == pytest.approx(wanted, abs=1e-6)
