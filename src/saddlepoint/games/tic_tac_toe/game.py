"""Tic-tac-toe: crosses and noughts in turn on a square board; a whole line wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..interface import (
    TERMINAL,
    Ending,
    Game,
    Grid,
    KaggleGame,
    Symmetry,
    bit,
    grid_symmetries,
    kernel,
    popcount,
)

SIDE = 3
CELLS = SIDE * SIDE
_MARKS = "xo."
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b001010100)
"""Three in a row, cell 0 being the lowest bit: rows, columns, diagonals."""


def _moved_cells() -> tuple[tuple[int, ...], ...]:
    field = Grid(SIDE, SIDE)
    cells = [divmod(cell, SIDE)[::-1] for cell in range(CELLS)]
    images = [
        [field.position(motion.cell(field.cell(*cell))) for cell in cells]
        for motion in grid_symmetries(field)
    ]
    return tuple(tuple(y * SIDE + x for x, y in image) for image in images)


MOTIONS = _moved_cells()
"""Where the cells go in each of the board's eight reflections and turns; the identity comes first."""


class State(NamedTuple):
    """The cells with crosses and with noughts, by rows from the top, as bits."""

    crosses: np.uint64
    noughts: np.uint64


@dataclass(frozen=True)
class TicTacToe(Game):
    """Three in a row on 3 x 3 cells; player 0 has the crosses and begins. Action a marks the cell a, by rows from the top.

    >>> from saddlepoint import TicTacToe, solve
    >>> solve(TicTacToe()).value
    0.0
    """

    name: ClassVar[str] = "tic_tac_toe"
    title: ClassVar[str] = "Tic-tac-toe"
    summary: ClassVar[str] = "crosses and noughts in turn; three in a row win"
    group: ClassVar[str] = "Boards"
    how_to_play: ClassVar[Sequence[str]] = (
        "In turn, mark an empty cell; crosses begin.",
        "Three of your marks in a row, a column or a diagonal win.",
        "A full board without a line is a draw.",
    )
    max_actions: ClassVar[int] = CELLS
    max_depth: ClassVar[int] = CELLS
    plane_shape: ClassVar[tuple[int, int, int]] = (2, SIDE, SIDE)

    def initial_state(self) -> State:
        return State(np.uint64(0), np.uint64(0))

    @kernel
    def has_line(self, marks):
        """Whether marks have three in a row."""
        found = False
        for line in LINES:
            if marks & np.uint64(line) == np.uint64(line):
                found = True
        return found

    @kernel
    def planes(self, state, player, out):
        """The player's own marks, and the other's."""
        own, other = (state.crosses, state.noughts) if player == 0 else (state.noughts, state.crosses)
        for cell in range(CELLS):
            out[0, cell // SIDE, cell % SIDE] = (own >> np.uint64(cell)) & np.uint64(1)
            out[1, cell // SIDE, cell % SIDE] = (other >> np.uint64(cell)) & np.uint64(1)

    @kernel
    def current_player(self, state):
        count = popcount(state.crosses | state.noughts)
        if count == CELLS or self.has_line(state.crosses) or self.has_line(state.noughts):
            return TERMINAL
        return count % 2

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for cell in range(CELLS):
            if (state.crosses | state.noughts) & bit(cell) == np.uint64(0):
                out[count] = cell
                count += 1
        return count

    @kernel
    def next_state(self, state, action):
        if popcount(state.crosses | state.noughts) % 2 == 0:
            return State(state.crosses | bit(action), state.noughts)
        return State(state.crosses, state.noughts | bit(action))

    @kernel
    def returns(self, state):
        return float(int(self.has_line(state.crosses)) - int(self.has_line(state.noughts)))

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        end = states[-1]
        a, b = (
            Ending("has three in a row") if self.has_line(marks) else None
            for marks in (end.crosses, end.noughts)
        )
        return a, b

    def why_over(self, state: State) -> str:
        won = self.has_line(state.crosses) or self.has_line(state.noughts)
        return "" if won else "The board is full, and nobody has three in a row."

    def symmetries(self, state: State) -> list[Symmetry]:
        """The board's other seven reflections and turns."""
        images = [
            State(self.moved(state.crosses, motion), self.moved(state.noughts, motion))
            for motion in range(1, len(MOTIONS))
        ]
        return [Symmetry(image, to, to, False) for image, to in zip(images, MOTIONS[1:], strict=True)]

    @kernel
    def canonical(self, state):
        """The image with the least marks."""
        crosses, noughts = state.crosses, state.noughts
        for to in range(1, len(MOTIONS)):
            first, second = self.moved(state.crosses, to), self.moved(state.noughts, to)
            if first < crosses or (first == crosses and second < noughts):
                crosses, noughts = first, second
        return State(crosses, noughts), False

    @kernel
    def moved(self, marks, motion):
        """The image of marks under a motion."""
        image = np.uint64(0)
        for cell in range(CELLS):
            if marks & bit(cell) != np.uint64(0):
                image |= bit(MOTIONS[motion][cell])
        return image

    def render(self, state: State) -> str:
        marks = [
            "x" if int(state.crosses) >> cell & 1 else "o" if int(state.noughts) >> cell & 1 else "."
            for cell in range(CELLS)
        ]
        return "\n".join("".join(marks[row : row + SIDE]) for row in range(0, CELLS, SIDE))

    def to_text(self, state: State) -> str:
        return self.render(state).replace("\n", "/")

    def from_text(self, text: str) -> State:
        rows = text.strip().replace("\n", "/").split("/")
        cells = "".join(rows)
        self.refuse(
            (
                [len(row) for row in rows] != [SIDE] * SIDE
                or set(cells) - set(_MARKS)
                or cells.count("x") - cells.count("o") not in (0, 1),
                f"expected three rows of x, o and . such as x.o/.x./..., x as often as o or once more, not {text.strip()!r}",
            )
        )
        crosses, noughts = (sum(1 << cell for cell in range(CELLS) if cells[cell] == mark) for mark in "xo")
        lines = [any(marks & line == line for line in LINES) for marks in (crosses, noughts)]
        turn = cells.count("x") - cells.count("o")
        what = "both have a line" if all(lines) else f"{'ox'[lines[0]]} has a line, and the other went on"
        self.refuse(
            (
                all(lines) or (lines[0] and turn == 0) or (lines[1] and turn == 1),
                f"the game ends with the first line, but in {text.strip()!r} {what}",
            )
        )
        return State(np.uint64(crosses), np.uint64(noughts))


EPISODE = KaggleGame(("open_spiel_tic_tac_toe",), lambda environment, told: TicTacToe())
"""Files of `kaggle_environments`: OpenSpiel's tic-tac-toe there."""
