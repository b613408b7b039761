"""Who reaches a cell first where the players move in turn, and one of them may move several times in a row."""

from ..compiled import jit_inline
from .bitboard import empty, is_empty, neighbours, single
from .flood import Territories


@jit_inline
def advanced(grid, front, reached, left):
    """(the cells of `left` next to the front, what is reached with them, what is left then)."""
    front = neighbours(grid, front) & left
    return front, reached | front, left & ~front


@jit_inline
def turn_voronoi(grid, head0, head1, free, turn, extra0, extra1):
    """Divide the free cells by who arrives first when both run as fast as they can.

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
    separated = is_empty(shared | (neighbours(grid, single(grid, head1)) & reached0))
    return Territories(reached0, reached1, empty(grid), separated)
