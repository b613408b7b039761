"""Boards on which pieces fall: columns of bits, lines of `win` cells, and what is asked about them.

A column takes rows + 1 bits, row 0 lowest; the highest bit of each column stays empty, so a line never runs on from one
column's top to the next one's bottom, and adding 1 to a column of pieces gives the cell above them.
"""

import functools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..compiled import Component
from .formula import Bits


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

    @functools.cached_property
    def masks(self) -> tuple[int, ...]:
        """The cells of each column."""
        return tuple(((1 << self.rows) - 1) << col * self.height for col in range(self.cols))

    @property
    def inside(self) -> int:
        """All cells."""
        return self.bottoms * ((1 << self.rows) - 1)

    @functools.cached_property
    def bottoms(self) -> int:
        """The lowest cell of every column."""
        return sum(1 << col * self.height for col in range(self.cols))

    @property
    def even_rows(self) -> int:
        """The cells of rows 0, 2, 4, ..."""
        return self.bottoms * sum(1 << row for row in range(0, self.rows, 2))

    @functools.cached_property
    def steps(self) -> tuple[int, ...]:
        """The steps from a cell to the next on a line: up, right, up-right and down-right, where lines of
        `win` fit.
        """
        upright, across = self.rows >= self.win, self.cols >= self.win
        return (
            *((1,) if upright else ()),
            *((self.rows + 1,) if across else ()),
            *((self.rows + 2, self.rows) if upright and across else ()),
        )

    def cell(self, row: int, col: int) -> int:
        """The index of a cell's bit."""
        return col * self.height + row

    def position(self, cell: int) -> tuple[int, int]:
        """(row, column) of a cell's index."""
        return cell % self.height, cell // self.height

    # What follows computes with ints, or writes machine code that does: see `formula`.

    def union(self, of_step: Callable[[int], Any]) -> Any:
        """The union of the sets that a function gives for each of the `steps`."""
        return functools.reduce(operator.or_, map(of_step, self.steps), 0)

    def runs(self, board: Any, step: int) -> Any:
        """The cells from which `win` cells in a row, each `step` after the other, belong to the board."""
        known = 1
        while known < self.win:
            more = min(known, self.win - known)
            board = board & (board >> more * step)
            known += more
        return board

    def any_run(self, board: Any) -> Any:
        """Whether the board holds a line."""
        return Bits.nonzero(self.union(lambda step: self.runs(board, step)))

    def spread(self, starts: Any, step: int) -> Any:
        """The cells of all runs of `win` cells that begin at `starts`."""
        known = 1
        while known < self.win:
            more = min(known, self.win - known)
            starts = starts | (starts << more * step)
            known += more
        return starts

    def in_lines(self, board: Any) -> Any:
        """The cells of all lines that the board holds."""
        return self.union(lambda step: self.spread(self.runs(board, step), step))

    def runs_by_gaps(self, board: Any, gaps: Any, step: int, most: int) -> list[Any]:
        """The first cells of runs of `win` cells of `board` and `gaps`, by the number of gaps in them: 0, 1,
        .. `most`.

        Runs of 1, 2, 4, ... cells are put together.
        """

        def joined(first: list[Any], rest: list[Any], places: int) -> list[Any]:
            """The runs by the number of gaps in both parts.

            The second part begins `places` cells after the first.
            """
            rest, result = [starts >> places * step for starts in rest], list[Any]()
            for total in range(min(len(first) + len(rest) - 1, most + 1)):
                found: Any = 0
                for k in range(max(0, total - len(rest) + 1), min(total + 1, len(first))):
                    found = (first[k] & rest[total - k]) | found
                result.append(found)
            return result

        powers = [[board, gaps][: most + 1]]
        while 2 ** len(powers) <= self.win:
            powers.append(joined(powers[-1], powers[-1], 2 ** (len(powers) - 1)))
        known = 2 ** (len(powers) - 1)
        result = powers[-1]
        for exponent in reversed(range(len(powers) - 1)):
            if self.win - known >= 2**exponent:
                result = joined(result, powers[exponent], known)
                known += 2**exponent
        return [*result, *[board & 0] * (most + 1 - len(result))]

    def completing(self, board: Any, gaps: Any) -> Any:
        """The cells of `gaps`, none of them in `board`, that would complete a line of the board."""
        return gaps & self.union(lambda step: self.spread(self.runs_by_gaps(board, gaps, step, 1)[1], step))

    def landings(self, filled: Any) -> Any:
        """The lowest free cell of every column that has one."""
        return (filled + self.bottoms) & self.inside

    def mirrored(self, board: Any) -> Any:
        """The board with left and right exchanged."""
        image = 0
        for col in range(self.cols):
            image = image << self.height | board >> col * self.height & self.masks[0]
        return image

    def prospects(self, board: Any, empty: Any) -> tuple[Any, Any, Any]:
        """(number of lines that the pieces can still complete, number of those that lack two, cells that complete
        a line).
        """
        open_, pairs, threats = 0, 0, 0
        for step in self.steps:
            open_ = Bits.size(self.runs(board | empty, step)) + open_
            _, one, two = self.runs_by_gaps(board, empty, step, 2)
            pairs = Bits.size(two) + pairs
            threats = self.spread(one, step) | threats
        return open_, pairs, empty & threats

    def winning(
        self, wins0: Any, wins1: Any, empty: Any, places: Any, first_moves: Any
    ) -> tuple[Any, Any, Any, Any, Any]:
        """Of the cells that complete a line, player 0's less player 1's: those out of reach, in the rows that the player fills when all
        columns are filled in turn, and in the others; pairs above each other. Whether the mover wins at once, or cannot stop a win.

        `places` are the cells on which a piece would land.
        """
        mine, theirs = Bits.choose(first_moves, wins0, wins1), Bits.choose(first_moves, wins1, wins0)
        threats = theirs & places
        # Two places, or one above which there is another.
        unstoppable = (threats & (threats - 1)) | ((threats << 1) & theirs)
        later = empty & ~places
        even, odd = later & self.even_rows, later & ~self.even_rows
        return (
            Bits.size(wins0 & even) - Bits.size(wins1 & odd),
            Bits.size(wins0 & odd) - Bits.size(wins1 & even),
            Bits.size(wins0 & (wins0 >> 1)) - Bits.size(wins1 & (wins1 >> 1)),
            Bits.nonzero(mine & places),
            Bits.nonzero(unstoppable),
        )

    # For Python alone.

    def lines(self) -> Iterator[list[int]]:
        """Every row, column and diagonal as the cells one meets along it, in the order of the ColorShapeLinks framework.

        Rows from the bottom, left to right; columns from the left, upwards; diagonals that go up and right, from the top
        left corner's to the bottom right one's; diagonals that go up and left, from the top right corner's to the bottom
        left one's.
        """
        rows, cols = self.rows, self.cols
        starts = (
            *((row, 0, 0, 1) for row in range(rows)),
            *((0, col, 1, 0) for col in range(cols)),
            *((row, 0, 1, 1) for row in reversed(range(rows))),
            *((0, col, 1, 1) for col in range(1, cols)),
            *((row, cols - 1, 1, -1) for row in reversed(range(rows))),
            *((0, col, 1, -1) for col in reversed(range(cols - 1))),
        )
        for row, col, up, right in starts:
            line: list[int] = []
            while row < rows and 0 <= col < cols:
                line.append(self.cell(row, col))
                row, col = row + up, col + right
            yield line

    def first_run(self, board: int) -> list[int]:
        """The cells of the first line that the board holds, in the order of `lines`; empty without one."""
        for line in self.lines():
            run: list[int] = []
            for cell in line:
                run = [*run, cell] if board >> cell & 1 else []
                if len(run) == self.win:
                    return run
        return []
