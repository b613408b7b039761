"""Cells that complete a line, and how far a side is from any: formulas over sets of cells.

A side's *pieces of its shape* are of either colour, its *pieces of its colour* of either shape: a line of either wins.
"""

from typing import Any

from ...boards.columns import Columns, completing, landings, mirrored
from ...boards.formula import Bits, choose, formula, nonzero, side_by_side, split

_COUNTED = 3
"""Gaps beyond that many in a line are not told apart."""


@formula
def free_cells(columns: Columns, filled: Bits) -> tuple[Bits, Bits]:
    """All free cells, and those on which a piece lands."""
    return columns.inside & ~filled, landings(columns, filled)


@formula
def completing_pair(columns: Columns, first: Bits, second: Bits, free: Bits) -> tuple[Bits, Bits]:
    """The free cells that would complete a line of each of two sets of pieces."""
    cells = split(completing(columns, side_by_side(first, second), side_by_side(free, free)))
    return cells[0], cells[1]


NO_LINE = 64
"""More pieces than any line takes: none is possible."""


@formula
def fewest_missing(columns: Columns, shape: Bits, colour: Bits, free: Bits) -> tuple[int, int]:
    """At least how many pieces each of two sets needs for a line; `NO_LINE` or more where none is possible."""
    pieces = side_by_side(shape, colour)
    together = pieces | side_by_side(free, free)
    most = min(columns.win, _COUNTED + 1)
    levels: list[Any] = [0] * (most + 1)
    for step in columns.steps:
        for gaps, starts in enumerate(_runs_with_gaps(pieces, together, columns.win, step, most)):
            levels[gaps] = starts | levels[gaps]
    missing: list[Any] = [shape & 0, shape & 0]
    for gaps, starts in enumerate(levels):
        for side, found in enumerate(split(starts)):
            cost = NO_LINE if gaps == most else 1
            missing[side] = missing[side] + choose(nonzero(found), shape & 0, cost)
    return missing[0], missing[1]


def _runs_with_gaps(pieces: Any, together: Any, length: int, step: int, most: int) -> list[Any]:
    """Where runs of `length` cells of `together` start, by how many of the cells at most are not `pieces`.

    The last entry, of index `most` or `length`, whichever is less, is for any number.
    """
    if length == 1:
        return [pieces, together]
    half = length // 2
    first = _runs_with_gaps(pieces, together, half, step, most)
    rest = [runs >> half * step for runs in _runs_with_gaps(pieces, together, length - half, step, most)]
    result: list[Any] = []
    for gaps in range(min(length, most)):
        found: Any = 0
        for in_first in range(min(gaps, len(first) - 1) + 1):
            if gaps - in_first < len(rest):
                found = (first[in_first] & rest[gaps - in_first]) | found
        result.append(found)
    return [*result, first[-1] & rest[-1]]


@formula
def position_keys(columns: Columns, mine: Bits, shape: Bits, filled: Bits) -> tuple[Bits, Bits, Bits, Bits]:
    """Two sets that tell positions apart, a bit above each column showing how far it is filled; the mirror image's two."""
    image = mirrored(columns, filled)
    return (
        mine | (filled + columns.bottoms), shape,
        mirrored(columns, mine) | (image + columns.bottoms), mirrored(columns, shape),
    )  # fmt: skip
