"""The 4x4 board as the low 16 bits of an int: square 4 * row + column, rows from the top."""

import numpy as np

from ..compiled import jit_inline

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


def motions() -> list[tuple[int, ...]]:
    """The eight symmetries of the board as the square that each square goes to; the identity comes first."""
    found: list[tuple[int, ...]] = []
    for transpose in (False, True):
        for flip_row in (False, True):
            for flip_column in (False, True):
                images: list[int] = []
                for square in range(SQUARES):
                    row, column = divmod(square, SIDE)
                    row, column = (column, row) if transpose else (row, column)
                    images.append(SIDE * (3 - row if flip_row else row) + (3 - column if flip_column else column))
                found.append(tuple(images))
    return found
