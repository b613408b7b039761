"""Walks that the other rider cannot stop, and what they prove before the riders are separated.

A rider who keeps to cells that the other one cannot reach before is sure of all its steps. The cells of its walk are lost to
the other one, whose steps are bounded in what is left: if the walk is longer, it wins.
"""

from ....boards.bitboard import count, empty, is_empty, lowest, neighbours, single
from ....boards.fill_bounds import fillable_bound, greedy_fill
from ....boards.flood import reachable
from ....boards.scratch import scratch
from ....compiled import jit

ALONG_THE_FRONT, ALONG_THE_WALLS = 0, 1


@jit
def margin_of_walk(grid, area, me, him, alone, kind):
    """Steps of a walk that cannot be stopped, less the most that the other rider can make then.

    With `alone` no cell is one that the other rider may reach at the same time; without, both may crash there, a draw.
    """
    beside_him = neighbours(grid, single(grid, him)) & area
    distance, path = scratch(grid, 1), scratch(grid, 1)
    if kind == ALONG_THE_FRONT:
        fill_distances(grid, him, area, distance)
    danger = beside_him if alone else empty(grid)
    left = area
    head, steps = me, 0
    contested = True
    while contested:
        options = neighbours(grid, single(grid, head)) & left & ~danger
        if is_empty(options):
            break
        chosen, best = -1, 1 << 20
        while not is_empty(options):
            cell = lowest(options)
            here = single(grid, cell)
            options = options & ~here
            score = count(neighbours(grid, here) & left & ~danger)
            if kind == ALONG_THE_FRONT:
                score += 8 * distance[cell]
            if score < best:
                chosen, best = cell, score
        head = chosen
        left = left & ~single(grid, head)
        steps += 1
        danger = danger | ((neighbours(grid, danger) | beside_him) & left)
        own = reachable(grid, head, left & ~danger)
        if is_empty(neighbours(grid, danger) & own) and is_empty(beside_him & own):
            more = greedy_fill(grid, head, own, path)
            steps += more
            for k in range(more):
                left = left & ~single(grid, path[k])
            contested = False
    return steps - fillable_bound(grid, him, left)


@jit
def fill_distances(grid, start, area, distance):
    """Write the number of steps from `start` to each cell of the area; 1000 where none leads there."""
    left = area
    while not is_empty(left):
        cell = lowest(left)
        left = left & ~single(grid, cell)
        distance[cell] = 1000
    reached, left, steps = single(grid, start), area, 0
    while True:
        new = neighbours(grid, reached) & left
        if is_empty(new):
            return
        steps += 1
        reached, left = new, left & ~new
        while not is_empty(new):
            cell = lowest(new)
            new = new & ~single(grid, cell)
            distance[cell] = steps
