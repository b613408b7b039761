"""The shape of a region: its edges, choke points, articulation points, and the blocks between these."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..compiled import jit_inline, jit_part
from .bitboard import contains, count, east, is_empty, lowest, neighbours, north, single, south, west
from .flood import flooded
from .images import scratch, scratch_boards, scratch_floats

# The shape of a region: its edges, its choke points, the cells that may cut it, and how much of it a rider can use who cannot come back.
#
# Chambers are what choke points divide a territory into. A rider that leaves a chamber through a choke point does not
# return, so ways exclude each other, and only the best counts. Where a way leads to the battlefront, the cells next to
# the opponent's, there is no time to fill the chambers before it: they count for the steps through them only.


@jit_inline
def fill_layers(grid, head, room, marked, layers):
    """Write the number of steps from the head through `room` to each marked cell; 0 for the head."""
    layers[head] = 0
    reached = single(grid, head)
    left = room
    layer = 0
    while not is_empty(marked):
        new = neighbours(grid, reached) & left
        if is_empty(new):
            break
        layer += 1
        reached, left = new, left & ~new
        here = new & marked
        marked = marked & ~new
        while not is_empty(here):
            cell = lowest(here)
            layers[cell] = layer
            here = here & ~single(grid, cell)


@jit_inline
def edges(grid, region, free):
    """The free neighbours of the region's cells, added up; an adjacency inside both counts from either end."""
    return (
        count(north(grid, region) & free)
        + count(south(grid, region) & free)
        + count(east(grid, region) & free)
        + count(west(grid, region) & free)
    )


@jit_inline
def cells_value(grid, cells, free, per_cell, per_edge):
    """The value of cells by number and by free neighbours."""
    value = per_cell * count(cells)
    return value + per_edge * edges(grid, cells, free) if per_edge != 0.0 else value


@jit_inline
def choke_points(grid, cells, free):
    """The cells with exactly two free neighbours, which lie opposite each other."""
    above, below = south(grid, free), north(grid, free)
    left, right = east(grid, free), west(grid, free)
    return cells & ((above & below & ~(left | right)) | (left & right & ~(above | below)))


@jit_inline
def open_cells(grid, cells, free):
    """The cells whose four neighbours are all free."""
    return cells & north(grid, free) & south(grid, free) & east(grid, free) & west(grid, free)


@jit_inline
def narrow_cells(grid, cells, free):
    """The cells with at most two free neighbours."""
    above, below = south(grid, free), north(grid, free)
    left, right = east(grid, free), west(grid, free)
    return cells & ~((above & below & (left | right)) | (left & right & (above | below)))


@jit_inline
def passages(grid, cells, free):
    """The cells without a free neighbour on either side of one of their two lines."""
    return cells & ~((west(grid, free) | east(grid, free)) & (south(grid, free) | north(grid, free)))


@jit_inline
def local_cuts(grid, region):
    """The cells of the region whose removal separates their neighbours within the 3x3 square around them.

    Every articulation point is one of them: neighbours that are connected inside the square stay connected.
    """
    above, below = south(grid, region), north(grid, region)
    left, right = east(grid, region), west(grid, region)
    # Going round the square, a group of neighbours ends where the next one is not joined to it through the corner.
    end_above = above & ~(right & west(grid, above))
    end_right = right & ~(below & west(grid, below))
    end_below = below & ~(left & east(grid, below))
    end_left = left & ~(above & east(grid, above))
    return region & (
        (end_above & end_right) | (end_below & end_left) | ((end_above | end_right) & (end_below | end_left))
    )


_CELL_BITS = 10  # 32x32 cells


@jit_inline
def push(grid, cells, parent, pending, top):
    """Put cells on the stack of choke points to visit, the lowest first."""
    while not is_empty(cells):
        cell = lowest(cells)
        pending[top] = cell | (parent + 1) << _CELL_BITS
        top += 1
        cells = cells & ~single(grid, cell)
    return top


@jit_inline
def best_way(grid, head, room, chokes, front, free, per_cell, per_edge, step):
    """The value of `room` to a rider at `head`, by the best single way through its chambers.

    `room` are the cells it may count on, `chokes` those among them that divide it, `front` those next to the opponent.
    A chamber weighs `per_cell` a cell and `per_edge` a free neighbour of a cell. From a chamber a way leads through a
    choke point to the chamber behind it, which includes that choke point. The way counts what lies behind plus the
    weight of the chamber left; if anything behind is on the front, plus `step` for each layer between the chamber's
    first cell and the choke point instead. Staying counts the chamber's weight.

    All sides of a choke point (and of the head) are one chamber. Where chambers can be reached in two ways, the one met
    first, depth first from the highest cell down, has them.
    """
    if is_empty(chokes):
        return cells_value(grid, room, free, per_cell, per_edge)
    parents, firsts, touches = scratch(grid, 2), scratch(grid, 2), scratch(grid, 2)
    layers, pending = scratch(grid, 1), scratch(grid, 4)
    weights, bests = scratch_floats(grid, 2), scratch_floats(grid, 2)
    visited = single(grid, head)
    pending[0] = head
    top, nodes = 1, 0
    while top > 0:
        top -= 1
        cell, parent = pending[top] & ((1 << _CELL_BITS) - 1), (pending[top] >> _CELL_BITS) - 1
        here = single(grid, cell)
        if parent >= 0 and not is_empty(visited & here):
            continue
        visited = visited | here
        inside = room & ~chokes & ~visited
        beside = neighbours(grid, here)
        chamber = here & room
        side = beside & inside
        if not is_empty(side):
            side = flooded(grid, side, inside)
            visited = visited | side
            chamber = chamber | side
            beside = beside | neighbours(grid, side)
        parents[nodes] = parent
        firsts[nodes] = cell
        weights[nodes] = cells_value(grid, chamber, free, per_cell, per_edge)
        bests[nodes] = weights[nodes]
        touches[nodes] = 0 if is_empty(chamber & front) else 1
        top = push(grid, beside & chokes & ~visited, nodes, pending, top)
        nodes += 1
    best, layered = 0.0, False
    for k in range(nodes - 1, -1, -1):
        parent = parents[k]
        if parent < 0:
            best = max(best, bests[k])
            continue
        way = bests[k] + weights[parent]
        if touches[k]:
            if not layered:  # many ways never need it
                fill_layers(grid, head, room, chokes, layers)
                layered = True
            touches[parent] = 1
            way = bests[k] + step * (layers[firsts[k]] - layers[firsts[parent]])
        bests[parent] = max(bests[parent], way)
    return best


# The blocks of a region (biconnected components): parts that no single cell cuts in two.
#
# Blocks hang together at articulation points. Who leaves a block through one cannot come back: ways exclude each other, and
# only the best counts.


def block_walk(
    add_part: Callable[..., None], add_cell: Callable[..., None], add_block: Callable[..., None]
) -> Any:
    """A function `walk(grid, head, region, narrow, notes)` that meets the blocks of `region` as seen from the cell `head`.

    Depth-first search (Tarjan 1972) over few nodes: the cells `narrow`, the head and all that may be articulation points
    among them, by their index, and what is left of the region between them, one node a connected part, which always lies in
    a single block, from `64 * grid.words` on.

    Of each part `add_part(grid, node, part, notes)` is called, of each narrow cell but the head `add_cell(grid, cell, notes)`
    as it is met, and of each block, those behind others first, `add_block(grid, above, waiting, first, end, notes)`:
    `waiting[first:end]` are its nodes but for `above`, the articulation point (or head) by which it is entered.
    """

    @jit_part
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
            beside = (
                narrow & neighbours(grid, single(grid, node))
                if node < parts_from
                else borders[node - parts_from]
            )
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
    """The tables of `value_by_blocks`: about its nodes, and about the cells by which blocks are entered."""

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


@jit_part
def _weigh_part(grid, node, part, ways):
    ways.weights[node] = cells_value(grid, part, ways.free, ways.per_cell, ways.per_edge)
    ways.contact[node] = 0 if is_empty(part & ways.front) else 1


@jit_part
def _weigh_cell(grid, cell, ways):
    here = single(grid, cell)
    ways.weights[cell] = ways.per_cell + ways.per_edge * count(neighbours(grid, here) & ways.free)
    ways.contact[cell] = 0 if is_empty(here & ways.front) else 1
    ways.free_ways[cell], ways.hurried_ways[cell] = -1.0, -1.0


@jit_part
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
        scratch_floats(grid, 2),
        scratch(grid, 2),
        scratch(grid, 1),
        scratch_floats(grid, 1),
        scratch_floats(grid, 1),
        front,
        free,
        per_cell,
        per_edge,
    )
    if not is_empty(front):
        fill_layers(grid, head, own, narrow, ways.layers)
    ways.weights[head], ways.contact[head] = 0.0, 0
    ways.free_ways[head], ways.hurried_ways[head] = -1.0, -1.0
    _weigh_blocks(grid, head, own, narrow, ways)
    return max(0.0, ways.free_ways[head], ways.hurried_ways[head])


# The articulation points of a region and its blocks, for explanations of a position rather than for searches.
#
# `blocks.py` has them for compiled evaluations, mixed with what a block is worth.

Neighbours = Mapping[int, Sequence[int]]
"""For every cell of the region the cells of the region next to it."""


def articulation_points(beside: Neighbours) -> set[int]:
    """The cells without which the part of the region around them falls apart."""
    return {cell for cell, found in Counter(itertools.chain(*blocks(beside))).items() if found > 1}


def blocks(beside: Neighbours) -> list[set[int]]:
    """The biconnected components (Hopcroft and Tarjan, 1973); a cell without neighbours is one of its own."""
    found: list[set[int]] = []
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    for start in beside:
        if start in order:
            continue
        order[start] = low[start] = len(order)
        if not beside[start]:
            found.append({start})
        waiting = [start]
        path: list[tuple[int, int, Iterator[int]]] = [(start, -1, iter(beside[start]))]
        while path:
            cell, above, left = path[-1]
            there = next(left, None)
            if there is None:
                path.pop()
                if above < 0:
                    continue
                low[above] = min(low[above], low[cell])
                if low[cell] >= order[above]:  # nothing from this cell on leads round the one above
                    block = {above}
                    while cell not in block:
                        block.add(waiting.pop())
                    found.append(block)
            elif there not in order:
                order[there] = low[there] = len(order)
                waiting.append(there)
                path.append((there, cell, iter(beside[there])))
            elif there != above:
                low[cell] = min(low[cell], order[there])
    return found
