"""Hex: the first to connect two opposite sides wins; run this file to check the rules.

In turn the players put a stone on a free cell of a rhombus of hexagons. Player 0 wants to connect top and bottom, player 1 left and
right. Exactly one of them succeeds, so there are no draws. On the second turn player 1 may swap instead: the first stone then becomes
player 1's, on the cell mirrored along the long diagonal.

Rules: Piet Hein (1942), with the swap rule, https://www.hexwiki.net/index.php/Rules
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item

ACROSS, DOWN = (1, 0, -1, -1, 0, 1), (0, 1, 1, 0, -1, -1)


class State(NamedTuple):
    cells: tuple[int, ...]
    """By rows: -1 for a free cell, else owner + 2 * (1 where it is connected to the owner's first side + 2 where to the second)."""
    turn: int
    winner: int


@dataclass(frozen=True)
class Hex(Game):
    """In turn put down stones; connect top and bottom (player 0) or left and right (player 1)."""

    size: int = 6

    name: ClassVar[str] = "hex"

    @property
    def cells(self):
        return self.size * self.size

    @property
    def max_actions(self):
        return self.cells

    @property
    def distinct_actions(self):
        return self.cells + 1

    @property
    def max_depth(self):
        return self.cells + 1

    def initial_state(self):
        return State((-1,) * self.cells, 0, -1)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.winner >= 0 else state.turn % 2

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for cell in range(self.cells):
            if state.cells[cell] < 0:
                out[count] = cell
                count += 1
        if state.turn == 1:
            out[count] = self.cells
            count += 1
        return count

    @kernel
    def next_state(self, state, action):
        player, cells = state.turn % 2, state.cells
        if action == self.cells:
            first = 0
            while cells[first] < 0:
                first += 1
            cells = with_item(cells, first, -1)
            action = first % self.size * self.size + first // self.size
        x, y = action % self.size, action // self.size
        place = x if player else y
        sides = (place == 0) + 2 * (place == self.size - 1)
        for way in range(6):
            x1, y1 = x + ACROSS[way], y + DOWN[way]
            if 0 <= x1 < self.size and 0 <= y1 < self.size:
                beside = cells[y1 * self.size + x1]
                if beside >= 0 and beside % 2 == player:
                    sides |= beside // 2
        cells = with_item(cells, action, player + 2 * sides)
        # The sides that a stone is connected to are passed on to all stones connected to it.
        changed = sides > 0
        while changed:
            changed = False
            for cell in range(self.cells):
                if cells[cell] != player + 2 * sides and cells[cell] >= 0 and cells[cell] % 2 == player:
                    for way in range(6):
                        x1, y1 = cell % self.size + ACROSS[way], cell // self.size + DOWN[way]
                        if 0 <= x1 < self.size and 0 <= y1 < self.size:
                            if cells[y1 * self.size + x1] == player + 2 * sides:
                                cells = with_item(cells, cell, player + 2 * sides)
                                changed = True
        return State(cells, state.turn + 1, player if sides == 3 else -1)

    @kernel
    def returns(self, state):
        return 1.0 if state.winner == 0 else -1.0

    def action_to_string(self, state, player, action):
        return "swap" if action == self.cells else "abcdefghijk"[action % self.size] + str(action // self.size + 1)

    def render(self, state):
        rows = [state.cells[self.size * y : self.size * (y + 1)] for y in range(self.size)]
        return "\n".join(" ".join("." if cell < 0 else "xo"[cell % 2] for cell in row) for row in rows)


if __name__ == "__main__":
    check_game(Hex())
    print("the rules hold")
