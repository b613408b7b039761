"""Cells that complete a line, and how far a side is from any: formulas over sets of cells.

A side's *pieces of its shape* are of either colour, its *pieces of its colour* of either shape: a line of either wins.
"""

from typing import Any

from ....boards.columns import Columns, completing, landings, runs, runs_by_gaps, spread
from ....boards.formula import Bits, choose, formula, nonzero, side_by_side, split

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


@formula
def live(
    columns: Columns, shape: Bits, its_shape: Bits, mine: Bits, its: Bits, free: Bits
) -> tuple[Bits, Bits, Bits, Bits]:
    """For each of four sets the cells of the lines that could still be completed."""
    open_: Any = side_by_side(shape, its_shape, mine, its) | side_by_side(free, free, free, free)
    found: Any = 0
    for step in columns.steps:
        found = spread(runs(open_, columns.win, step), columns.win, step) | found
    cells = split(found)
    return cells[0], cells[1], cells[2], cells[3]


@formula
def following(
    columns: Columns, shape: Bits, mine: Bits, its_shape: Bits, its: Bits, free: Bits, landing: Bits, its_enough: bool
) -> tuple[bool, bool]:
    """What comes about where the opponent drops on top of every drop of the side to move: can this side, must the other win?

    An even number of cells must be free. Where the opponent follows it gets every second cell of a column from the top;
    of those on which a piece lands in columns with an odd number of free cells it gets half, by dropping into another
    such column: the side to move is given all of them. With `its_enough` the opponent drops its own shape alone.
    """
    others: Any = columns.bottoms * sum(1 << row for row in range(columns.rows - 1, -1, -2)) & columns.inside
    its_cells = free & others & ~landing
    my_cells = free & ~its_cells
    for_my_shape = choose(its_enough, my_cells, free)
    for_its_shape = choose(its_enough, its_cells, its_cells & 0)
    sets: Any = side_by_side(shape | for_my_shape, mine | my_cells, its_shape | for_its_shape, its | its_cells)
    found: Any = 0
    for step in columns.steps:
        found = runs(sets, columns.win, step) | found
    lines = split(found)
    return nonzero(lines[0] | lines[1]), nonzero(lines[2] | lines[3])
