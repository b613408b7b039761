"""Flood fill on bitboards: reachable cells, the player that reaches a cell first, separation of two heads."""

from typing import Any, NamedTuple

from ..compiled import jit_inline
from .bitboard import empty, free_cells, is_empty, neighbours, single, words_of_board


class Territories(NamedTuple):
    """Boards of the cells each player reaches first; heads are in none of them."""

    territory0: Any
    territory1: Any
    contested: Any
    """Cells both reach in the same number of steps that were given to nobody."""
    separated: bool
    """Whether no cell can be reached by both."""


@jit_inline
def flooded(grid, seed, room):
    """The cells of `room` connected with the seed's, which must lie in it."""
    filled = seed
    while True:
        grown = filled | (neighbours(grid, filled) & room)
        # Two steps a test: the test takes about as long as a step.
        grown = grown | (neighbours(grid, grown) & room)
        if grown == filled:
            return filled
        filled = grown


@jit_inline
def reachable(grid, start, free):
    """The free cells that a path of free cells leads to from the cell `start`, which itself is not counted."""
    there = free & ~single(grid, start)
    return flooded(grid, neighbours(grid, single(grid, start)) & there, there)


@jit_inline
def without_unreachable(grid, walls, head0, head1):
    """The walls' words with every free cell blocked to which no path of free cells leads from either head."""
    free, heads = free_cells(grid, walls), single(grid, head0) | single(grid, head1)
    return words_of_board(grid, ~flooded(grid, heads, free | heads) | heads)


@jit_inline
def voronoi(grid, head0, head1, free, ties):
    """Divide the free cells between two heads by distance; equally near cells go to the player `ties`, and where
    that is none, such as SIMULTANEOUS, to nobody.
    """
    reached0, reached1 = single(grid, head0), single(grid, head1)
    open_cells = free & ~(reached0 | reached1)
    while True:
        # Both floods pass through contested cells, and neither through cells the other reached first: a shortest path
        # to a cell that is not farther for me never leads through a cell that is nearer for you.
        new0, new1 = neighbours(grid, reached0) & open_cells, neighbours(grid, reached1) & open_cells
        new = new0 | new1
        if is_empty(new):
            break
        reached0, reached1, open_cells = reached0 | new0, reached1 | new1, open_cells & ~new
    reached0, reached1 = reached0 & free, reached1 & free
    contested = reached0 & reached1
    separated = is_empty((reached0 | neighbours(grid, reached0)) & reached1)
    if ties == 0:
        return Territories(reached0, reached1 & ~contested, empty(grid), separated)
    if ties == 1:
        return Territories(reached0 & ~contested, reached1, empty(grid), separated)
    return Territories(reached0 & ~contested, reached1 & ~contested, contested, separated)


@jit_inline
def separated(grid, head0, head1, free):
    """Whether no cell can be reached by both (heads side by side are: each blocks the other)."""
    return is_empty(reachable(grid, head0, free) & neighbours(grid, single(grid, head1)) & free)
