"""Boards on which pieces fall: columns of bits, lines of `win` cells, and what is asked about them.

A column takes rows + 1 bits, row 0 lowest; the highest bit of each column stays empty, so a line never runs on from one
column's top to the next one's bottom, and adding 1 to a column of pieces gives the cell above them.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..compiled import Component
from .formula import nonzero


@functools.cache
def _column_masks(rows: int, cols: int) -> tuple[int, ...]:
    return tuple(((1 << rows) - 1) << col * (rows + 1) for col in range(cols))


@functools.cache
def _bottoms(rows: int, cols: int) -> int:
    return sum(1 << col * (rows + 1) for col in range(cols))


@functools.cache
def _steps(rows: int, cols: int, win: int) -> tuple[int, ...]:
    upright, across = rows >= win, cols >= win
    return (
        *((1,) if upright else ()),
        *((rows + 1,) if across else ()),
        *((rows + 2, rows) if upright and across else ()),
    )


@dataclass(frozen=True)
class Columns(Component):
    """`cols` columns of `rows` cells; a line is `win` cells in a row, a column or a diagonal."""

    rows: int
    cols: int
    win: int

    @property
    def height(self) -> int:
        """Bits of a column."""
        return self.rows + 1

    @property
    def words(self) -> int:
        """Number of 64-bit words of a board: one for 6x7."""
        return -(-self.height * self.cols // 64)

    @property
    def masks(self) -> tuple[int, ...]:
        """The cells of each column."""
        return _column_masks(self.rows, self.cols)

    @property
    def inside(self) -> int:
        """All cells."""
        return self.bottoms * ((1 << self.rows) - 1)

    @property
    def bottoms(self) -> int:
        """The lowest cell of every column."""
        return _bottoms(self.rows, self.cols)

    @property
    def even_rows(self) -> int:
        """The cells of rows 0, 2, 4, ..."""
        return self.bottoms * sum(1 << row for row in range(0, self.rows, 2))

    @property
    def steps(self) -> tuple[int, ...]:
        """From a cell to the next on a line: up, right, up-right and down-right, where lines of `win` fit."""
        return _steps(self.rows, self.cols, self.win)

    def cell(self, row: int, col: int) -> int:
        """The index of a cell's bit."""
        return col * self.height + row

    def position(self, cell: int) -> tuple[int, int]:
        """(row, column) of a cell's index."""
        return cell % self.height, cell // self.height


# What follows computes with ints, or writes machine code that does: see `formula`.


def runs(board: Any, length: int, step: int) -> Any:
    """The cells from which `length` cells in a row, each `step` after the other, belong to the board."""
    known = 1
    while known < length:
        more = min(known, length - known)
        board = board & (board >> more * step)
        known += more
    return board


def any_run(columns: Columns, board: Any) -> Any:
    """Whether the board holds a line."""
    found = 0
    for step in columns.steps:
        found = runs(board, columns.win, step) | found
    return nonzero(found)


def spread(starts: Any, length: int, step: int) -> Any:
    """The cells of all runs of `length` that begin at `starts`."""
    known = 1
    while known < length:
        more = min(known, length - known)
        starts = starts | (starts << more * step)
        known += more
    return starts


def runs_by_gaps(board: Any, gaps: Any, length: int, step: int, most: int) -> list[Any]:
    """Where runs of `length` cells of `board` and `gaps` start, by how many of their cells are gaps: 0, 1, .. `most`.

    Runs of 1, 2, 4, ... cells are put together.
    """

    def joined(first: list[Any], rest: list[Any], places: int) -> list[Any]:
        """By the gaps of both parts, of which the second begins so many cells after the first."""
        rest, result = [starts >> places * step for starts in rest], list[Any]()
        for total in range(min(len(first) + len(rest) - 1, most + 1)):
            found: Any = 0
            for k in range(max(0, total - len(rest) + 1), min(total + 1, len(first))):
                found = (first[k] & rest[total - k]) | found
            result.append(found)
        return result

    powers = [[board, gaps][: most + 1]]
    while 2 ** len(powers) <= length:
        powers.append(joined(powers[-1], powers[-1], 2 ** (len(powers) - 1)))
    known = 2 ** (len(powers) - 1)
    result = powers[-1]
    for exponent in reversed(range(len(powers) - 1)):
        if length - known >= 2**exponent:
            result = joined(result, powers[exponent], known)
            known += 2**exponent
    return [*result, *[board & 0] * (most + 1 - len(result))]


def missing_one(board: Any, gaps: Any, length: int, step: int) -> Any:
    """Starts of the runs of `length` of which one cell is in `gaps` and all others are in `board`."""
    return runs_by_gaps(board, gaps, length, step, 1)[1]


def completing(columns: Columns, board: Any, gaps: Any) -> Any:
    """The cells of `gaps`, none of them in `board`, that would complete a line of the board."""
    found = 0
    for step in columns.steps:
        starts = missing_one(board, gaps, columns.win, step)
        found = spread(starts, columns.win, step) | found
    return gaps & found


def landings(columns: Columns, filled: Any) -> Any:
    """The lowest free cell of every column that has one."""
    return (filled + columns.bottoms) & columns.inside


def mirrored(columns: Columns, board: Any) -> Any:
    """The board with left and right exchanged."""
    image = 0
    for col in range(columns.cols):
        image = image << columns.height | board >> col * columns.height & columns.masks[0]
    return image


# For Python alone.


def lines(columns: Columns) -> Iterator[list[int]]:
    """Every row, column and diagonal as the cells one meets along it, in the order of the ColorShapeLinks framework.

    Rows from the bottom, left to right; columns from the left, upwards; diagonals that go up and right, from the top
    left corner's to the bottom right one's; diagonals that go up and left, from the top right corner's to the bottom
    left one's.
    """
    rows, cols = columns.rows, columns.cols
    starts = [((row, 0), (0, 1)) for row in range(rows)]
    starts += [((0, col), (1, 0)) for col in range(cols)]
    starts += [((row, 0), (1, 1)) for row in reversed(range(rows))]
    starts += [((0, col), (1, 1)) for col in range(1, cols)]
    starts += [((row, cols - 1), (1, -1)) for row in reversed(range(rows))]
    starts += [((0, col), (1, -1)) for col in reversed(range(cols - 1))]
    for (row, col), (up, right) in starts:
        line: list[int] = []
        while row < rows and 0 <= col < cols:
            line.append(columns.cell(row, col))
            row, col = row + up, col + right
        yield line


def first_run(columns: Columns, board: int) -> list[int]:
    """The cells of the first line that the board holds, in the order of `lines`; empty without one."""
    for line in lines(columns):
        run: list[int] = []
        for cell in line:
            run = [*run, cell] if board >> cell & 1 else []
            if len(run) == columns.win:
                return run
    return []
