"""How long one rider alone can go on: above by blocks and checkerboard colours, below by a greedy walk."""

from ..compiled import jit_inline
from .bitboard import contains, count, dark_cells, is_empty, lowest, neighbours, single
from .flood import flooded, reachable
from .regions import local_cuts
from .scratch import scratch, scratch_boards


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
    best chain bounds every path.

    Blocks are found by depth-first search (Tarjan 1972) over few nodes: cells that may be articulation points, and what
    is left of the cells between them, one node a connected part, which always lies in a single block. A block is
    bounded as it is completed, those behind others first.
    """
    here = single(grid, head)
    area = reachable(grid, head, free)
    cuts = local_cuts(grid, area | here)
    if is_empty(cuts):
        return parity_bound(grid, head, area)
    narrow = (cuts & area) | here
    # Nodes: cells by their index, parts from `parts_from` on.
    order, low, waiting = scratch(grid, 2), scratch(grid, 2), scratch(grid, 2)
    path, below = scratch(grid, 2), scratch(grid, 1)
    dark, light = scratch(grid, 1), scratch(grid, 1)
    borders = scratch_boards(grid, 1)
    parts_from = 64 * grid.words
    left = area & ~narrow
    parts = 0
    while not is_empty(left):
        part = flooded(grid, single(grid, lowest(left)), left)
        left = left & ~part
        borders[parts] = neighbours(grid, part) & narrow
        dark[parts] = count(part & dark_cells(grid))
        light[parts] = count(part) - dark[parts]
        order[parts_from + parts] = -1
        parts += 1
    unseen = narrow & ~here
    order[head], low[head] = 0, 0
    below[head] = 0  # the most steps onward from a cell, into the blocks that hang from it
    path[0] = head
    depth, clock, count_waiting = 0, 0, 0
    while True:
        node = path[depth]
        child = -1
        beside = narrow & neighbours(grid, single(grid, node)) if node < parts_from else borders[node - parts_from]
        ahead = beside & unseen
        if not is_empty(ahead):
            child = lowest(ahead)
            unseen = unseen & ~single(grid, child)
            below[child] = 0
        elif node < parts_from:
            for k in range(parts):
                if order[parts_from + k] < 0 and contains(grid, borders[k], node):
                    child = parts_from + k
                    break
        if child >= 0:
            clock += 1
            order[child], low[child] = clock, clock
            depth += 1
            path[depth] = child
            waiting[count_waiting] = child
            count_waiting += 1
            continue
        if depth == 0:
            return below[head]
        earliest = low[node]
        beside = beside & ~unseen
        while not is_empty(beside):
            other = lowest(beside)
            earliest = min(earliest, order[other])
            beside = beside & ~single(grid, other)
        if node < parts_from:
            for k in range(parts):
                if 0 <= order[parts_from + k] < earliest and contains(grid, borders[k], node):
                    earliest = order[parts_from + k]
        depth -= 1
        above = path[depth]
        # Only cells cut: what hangs from a part belongs to the part's block.
        if above >= parts_from or earliest < order[above]:
            low[above] = min(low[above], earliest)
            continue
        # Nothing from `node` on leads round `above`: with it, the nodes still waiting from `node` on are a block.
        start = colour(grid, above)
        unlike, like = 0, 0
        first = count_waiting
        while True:
            first -= 1
            member = waiting[first]
            if member >= parts_from:
                same, rest = dark[member - parts_from], light[member - parts_from]
                if start == 1:
                    same, rest = rest, same
                like += same
                unlike += rest
            elif colour(grid, member) == start:
                like += 1
            else:
                unlike += 1
            if member == node:
                break
        best = steps_within(unlike, like)
        for k in range(first, count_waiting):
            member = waiting[k]
            if member < parts_from and below[member] > 0:
                best = max(best, below[member] + steps_through(unlike, like, colour(grid, member) != start))
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
