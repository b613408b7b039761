"""A chunk of positions in compiled code: what follows from them, and what they are worth by what that is worth.

Neither needs anything but the chunk: whoever computes it, and how often, finds the same. What follows from a chunk is numbered in the
order in which it is met, which is the same in both.
"""

import numpy as np

from ...compiled import borrowed, jit, prefetch
from ...game import CHANCE
from ..general.certificate import stage_bounds
from ..general.induction import named
from ..general.positions import enter, hash_of_key, row_with
from ..general.stages import matrix_value
from ..general.successors import ENDED, FITS, lent, opened, write_successor

VALUE, HEIGHT, LOW, HIGH = range(4)
"""Of what is known of a position, one number each; its height is 0 where nothing is. The bounds may be missing."""

DONE, TOO_NARROW, TABLE_FULL, BROKEN = range(4)
"""Why the compiled part came back; broken are rules that tell other successors than before."""
_AHEAD = 12
"""Keys whose slots are fetched while others are looked for."""


@jit
def enter_all(keys, first, count, width, rows, heights, slots, ws, links):
    """Write to `links` the rows of so many keys, those that are new behind the others; returns the first for which there is no room."""
    keys, rows, heights, slots, links = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots), borrowed(links)
    used, mask = ws.row, np.uint64(len(slots) - 1)
    for index in range(first, count):
        if index + _AHEAD < count:
            prefetch(slots, np.int64(hash_of_key(keys[(index + _AHEAD) * width :], width) & mask))
        row, used = enter(keys[index * width :], width, rows, heights, slots, used)
        if row < 0:
            ws.row = used
            return index
        links[index] = row
    ws.row = used
    return count


@jit
def find_successors(game, like, ws, keys, first, last, source, source_width, rows, heights, slots, packing, arrays):
    """Enter what follows from some positions, packed one way, into a table packed another way.

    Returns why it came back; `ws.depth` is the position at which it was.
    """
    memory, width, source, packing = named(arrays), ws.width, lent(source), lent(packing)
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    actions, words, key = memory.actions[0], memory.words, memory.key
    for index in range(first, last):
        ws.depth = index
        state, _, m, n = opened(game, like, keys[index * source_width :], source, words[0], actions, memory.x)
        for i in range(m):
            for j in range(n):
                fit, _, _ = write_successor(
                    game, state, actions[0, i], actions[1, j], ws.folded, -1, 0, packing, width, words[1], key
                )
                if fit == ENDED:
                    continue
                if fit >= 0:
                    ws.misfit = fit
                    return TOO_NARROW
                row, ws.row = enter(key, width, rows, heights, slots, ws.row)
                if row < 0:
                    return TABLE_FULL
    return DONE


@jit
def solve_chunk(game, like, ws, keys, first, last, packing, rows, heights, slots, known, arrays, cells, results, watch, within):
    """Write to `results` what positions are worth whose successors are all known; returns how many these were, or -BROKEN.

    known: (successors, 2 or 4), in the order of their numbers, which the table has, or gets. watch: of a position that cannot be solved
    yet, a successor that is not known. within: whether positions of the chunk may follow from each other, and what is
    found of one is written to `known` for the others.
    """
    memory, width, room, packing = named(arrays), ws.width, known.shape[0], lent(packing)
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    known, cells, results, watch = borrowed(known), borrowed(cells), borrowed(results), borrowed(watch)
    actions, words, key, bounded = memory.actions[0], memory.words, memory.key, known.shape[1] > LOW
    solved = 0
    for index in range(first, last):
        if results[index, HEIGHT] != 0 or (watch[index] >= 0 and known[watch[index], HEIGHT] == 0):
            continue
        state, node, m, n = opened(game, like, keys[index * width :], packing, words[0], actions, memory.x)
        side, height, ends, unknown = max(m, n), 0.0, 0, np.int64(-1)
        values, lows, highs = cells[0, : side * side], cells[1, : side * side], cells[2, : side * side]
        for i in range(m):
            for j in range(n):
                at = i * side + j
                fit, exchanged, score = write_successor(
                    game, state, actions[0, i], actions[1, j], ws.folded, -1, 0, packing, width, words[1], key
                )
                if fit == ENDED:
                    values[at] = lows[at] = highs[at] = score
                    ends += 1
                    continue
                if fit != FITS:
                    return -BROKEN
                row, ws.row = enter(key, width, rows, heights, slots, ws.row)
                if row < 0 or row >= room:
                    return -BROKEN
                if known[row, HEIGHT] == 0:
                    unknown = row
                    break
                height, value = max(height, known[row, HEIGHT]), known[row, VALUE]
                values[at] = score - value if exchanged else score + value
                if bounded:
                    low, high = known[row, LOW], known[row, HIGH]
                    if exchanged:
                        low, high = -high, -low
                    lows[at], highs[at] = score + low, score + high
            if unknown >= 0:
                break
        watch[index] = unknown
        if unknown >= 0:
            continue
        if bounded:
            square = cells[3, : side * side].reshape((side, side))
            for at in range(side * side):
                cells[3, at] = values[at]
            low, high, _ = stage_bounds(node, square, lows, highs, m, n, ws.solver, memory)
            results[index, LOW], results[index, HIGH] = low, high
        if node == CHANCE:
            value = 0.0
            for k in range(m):
                value += memory.x[k] * values[k * side]
            ws.chance_positions += 1
        else:
            value = matrix_value(values.reshape((side, side)), m, n, ws, memory)
        results[index, VALUE], results[index, HEIGHT] = value, height + 1
        solved += 1
        ws.ends += ends
        ws.edges += m * n
        if within:
            row = row_with(keys[index * width :], width, rows, slots)
            if row >= 0:
                for k in range(known.shape[1]):
                    known[row, k] = results[index, k]
    return solved

