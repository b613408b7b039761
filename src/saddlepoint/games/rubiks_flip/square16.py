"""The 4x4 board as the low 16 bits of an int: square 4 * row + column, rows from the top."""

import itertools

import numpy as np

from ..interface import jit_inline

SIDE, SQUARES, FULL = 4, 16, 0xFFFF
UP, RIGHT, DOWN, LEFT = range(4)


def _neighbours() -> np.ndarray:
    table = np.full((SQUARES, 4), -1, np.int64)
    for square in range(SQUARES):
        row, column = divmod(square, SIDE)
        for direction, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
                table[square, direction] = square + SIDE * down + right
    return table


NEIGHBOURS = _neighbours()
"""[square, direction] -> the square one step up, right, down or left; -1 outside the board."""


@jit_inline
def enclosed(occupied):
    """The occupied squares all of whose orthogonal neighbours on the board are occupied."""
    above = (occupied << 4) | 0x000F
    below = (occupied >> 4) | 0xF000
    left = ((occupied << 1) & 0xEEEE) | 0x1111
    right = ((occupied >> 1) & 0x7777) | 0x8888
    return occupied & above & below & left & right


@jit_inline
def has_three(squares):
    """Whether three of the squares stand in a row, column or diagonal (24 lines, the short diagonals included)."""
    across = squares & (squares >> 1) & (squares >> 2) & 0x3333
    down = squares & (squares >> 4) & (squares >> 8)
    falling = squares & (squares >> 5) & (squares >> 10) & 0x0033
    rising = squares & (squares >> 3) & (squares >> 6) & 0x00CC
    return (across | down | falling | rising) != 0


@jit_inline
def has_pair(squares):
    """Whether two of the squares are neighbours on one of the 24 lines: 12 + 12 + 14 pairs.

    The four diagonal pairs that cut a corner lie on no line of three.
    """
    across = squares & (squares >> 1) & 0x7777
    down = squares & (squares >> 4)
    falling = squares & (squares >> 5) & 0x0673
    rising = squares & (squares >> 3) & 0x06EC
    return (across | down | falling | rising) != 0


def square_symmetries() -> list[tuple[int, ...]]:
    """The eight symmetries of the board as the square that each square goes to; the identity comes first."""
    found: list[tuple[int, ...]] = []
    for transpose, flip_row, flip_column in itertools.product((False, True), repeat=3):
        cells = [divmod(square, SIDE)[:: -1 if transpose else 1] for square in range(SQUARES)]
        flipped = [
            (3 - row if flip_row else row, 3 - column if flip_column else column) for row, column in cells
        ]
        found.append(tuple(SIDE * row + column for row, column in flipped))
    return found
