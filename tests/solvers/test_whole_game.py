"""`solve`, the one call: folded as on the command line, and games with cycles too."""

import pytest

import saddlepoint
from saddlepoint.games import Goofspiel, Soccer
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain


def test_a_game_is_solved_folded_unless_that_is_not_wanted():
    game, done = Goofspiel(cards=3), []
    solution = saddlepoint.solve(game, on_progress=done.append)
    assert solution.is_folded
    assert (
        done[-1]
        == len(solution)
        < len(saddlepoint.solve(game, fold=False))
        == solve_positions(game).counts().positions
    )
    assert solution.value == pytest.approx(0.0, abs=1e-12)


def test_a_position_is_solved_from_there_on():
    game = Goofspiel(cards=3)
    later = game.next_state(game.initial_state(), 2)
    assert saddlepoint.solve(game, later).value == pytest.approx(
        saddlepoint.solve(game).value_of(later), abs=1e-12
    )


def test_a_discount_is_for_games_with_cycles_and_is_checked():
    with pytest.raises(ValueError, match="discount"):
        saddlepoint.solve(Soccer(), discount=1.5)
