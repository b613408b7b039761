"""How long one rider alone can go on, counted: a small search from which an evaluator learns who outlives whom."""

from ..compiled import jit_inline
from .bitboard import count, is_empty, lowest, neighbours, single
from .fill_bounds import fillable_bound, parity_bound
from .flood import reachable
from .scratch import scratch_boards


@jit_inline
def narrowest(grid, moves, free):
    """The cell of `moves` with the fewest free neighbours (Warnsdorff's rule)."""
    chosen, fewest = -1, 5
    while not is_empty(moves):
        cell = lowest(moves)
        here = single(grid, cell)
        moves = moves & ~here
        ways = count(neighbours(grid, here) & free)
        if ways < fewest:
            chosen, fewest = cell, ways
    return chosen


@jit_inline
def counted_fill(grid, head, free, most, enough, nodes):
    """(lower, upper) bounds of the steps from `head` over the free cells, none of them twice; equal where they are counted.

    `most` is a bound that is known. The search ends when it has found `enough` steps, or visited so many nodes.
    """
    areas, moves = scratch_boards(grid, 1), scratch_boards(grid, 1)
    depth, best = 0, 0
    areas[0] = reachable(grid, head, free)
    moves[0] = neighbours(grid, single(grid, head)) & areas[0]
    while best < most and best < enough:
        if is_empty(moves[depth]):
            if depth == 0:
                return best, best
            depth -= 1
            continue
        if nodes == 0:
            return best, most
        nodes -= 1
        cell = narrowest(grid, moves[depth], areas[depth])
        here = single(grid, cell)
        moves[depth] = moves[depth] & ~here
        area = reachable(grid, cell, areas[depth] & ~here)
        best = max(best, depth + 1)
        if depth + 1 + parity_bound(grid, cell, area) > best and depth + 1 + fillable_bound(grid, cell, area) > best:
            depth += 1
            areas[depth] = area
            moves[depth] = neighbours(grid, here) & area
    return best, most
