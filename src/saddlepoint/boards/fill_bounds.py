"""How long one rider alone can go on: above by blocks and checkerboard colours, below by a greedy walk."""

from ..compiled import jit_inline
from .bitboard import contains, count, dark_cells, is_empty, lowest, neighbours, single
from .regions import local_cuts
from .scratch import scratch


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
    if colour(grid, head) == 0:
        return steps_within(light, dark)
    return steps_within(dark, light)


@jit_inline
def fillable_bound(grid, head, free):
    """An upper bound of the steps a rider at `head` can make over free cells, none of them twice.

    A path cannot come back through an articulation point, so it runs through a chain of blocks (biconnected
    components), from each to the next by the articulation point they share; within a block its colours alternate. The
    best chain bounds every path. Blocks are found by depth-first search (Tarjan 1972) and bounded as they are
    completed, those behind others first.
    """
    order, low, below = scratch(grid, 1), scratch(grid, 1), scratch(grid, 1)
    path, waiting = scratch(grid, 1), scratch(grid, 1)
    unseen = free & ~single(grid, head)
    seen_here = free | single(grid, head)
    order[head] = 0
    low[head] = 0
    below[head] = 0  # the most steps onward from a cell, into the blocks that hang from it
    path[0] = head
    depth, clock, count_waiting = 0, 0, 0
    while True:
        cell = path[depth]
        beside = neighbours(grid, single(grid, cell)) & seen_here
        ahead = beside & unseen
        if not is_empty(ahead):
            child = lowest(ahead)
            unseen = unseen & ~single(grid, child)
            clock += 1
            order[child] = clock
            low[child] = clock
            below[child] = 0
            depth += 1
            path[depth] = child
            waiting[count_waiting] = child
            count_waiting += 1
            continue
        if depth == 0:
            return below[head]
        earliest = low[cell]
        while not is_empty(beside):
            other = lowest(beside)
            earliest = min(earliest, order[other])
            beside = beside & ~single(grid, other)
        depth -= 1
        above = path[depth]
        if earliest < order[above]:
            low[above] = min(low[above], earliest)
            continue
        # Nothing from `cell` on leads round `above`: with it, the cells still waiting from `cell` on are a block.
        start = colour(grid, above)
        unlike, like = 0, 0
        first = count_waiting
        while True:
            first -= 1
            if colour(grid, waiting[first]) == start:
                like += 1
            else:
                unlike += 1
            if waiting[first] == cell:
                break
        best = steps_within(unlike, like)
        for k in range(first, count_waiting):
            onward = below[waiting[k]]
            if onward > 0:
                best = max(best, onward + steps_through(unlike, like, colour(grid, waiting[k]) != start))
        below[above] = max(below[above], best)
        count_waiting = first


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
