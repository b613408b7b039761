"""Dots and Boxes: who closes the fourth side of a box owns it; run this file to check the rules.

In turn the players draw a line between two neighbouring dots of a grid. Who draws the last side of a box (or of two) owns it and draws
again. When all lines are drawn, who owns more boxes wins.

Rules: Edouard Lucas (1889), https://en.wikipedia.org/wiki/Dots_and_boxes
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item


class State(NamedTuple):
    lines: tuple[bool, ...]
    """The horizontal lines by rows, then the vertical lines by rows."""
    drawn: int
    mover: int
    lead: int
    """Player 0's boxes minus player 1's."""


@dataclass(frozen=True)
class DotsAndBoxes(Game):
    """In turn draw lines; a closed box is yours, and you draw again."""

    columns: int = 4
    rows: int = 3

    name: ClassVar[str] = "dots_and_boxes"

    @property
    def lines(self):
        return self.columns * (self.rows + 1) + self.rows * (self.columns + 1)

    @property
    def max_actions(self):
        return self.lines

    @property
    def max_depth(self):
        return self.lines

    def initial_state(self):
        return State((False,) * self.lines, 0, 0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.drawn == self.lines else state.mover

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for line in range(self.lines):
            if not state.lines[line]:
                out[count] = line
                count += 1
        return count

    @kernel
    def is_closed(self, lines, x, y):
        left = self.columns * (self.rows + 1) + y * (self.columns + 1) + x
        above = y * self.columns + x
        return lines[above] and lines[above + self.columns] and lines[left] and lines[left + 1]

    @kernel
    def next_state(self, state, action):
        lines, closed = with_item(state.lines, action, True), 0
        horizontal = self.columns * (self.rows + 1)
        if action < horizontal:
            x, y = action % self.columns, action // self.columns
            closed += y > 0 and self.is_closed(lines, x, y - 1)
            closed += y < self.rows and self.is_closed(lines, x, y)
        else:
            x, y = (action - horizontal) % (self.columns + 1), (action - horizontal) // (self.columns + 1)
            closed += x > 0 and self.is_closed(lines, x - 1, y)
            closed += x < self.columns and self.is_closed(lines, x, y)
        lead = state.lead + (closed if state.mover == 0 else -closed)
        return State(lines, state.drawn + 1, state.mover if closed else 1 - state.mover, lead)

    @kernel
    def returns(self, state):
        return np.sign(float(state.lead))

    def action_to_string(self, state, player, action):
        horizontal = self.columns * (self.rows + 1)
        if action < horizontal:
            return f"-{'abcdefgh'[action % self.columns]}{action // self.columns + 1}"
        across, down = (action - horizontal) % (self.columns + 1), (action - horizontal) // (self.columns + 1)
        return f"|{'abcdefgh'[across]}{down + 1}"

    def render(self, state):
        horizontal, text = self.columns * (self.rows + 1), []
        for y in range(self.rows + 1):
            row = state.lines[y * self.columns : (y + 1) * self.columns]
            text.append("+" + "".join("--+" if line else "  +" for line in row))
            if y < self.rows:
                begin = horizontal + y * (self.columns + 1)
                text.append("  ".join(" |"[line] for line in state.lines[begin : begin + self.columns + 1]))
        return "\n".join(text) + f"\nlead of player 0: {state.lead}"


if __name__ == "__main__":
    check_game(DotsAndBoxes())
    print("the rules hold")
