"""Ataxx: grow, jump and turn the neighbours over; run this file to check the rules.

In turn a player puts a new piece beside one of its own (diagonally too), or jumps with one over a cell, which leaves its old cell. All
pieces of the other beside the new one become the player's. Who has no move passes. It ends when the board is full, when a player has
no pieces, when both must pass, or after 80 turns; who has more pieces wins.

Rules: Dave Crummack and Craig Galley, Infection (1988), https://en.wikipedia.org/wiki/Ataxx; here on 5x5 cells
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item

SIDE = 5
CELLS = SIDE * SIDE
PASS = CELLS + CELLS * CELLS
TURNS = 80


class State(NamedTuple):
    cells: tuple[int, ...]
    """By rows: the owner of the piece, or -1."""
    turn: int
    passes: int
    """In a row."""


@dataclass(frozen=True)
class Ataxx(Game):
    """Put a piece beside yours or jump; the other's pieces beside it become yours; most pieces win."""

    name: ClassVar[str] = "ataxx"
    max_actions = 17 * CELLS
    distinct_actions = PASS + 1
    """A new piece at a cell, a jump from one to another, the pass."""
    max_depth = TURNS

    def initial_state(self):
        cells = [-1] * CELLS
        cells[0], cells[-1], cells[SIDE - 1], cells[-SIDE] = 0, 0, 1, 1
        return State(tuple(cells), 0, 0)

    @kernel
    def beside(self, cell, across, down):
        """The cell so far away; -1 beside the board."""
        x, y = cell % SIDE + across, cell // SIDE + down
        return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else -1

    @kernel
    def pieces(self, state, player):
        count = 0
        for owner in state.cells:
            count += 1 if owner == player else 0
        return count

    @kernel
    def current_player(self, state):
        own, other = self.pieces(state, 0), self.pieces(state, 1)
        is_over = own + other == CELLS or own == 0 or other == 0
        return TERMINAL if is_over or state.passes == 2 or state.turn == TURNS else state.turn % 2

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for target in range(CELLS):
            grows = False
            for place in range(25 if state.cells[target] < 0 else 0):
                start = self.beside(target, place % 5 - 2, place // 5 - 2)
                if start >= 0 and state.cells[start] == player:
                    if max(abs(place % 5 - 2), abs(place // 5 - 2)) == 1:
                        grows = True
                    else:
                        out[count] = CELLS + start * CELLS + target
                        count += 1
            if grows:
                out[count] = target
                count += 1
        if count == 0:
            out[0] = PASS
            count = 1
        return count

    @kernel
    def next_state(self, state, action):
        if action == PASS:
            return State(state.cells, state.turn + 1, state.passes + 1)
        cells, player, target = state.cells, state.turn % 2, action
        if action >= CELLS:
            start, target = (action - CELLS) // CELLS, (action - CELLS) % CELLS
            cells = with_item(cells, start, -1)
        for place in range(9):
            cell = self.beside(target, place % 3 - 1, place // 3 - 1)
            if cell == target or (cell >= 0 and cells[cell] == 1 - player):
                cells = with_item(cells, cell, player)
        return State(cells, state.turn + 1, 0)

    @kernel
    def returns(self, state):
        return np.sign(float(self.pieces(state, 0) - self.pieces(state, 1)))

    def action_to_string(self, state, player, action):
        if action == PASS:
            return "pass"
        cells = (action,) if action < CELLS else divmod(action - CELLS, CELLS)
        return "-".join("abcdefgh"[cell % SIDE] + str(cell // SIDE + 1) for cell in cells)

    def render(self, state):
        rows = [state.cells[y * SIDE : (y + 1) * SIDE] for y in range(SIDE)]
        return "\n".join(" ".join(".xo"[owner + 1] for owner in row) for row in rows)


if __name__ == "__main__":
    check_game(Ataxx())
    print("the rules hold")
