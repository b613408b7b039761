"""Cells that complete a line, and how far a side is from any: formulas over sets of cells.

A side's *pieces of its shape* are of either colour, its *pieces of its colour* of either shape: a line of either wins.
"""

from typing import Any

from ...boards.columns import Columns, completing, landings, runs, runs_by_gaps
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
    pieces, gaps = side_by_side(shape, colour), side_by_side(free, free)
    most = min(columns.win, _COUNTED + 1)
    levels: list[Any] = [0] * (most + 1)
    for step in columns.steps:
        found = runs_by_gaps(pieces, gaps, columns.win, step, most - 1)
        for level, starts in enumerate([*found, runs(pieces | gaps, columns.win, step)]):
            levels[level] = starts | levels[level]
    missing: list[Any] = [shape & 0, shape & 0]
    fewer: Any = 0
    for level, starts in enumerate(levels):
        fewer = starts | fewer
        for side, found in enumerate(split(fewer)):
            cost = NO_LINE if level == most else 1
            missing[side] = missing[side] + choose(nonzero(found), shape & 0, cost)
    return missing[0], missing[1]
