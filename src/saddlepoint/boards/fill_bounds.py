"""Bounds of the steps that a rider alone can make: above by blocks and checkerboard colours, below by a
greedy walk.
"""

from typing import Any, NamedTuple

from ..compiled import jit_inline, jit_part
from .bitboard import contains, count, dark_cells, is_empty, lowest, neighbours, single
from .blocks import block_walk, local_cuts
from .flood import reachable
from .images import scratch, scratch_boards


@jit_inline
def colour(grid, cell):
    """The checkerboard colour of a cell, 0 or 1."""
    return (cell + cell // grid.stride) & 1


@jit_inline
def steps_within(unlike, like):
    """The most steps of a walk over that many cells of the other and of the same colour as where it starts."""
    return 2 * like + 1 if unlike > like else 2 * unlike


@jit_inline
def steps_through(unlike, like, ends_unlike):
    """As `steps_within`, for a walk that must end on one of those cells, of the other colour or of the same."""
    return 2 * min(unlike - 1, like) + 1 if ends_unlike else 2 * min(unlike, like)


@jit_inline
def parity_bound(grid, head, area):
    """The most steps over the cells `area` that can be reached, by colours alone: they alternate along a path."""
    dark = count(area & dark_cells(grid))
    light = count(area) - dark
    return steps_within(light, dark) if colour(grid, head) == 0 else steps_within(dark, light)


class _Bounds(NamedTuple):
    """The tables of `fillable_bound`, indexed by node or cell."""

    dark: Any
    """A part's dark cells, and its light ones; by node."""
    light: Any
    below: Any
    """The most steps onward from a cell, into the blocks that hang from it."""


@jit_part
def _count_part(grid, node, part, bounds):
    bounds.dark[node] = count(part & dark_cells(grid))
    bounds.light[node] = count(part) - bounds.dark[node]


@jit_part
def _begin_cell(grid, cell, bounds):
    bounds.below[cell] = 0


@jit_part
def _bound_block(grid, above, waiting, first, end, bounds):
    cells, below = 64 * grid.words, bounds.below
    start = colour(grid, above)
    unlike, like = 0, 0
    for k in range(first, end):
        node = waiting[k]
        if node >= cells:
            same, rest = bounds.dark[node], bounds.light[node]
            if start == 1:
                same, rest = rest, same
            like += same
            unlike += rest
        elif colour(grid, node) == start:
            like += 1
        else:
            unlike += 1
    best = steps_within(unlike, like)
    for k in range(first, end):
        node = waiting[k]
        if node < cells and below[node] > 0:
            best = max(best, below[node] + steps_through(unlike, like, colour(grid, node) != start))
    below[above] = max(below[above], best)


_bound_blocks = block_walk(_count_part, _begin_cell, _bound_block)


@jit_inline
def fillable_bound(grid, head, free):
    """An upper bound of the steps a rider at `head` can make over free cells, none of them twice.

    A path cannot come back through an articulation point, so it runs through a chain of blocks (biconnected
    components), from each to the next by the articulation point they share; within a block its colours alternate. The
    best chain bounds every path.
    """
    here = single(grid, head)
    area = reachable(grid, head, free)
    cuts = local_cuts(grid, area | here)
    if is_empty(cuts):
        return parity_bound(grid, head, area)
    bounds = _Bounds(scratch(grid, 2), scratch(grid, 2), scratch(grid, 1))
    bounds.below[head] = 0
    _bound_blocks(grid, head, area, (cuts & area) | here, bounds)
    return bounds.below[head]


@jit_inline
def greedy_fill(grid, head, free, path):
    """Walk on while it is possible, along the walls; writes the cells to `path`, returns their number: a lower bound.

    Each step goes to the cell with the fewest ways on (Warnsdorff's rule). Where the head stands between parts of the
    free cells that may fall apart, the step keeps the greatest `fillable_bound` first.
    """
    free = free & ~single(grid, head)
    steps = 0
    while True:
        here = single(grid, head)
        moves = neighbours(grid, here) & free
        if is_empty(moves):
            return steps
        divides = contains(grid, local_cuts(grid, free | here), head)
        chosen, best = -1, -1
        while not is_empty(moves):
            cell = lowest(moves)
            there = single(grid, cell)
            moves = moves & ~there
            score = 4 - count(neighbours(grid, there) & free)
            if divides:
                score += 8 * fillable_bound(grid, cell, free & ~there)
            if score > best:
                chosen, best = cell, score
        head = chosen
        free = free & ~single(grid, head)
        path[steps] = head
        steps += 1


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
    """(lower, upper) bounds of the longest path from `head` over the free cells; equal where it is exact.

    `most` is a known upper bound. The search ends when it has found `enough` steps, or visited `nodes` nodes.
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
        if (
            depth + 1 + parity_bound(grid, cell, area) > best
            and depth + 1 + fillable_bound(grid, cell, area) > best
        ):
            depth += 1
            areas[depth] = area
            moves[depth] = neighbours(grid, here) & area
    return best, most
