"""Clobber: capture a neighbour or lose; run this file to check the rules.

The board is full of stones of both players, like a chessboard. In turn a player moves a stone onto a neighbouring stone of the other
(up, right, down or left), which is captured. Who cannot move loses.

Rules: Michael Albert, J. P. Grossman, Richard Nowakowski, David Wolfe, An Introduction to Clobber (2005)
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item

ACROSS, DOWN = (0, 1, 0, -1), (-1, 0, 1, 0)


class State(NamedTuple):
    cells: tuple[int, ...]
    """By rows: the owner of the stone, or -1."""
    turn: int


@dataclass(frozen=True)
class Clobber(Game):
    """In turn capture a neighbouring stone; who cannot, loses."""

    columns: int = 6
    rows: int = 5

    name: ClassVar[str] = "clobber"

    @property
    def cells(self):
        return self.columns * self.rows

    @property
    def max_actions(self):
        return 2 * self.cells

    @property
    def distinct_actions(self):
        return 4 * self.cells

    @property
    def max_depth(self):
        return self.cells

    def initial_state(self):
        return State(tuple((cell % self.columns + cell // self.columns) % 2 for cell in range(self.cells)), 0)

    @kernel
    def is_capture(self, state, cell, way, player):
        x, y = cell % self.columns + ACROSS[way], cell // self.columns + DOWN[way]
        if state.cells[cell] != player or not (0 <= x < self.columns and 0 <= y < self.rows):
            return False
        return state.cells[y * self.columns + x] == 1 - player

    @kernel
    def current_player(self, state):
        for cell in range(self.cells):
            for way in range(4):
                if self.is_capture(state, cell, way, state.turn % 2):
                    return state.turn % 2
        return TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for cell in range(self.cells):
            for way in range(4):
                if self.is_capture(state, cell, way, player):
                    out[count] = cell * 4 + way
                    count += 1
        return count

    @kernel
    def next_state(self, state, action):
        cell, way = action // 4, action % 4
        target = cell + ACROSS[way] + DOWN[way] * self.columns
        cells = with_item(with_item(state.cells, cell, -1), target, state.turn % 2)
        return State(cells, state.turn + 1)

    @kernel
    def returns(self, state):
        return -1.0 if state.turn % 2 == 0 else 1.0

    def action_to_string(self, state, player, action):
        cell, way = action // 4, action % 4
        return self.cell_name(cell) + self.cell_name(cell + ACROSS[way] + DOWN[way] * self.columns)

    def cell_name(self, cell):
        return "abcdefghij"[cell % self.columns] + str(cell // self.columns + 1)

    def render(self, state):
        rows = [state.cells[y * self.columns : (y + 1) * self.columns] for y in range(self.rows)]
        return "\n".join(" ".join(".xo"[owner + 1] for owner in row) for row in rows)


if __name__ == "__main__":
    check_game(Clobber())
    print("the rules hold")
