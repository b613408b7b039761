"""Tic-tac-toe: the tree's known size, and play that never loses.

5,478 positions, of which 958 are ended; a draw.
"""

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.walks import after_one_step, reachable
from saddlepoint.game.base import GameError
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
GAME = TicTacToe()


@COMPILED_ONLY
@pytest.mark.compiles_soon
def test_the_tree_has_its_known_size() -> None:
    going_on = reachable(GAME, GAME.initial_state())
    every = {GAME.initial_state(), *(after for state in going_on for after in after_one_step(GAME, state))}
    assert (len(every), len(every - going_on)) == (5_478, 958)
    solved = solve_positions(GAME)
    assert solved.counts().positions == len(going_on)
    assert solved.value == 0.0


@pytest.mark.parametrize("text", ["xxx/ooo/...", "xxx/oo./..o", "ooo/xx./x.x"])
def test_a_position_after_the_end_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="the game ends with the first line"):
        GAME.from_text(text)
