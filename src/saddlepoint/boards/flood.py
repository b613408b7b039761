"""Flood fill on bitboards: reachable cells, the player that reaches a cell first, separation of two heads."""

from typing import Any, NamedTuple

from ..compiled import jit_inline
from .bitboard import empty, free_cells, is_empty, neighbours, single, words_of_board

NOBODY, PLAYER_0, PLAYER_1 = 0, 1, 2
"""The owner of a cell that both players reach in the same number of steps."""


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
def both_flooded(grid, seed0, room0, seed1, room1):
    """`flooded` twice, at once: a step waits for the one before, so the second costs little."""
    filled0, filled1 = seed0, seed1
    while True:
        grown0, grown1 = (
            filled0 | (neighbours(grid, filled0) & room0),
            filled1 | (neighbours(grid, filled1) & room1),
        )
        grown0, grown1 = (
            grown0 | (neighbours(grid, grown0) & room0),
            grown1 | (neighbours(grid, grown1) & room1),
        )
        if is_empty((grown0 ^ filled0) | (grown1 ^ filled1)):
            return filled0, filled1
        filled0, filled1 = grown0, grown1


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
    """Divide the free cells between two heads by distance; equally near cells go as `ties` says."""
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
    if ties == PLAYER_0:
        return Territories(reached0, reached1 & ~contested, empty(grid), separated)
    if ties == PLAYER_1:
        return Territories(reached0 & ~contested, reached1, empty(grid), separated)
    return Territories(reached0 & ~contested, reached1 & ~contested, contested, separated)


@jit_inline
def separated(grid, head0, head1, free):
    """Whether no cell can be reached by both (heads side by side are: each blocks the other)."""
    return is_empty(reachable(grid, head0, free) & neighbours(grid, single(grid, head1)) & free)


@jit_inline
def steps_to(grid, start, free, goals):
    """Steps over free cells from the cell `start` to the nearest cell of `goals`, at least 1; -1 where none is reached."""
    reached = single(grid, start)
    left = free & ~reached
    steps = 0
    while True:
        new = neighbours(grid, reached) & left
        steps += 1
        if is_empty(new):
            return -1
        if not is_empty(new & goals):
            return steps
        reached = new
        left = left & ~new


@jit_inline
def advanced(grid, front, reached, left):
    """(the cells of `left` next to the front, what is reached with them, what is left then)."""
    front = neighbours(grid, front) & left
    return front, reached | front, left & ~front


@jit_inline
def turn_voronoi(grid, head0, head1, free, turn, extra0, extra1):
    """Divide the free cells by the player that arrives first when both take shortest ways in turn.

    `turn` moves first; a player whose `extra` is above 0 keeps the turn after a move, and has one extra less. No two
    arrive at the same moment, so nothing is contested.
    """
    front0, front1 = single(grid, head0), single(grid, head1)
    left = free & ~(front0 | front1)
    reached0, reached1 = empty(grid), empty(grid)
    player = turn
    while extra0 > 0 or extra1 > 0:
        if player == 0:
            front0, reached0, left = advanced(grid, front0, reached0, left)
            if extra0 > 0:
                extra0 -= 1
            else:
                player = 1
        else:
            front1, reached1, left = advanced(grid, front1, reached1, left)
            if extra1 > 0:
                extra1 -= 1
            else:
                player = 0
    if player == 1:
        front1, reached1, left = advanced(grid, front1, reached1, left)
    while True:
        front0, reached0, left = advanced(grid, front0, reached0, left)
        front1, reached1, left = advanced(grid, front1, reached1, left)
        if is_empty(front0 | front1):
            break
    # One of them may have had all of a region that both can enter.
    shared = neighbours(grid, reached0 | single(grid, head0)) & reached1
    shared = shared | (neighbours(grid, single(grid, head1)) & reached0)
    return Territories(reached0, reached1, empty(grid), is_empty(shared))
