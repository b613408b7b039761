"""The blocks of a region (biconnected components): parts that no single cell cuts in two.

Blocks hang together at articulation points. Who leaves a block through one cannot come back: ways exclude each other, and
only the best counts.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ..compiled import jit_inline, jit_into
from .bitboard import contains, count, is_empty, lowest, neighbours, single
from .flood import flooded
from .layers import fill_layers
from .regions import cells_value, local_cuts
from .scratch import scratch, scratch_boards, scratch_floats


def block_walk(add_part: Callable[..., None], add_cell: Callable[..., None], add_block: Callable[..., None]) -> Any:
    """A function `walk(grid, head, region, narrow, notes)` that meets the blocks of `region` as seen from the cell `head`.

    Depth-first search (Tarjan 1972) over few nodes: the cells `narrow`, the head and all that may be articulation points
    among them, by their index, and what is left of the region between them, one node a connected part, which always lies in
    a single block, from `64 * grid.words` on.

    Of each part `add_part(grid, node, part, notes)` is called, of each narrow cell but the head `add_cell(grid, cell, notes)`
    as it is met, and of each block, those behind others first, `add_block(grid, above, waiting, first, end, notes)`:
    `waiting[first:end]` are its nodes but for `above`, the articulation point (or head) by which it is entered.
    """

    @jit_into
    def walk(grid, head, region, narrow, notes):
        order, low, path, waiting = scratch(grid, 2), scratch(grid, 2), scratch(grid, 2), scratch(grid, 2)
        borders = scratch_boards(grid, 1)
        parts_from = 64 * grid.words
        left = region & ~narrow
        parts = 0
        while not is_empty(left):
            part = flooded(grid, single(grid, lowest(left)), left)
            left = left & ~part
            borders[parts] = neighbours(grid, part) & narrow
            order[parts_from + parts] = -1
            add_part(grid, parts_from + parts, part, notes)
            parts += 1
        unseen = narrow & ~single(grid, head)
        order[head], low[head] = 0, 0
        path[0] = head
        depth, clock, end = 0, 0, 0
        while True:
            node = path[depth]
            child = -1
            beside = narrow & neighbours(grid, single(grid, node)) if node < parts_from else borders[node - parts_from]
            ahead = beside & unseen
            if not is_empty(ahead):
                child = lowest(ahead)
                unseen = unseen & ~single(grid, child)
                add_cell(grid, child, notes)
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
                waiting[end] = child
                end += 1
                continue
            if depth == 0:
                return
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
            first = end - 1
            while waiting[first] != node:
                first -= 1
            add_block(grid, above, waiting, first, end, notes)
            end = first

    return walk


class _Ways(NamedTuple):
    """What `value_by_blocks` knows of its nodes, and of the cells by which blocks are entered."""

    weights: Any
    contact: Any
    """1 for nodes with a cell on the front."""
    layers: Any
    free_ways: Any
    """The best way on from a cell without a cell on the front; below 0 without any."""
    hurried_ways: Any
    """The best one that leads to the front."""
    front: Any
    free: Any
    per_cell: float
    per_edge: float


@jit_into
def _weigh_part(grid, node, part, ways):
    ways.weights[node] = cells_value(grid, part, ways.free, ways.per_cell, ways.per_edge)
    ways.contact[node] = 0 if is_empty(part & ways.front) else 1


@jit_into
def _weigh_cell(grid, cell, ways):
    here = single(grid, cell)
    ways.weights[cell] = ways.per_cell + ways.per_edge * count(neighbours(grid, here) & ways.free)
    ways.contact[cell] = 0 if is_empty(here & ways.front) else 1
    ways.free_ways[cell], ways.hurried_ways[cell] = -1.0, -1.0


@jit_into
def _weigh_block(grid, above, waiting, first, end, ways):
    cells = 64 * grid.words
    free_ways, hurried_ways, layers = ways.free_ways, ways.hurried_ways, ways.layers
    step = ways.per_cell + 2.0 * ways.per_edge
    staying = ways.weights[above]
    hurried = ways.contact[above] == 1
    for k in range(end - 1, first - 1, -1):
        node = waiting[k]
        hurried = hurried or ways.contact[node] == 1
        if node >= cells or (free_ways[node] < 0.0 and hurried_ways[node] < 0.0):
            staying += ways.weights[node]
    best = staying
    for k in range(first, end):
        node = waiting[k]
        if node < cells:
            if free_ways[node] >= 0.0:
                best = max(best, free_ways[node] + staying)
            if hurried_ways[node] >= 0.0:
                hurried = True
                best = max(best, hurried_ways[node] + step * (layers[node] - layers[above]))
    if hurried:
        hurried_ways[above] = max(hurried_ways[above], best)
    else:
        free_ways[above] = max(free_ways[above], best)


_weigh_blocks = block_walk(_weigh_part, _weigh_cell, _weigh_block)


@jit_inline
def value_by_blocks(grid, head, own, front, free, per_cell, per_edge):
    """The value of the cells `own` to a rider at `head`, by the best single way through their blocks.

    `front` are those next to the opponent. A cell weighs `per_cell`, and `per_edge` for each free neighbour. In a block
    the rider may stay, which counts the block's cells (without articulation points to other blocks behind it, with
    the one it came by), or pass to a block behind an articulation point: that block's best way counts as well. If
    anything behind is on the front, there is no time to fill the blocks before it: each step from articulation point to
    articulation point then counts as a cell of a corridor.
    """
    here = single(grid, head)
    cuts = local_cuts(grid, own | here)
    narrow = (cuts & own) | here
    if narrow == here and not contains(grid, cuts, head):
        return cells_value(grid, own, free, per_cell, per_edge)
    ways = _Ways(
        scratch_floats(grid, 2), scratch(grid, 2), scratch(grid, 1), scratch_floats(grid, 1), scratch_floats(grid, 1),
        front, free, per_cell, per_edge,
    )  # fmt: skip
    if not is_empty(front):
        fill_layers(grid, head, own, narrow, ways.layers)
    ways.weights[head], ways.contact[head] = 0.0, 0
    ways.free_ways[head], ways.hurried_ways[head] = -1.0, -1.0
    _weigh_blocks(grid, head, own, narrow, ways)
    return max(0.0, ways.free_ways[head], ways.hurried_ways[head])
