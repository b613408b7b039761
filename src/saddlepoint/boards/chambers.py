"""What a territory is worth to a rider who cannot come back: the best way through its chambers.

Chambers are what choke points divide a territory into. A rider that leaves a chamber through a choke point does not
return, so ways exclude each other, and only the best counts. Where a way leads to the battlefront, the cells next to
the opponent's, there is no time to fill the chambers before it: they count for the steps through them only.
"""

from ..compiled import jit_inline
from .bitboard import is_empty, lowest, neighbours, single
from .flood import flooded
from .layers import fill_layers
from .regions import cells_value
from .scratch import scratch, scratch_floats

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
