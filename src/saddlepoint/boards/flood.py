"""Floods: what a rider can reach, and who is nearer."""

from ..compiled import jit_inline
from .bitboard import contains, count, empty_board, is_empty, neighbours, single, without

NOBODY, FIRST, SECOND = 0, 1, 2
"""To whom a cell goes that both reach at the same time."""


@jit_inline
def reachable(grid, start, free):
    """The free cells connected to the board `start` (start itself not included unless free)."""
    area = neighbours(grid, start) & free
    while True:
        grown = area | (neighbours(grid, area) & free)
        if is_empty(grown ^ area):
            return area
        area = grown


@jit_inline
def voronoi(grid, head0, head1, free, ties):
    """(territory of player 0, of player 1, contested cells): who is nearer, by one flood from both heads at once.

    Cells both reach in the same step block the flood of both unless `ties` gives them to one of the players.
    """
    front0, front1 = single(grid, head0), single(grid, head1)
    none = empty_board(grid)
    territory0, territory1, contested = none, none, none
    while True:
        reach0, reach1 = neighbours(grid, front0) & free, neighbours(grid, front1) & free
        both = reach0 & reach1
        free = without(grid, free, reach0 | reach1)
        if ties == NOBODY:
            contested = contested | both
        front0 = reach0 if ties == FIRST else without(grid, reach0, both)
        front1 = reach1 if ties == SECOND else without(grid, reach1, both)
        territory0, territory1 = territory0 | front0, territory1 | front1
        if is_empty(front0 | front1):
            return territory0, territory1, contested


@jit_inline
def separated(grid, head0, head1, free):
    """Whether no free cell can be reached by both players."""
    return not contains(grid, neighbours(grid, reachable(grid, single(grid, head0), free)), head1)


@jit_inline
def room(grid, head, free):
    """Number of free cells a rider can reach."""
    return count(reachable(grid, single(grid, head), free))
