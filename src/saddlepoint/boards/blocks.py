"""The value of a territory to a rider, by its tree of blocks.

A block (biconnected component) is a part of the territory that no single cell cuts in two. Blocks hang together at
articulation points, and a rider that leaves a block through one cannot come back: ways exclude each other, and only
the best counts.
"""

from ..compiled import jit_inline
from .bitboard import contains, count, is_empty, lowest, neighbours, single
from .flood import flooded
from .layers import fill_layers
from .regions import cells_value, local_cuts
from .scratch import scratch, scratch_boards, scratch_floats


@jit_inline
def value_by_blocks(grid, head, own, front, free, per_cell, per_edge):
    """The value of the cells `own` to a rider at `head`, by the best single way through their blocks.

    `front` are those next to the opponent. A cell weighs `per_cell`, and `per_edge` for each free neighbour. In a block
    the rider may stay, which is worth the block's cells (without articulation points to other blocks behind it, with
    the one it came by), or pass to a block behind an articulation point: worth that block's best way as well. If
    anything behind is on the front, there is no time to fill the blocks before it: each step from articulation point to
    articulation point then counts as a cell of a corridor.

    Depth-first search (Tarjan 1972) over few nodes: cells that may be articulation points, and what is left of the
    territory between them, one node a connected part.
    """
    here = single(grid, head)
    narrow = (local_cuts(grid, own | here) & own) | here
    if narrow == here and not contains(grid, local_cuts(grid, own | here), head):
        return cells_value(grid, own, free, per_cell, per_edge)
    # Nodes: cells by their index, parts from `parts_from` on.
    order, low, path, waiting = scratch(grid, 2), scratch(grid, 2), scratch(grid, 2), scratch(grid, 2)
    layers, contact = scratch(grid, 1), scratch(grid, 2)
    weights, free_ways, hurried_ways = scratch_floats(grid, 2), scratch_floats(grid, 1), scratch_floats(grid, 1)
    borders = scratch_boards(grid, 1)
    parts_from = 64 * grid.words
    left = own & ~narrow
    parts = 0
    while not is_empty(left):
        part = flooded(grid, single(grid, lowest(left)), left)
        left = left & ~part
        borders[parts] = neighbours(grid, part) & narrow
        order[parts_from + parts] = -1
        weights[parts_from + parts] = cells_value(grid, part, free, per_cell, per_edge)
        contact[parts_from + parts] = 0 if is_empty(part & front) else 1
        parts += 1
    if not is_empty(front):
        fill_layers(grid, head, own, narrow, layers)
    step = per_cell + 2.0 * per_edge
    unseen = narrow & ~here
    order[head], low[head] = 0, 0
    weights[head], contact[head] = 0.0, 0
    free_ways[head], hurried_ways[head] = -1.0, -1.0
    path[0] = head
    depth, clock, waiting_count = 0, 0, 0
    while True:
        node = path[depth]
        child = -1
        beside = narrow & neighbours(grid, single(grid, node)) if node < parts_from else borders[node - parts_from]
        ahead = beside & unseen
        if not is_empty(ahead):
            child = lowest(ahead)
            cell = single(grid, child)
            unseen = unseen & ~cell
            weights[child] = per_cell + per_edge * count(neighbours(grid, cell) & free)
            contact[child] = 0 if is_empty(cell & front) else 1
            free_ways[child], hurried_ways[child] = -1.0, -1.0
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
            waiting[waiting_count] = child
            waiting_count += 1
            continue
        if depth == 0:
            return max(0.0, free_ways[head], hurried_ways[head])
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
        first = waiting_count
        staying = weights[above]
        touching = contact[above] == 1
        while True:
            first -= 1
            member = waiting[first]
            touching = touching or contact[member] == 1
            if member >= parts_from or (free_ways[member] < 0.0 and hurried_ways[member] < 0.0):
                staying += weights[member]
            if member == node:
                break
        best = staying
        for k in range(first, waiting_count):
            member = waiting[k]
            if member < parts_from:
                if free_ways[member] >= 0.0:
                    best = max(best, free_ways[member] + staying)
                if hurried_ways[member] >= 0.0:
                    touching = True
                    best = max(best, hurried_ways[member] + step * (layers[member] - layers[above]))
        waiting_count = first
        if touching:
            hurried_ways[above] = max(hurried_ways[above], best)
        else:
            free_ways[above] = max(free_ways[above], best)
