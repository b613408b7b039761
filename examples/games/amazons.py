"""Amazons: move, shoot, and have the last free cells; run this file to check the rules.

In turn a player moves an amazon as a queen moves in chess. It then shoots an arrow from its new place, again as a queen moves, which
blocks the cell it lands on for good. Nobody passes over amazons or arrows. Who cannot move loses. Here a turn is two actions: the
move and the arrow, for which the cell that the amazon left is always free.

Rules: Walter Zamkauskas (1988), https://en.wikipedia.org/wiki/Game_of_the_Amazons; here two amazons each on a small board
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item

ACROSS, DOWN = (0, 1, 1, 1, 0, -1, -1, -1), (-1, -1, 0, 1, 1, 1, 0, -1)
ARROW = 2


class State(NamedTuple):
    cells: tuple[int, ...]
    """By rows: the owner of an amazon, ARROW, or -1."""
    mover: int
    archer: int
    """The cell of the amazon that has moved and must shoot; else -1."""


@dataclass(frozen=True)
class Amazons(Game):
    """Move a queen, then shoot an arrow that blocks a cell; who cannot move loses."""

    size: int = 5

    name: ClassVar[str] = "amazons"

    @property
    def cells(self):
        return self.size * self.size

    @property
    def max_actions(self):  # two amazons, in eight ways
        return 16 * (self.size - 1)

    @property
    def distinct_actions(self):
        return self.cells * self.cells

    @property
    def max_depth(self):
        return 2 * self.cells

    def initial_state(self):
        cells = [-1] * self.cells
        cells[1], cells[self.size - 2] = 1, 1
        cells[-2], cells[1 - self.size] = 0, 0
        return State(tuple(cells), 0, -1)

    @kernel
    def reached(self, state, start, way, far):
        """The cell `far` steps from another, which must all be free; else -1."""
        x, y = start % self.size, start // self.size
        for _ in range(far):
            x, y = x + ACROSS[way], y + DOWN[way]
            if not (0 <= x < self.size and 0 <= y < self.size) or state.cells[y * self.size + x] >= 0:
                return -1
        return y * self.size + x

    @kernel
    def list_from(self, state, start, out, count):
        """Add all moves of a queen from a cell; an action is its start and its end."""
        for way in range(8):
            for far in range(1, self.size):
                end = self.reached(state, start, way, far)
                if end >= 0:
                    out[count] = start * self.cells + end
                    count += 1
        return count

    @kernel
    def current_player(self, state):
        if state.archer >= 0:
            return state.mover
        for cell in range(self.cells):
            if state.cells[cell] == state.mover:
                for way in range(8):
                    if self.reached(state, cell, way, 1) >= 0:
                        return state.mover
        return TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for cell in range(self.cells):
            if cell == state.archer or (state.archer < 0 and state.cells[cell] == player):
                count = self.list_from(state, cell, out, count)
        return count

    @kernel
    def next_state(self, state, action):
        start, end = action // self.cells, action % self.cells
        if state.archer >= 0:
            return State(with_item(state.cells, end, ARROW), 1 - state.mover, -1)
        return State(with_item(with_item(state.cells, start, -1), end, state.mover), state.mover, end)

    @kernel
    def returns(self, state):
        return -1.0 if state.mover == 0 else 1.0

    def action_to_string(self, state, player, action):
        names = ("abcdefgh"[cell % self.size] + str(cell // self.size + 1) for cell in divmod(action, self.cells))
        return "-".join(names)

    def render(self, state):
        rows = [state.cells[y * self.size : (y + 1) * self.size] for y in range(self.size)]
        return "\n".join(" ".join(".xo#"[cell + 1] for cell in row) for row in rows)


if __name__ == "__main__":
    check_game(Amazons())
    print("the rules hold")
