"""Tic-tac-toe: the tree's known size, and play that never loses.

5,478 positions, of which 958 are ended; a draw.
"""

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.game.base import TERMINAL, GameError
from saddlepoint.games.tic_tac_toe import State, TicTacToe
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
GAME = TicTacToe()


@COMPILED_ONLY
@pytest.mark.compiles_soon
def test_the_tree_has_its_known_size() -> None:
    seen, waiting = set[State](), [GAME.initial_state()]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            if (player := GAME.current_player(state)) != TERMINAL:
                waiting += [GAME.next_state(state, cell) for cell in GAME.legal_actions(state, player)]
    assert len(seen) == 5_478
    assert sum(GAME.current_player(state) == TERMINAL for state in seen) == 958
    solved = solve_positions(GAME)
    assert solved.counts().positions == 5_478 - 958
    assert solved.value == 0.0


@pytest.mark.parametrize("text", ["xxx/ooo/...", "xxx/oo./..o", "ooo/xx./x.x"])
def test_a_position_after_the_end_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="the game ends with the first line"):
        GAME.from_text(text)
