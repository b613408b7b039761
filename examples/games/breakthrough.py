"""Breakthrough: pawns run to the other side of a small board; run this file to check the rules.

Player 0 moves up, player 1 down, in turn. A pawn steps one row forward, straight or diagonally, onto a free cell; diagonally it also
captures. Who brings a pawn to the last row, or captures all pawns of the other, wins. There are no draws.

Rules: Dan Troyka, Breakthrough (2000), https://boardgamegeek.com/boardgame/3825/breakthrough
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item

SIDE = 6


class State(NamedTuple):
    cells: tuple[int, ...]
    """By rows from the top: the owner of the pawn, or -1."""
    turn: int
    winner: int
    """-1 while nobody has won."""


@dataclass(frozen=True)
class Breakthrough(Game):
    """Pawns step forward and capture diagonally; the first on the last row wins."""

    name: ClassVar[str] = "breakthrough"
    max_actions = 2 * SIDE * 3
    distinct_actions = SIDE * SIDE * 3
    max_depth = 4 * SIDE * SIDE

    def initial_state(self):
        return State((1,) * (2 * SIDE) + (-1,) * (SIDE * (SIDE - 4)) + (0,) * (2 * SIDE), 0, -1)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.winner >= 0 else state.turn % 2

    @kernel
    def target(self, cell, way, player):
        """The cell that a pawn steps on: to the left (0), straight (1) or to the right (2); -1 beside the board."""
        x, y = cell % SIDE + way - 1, cell // SIDE + (1 if player else -1)
        return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else -1

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for cell in range(SIDE * SIDE):
            if state.cells[cell] != player:
                continue
            for way in range(3):
                target = self.target(cell, way, player)
                if target >= 0 and (
                    state.cells[target] < 0 or (way != 1 and state.cells[target] == 1 - player)
                ):
                    out[count] = cell * 3 + way
                    count += 1
        return count

    @kernel
    def next_state(self, state, action):
        player, cell = state.turn % 2, action // 3
        target = self.target(cell, action % 3, player)
        cells = with_item(with_item(state.cells, cell, -1), target, player)
        others = 0
        for owner in cells:
            others += owner == 1 - player
        has_won = target // SIDE == (SIDE - 1 if player else 0) or others == 0
        return State(cells, state.turn + 1, player if has_won else -1)

    @kernel
    def returns(self, state):
        return 1.0 if state.winner == 0 else -1.0

    def action_to_string(self, state, player, action):
        cell = action // 3
        return cell_name(cell) + cell_name(self.target(cell, action % 3, player))

    def render(self, state):
        rows = [state.cells[SIDE * y : SIDE * y + SIDE] for y in range(SIDE)]
        return "\n".join(" ".join(".xo"[owner + 1] for owner in row) for row in rows)


def cell_name(cell):
    return "abcdef"[cell % SIDE] + str(SIDE - cell // SIDE)


if __name__ == "__main__":
    check_game(Breakthrough())
    print("the rules hold")
