"""A chunk of positions in compiled code: what follows from them, and what they are worth by what that is worth.

Neither needs anything but the chunk: whoever computes it, and how often, finds the same. What follows from a chunk is numbered in the
order in which it is met, which is the same in both.
"""

import numpy as np

from ...compiled import (
    borrowed,
    jit,
    jit_part,
    prefetch,
    put_words,
    state_from_words,
    word_count,
)
from ...game import CHANCE, TERMINAL
from ..general.certificate import stage_bounds
from ..general.folding import fold
from ..general.induction import named
from ..general.packing import pack, unpack
from ..general.positions import enter_slot, find, hash_of_key, row_of
from ..general.stages import list_choices, matrix_value

VALUE, HEIGHT, LOW, HIGH = range(4)
"""Of what is known of a position, one number each; its height is 0 where nothing is. The bounds may be missing."""

DONE, TOO_NARROW, TABLE_FULL, BROKEN = range(4)
"""Why the compiled part came back; broken are rules that tell other successors than before."""
_AHEAD = 12
"""Keys whose slots are fetched while others are looked for."""


@jit_part
def enter(key, width, rows, heights, slots, used):
    """(the row of the position with this key, how many rows there are now); row -1: there is no room for one more."""
    hashed = hash_of_key(key, width)
    slot = find(key, width, hashed, rows, slots)
    if slot != np.uint64(0):
        return row_of(slot), used
    if used == len(heights):
        return np.int64(-1), used
    for k in range(width):
        rows[used * (width + 1) + k] = key[k]
    heights[used] = 1
    enter_slot(key, width, hashed, used, 1, rows, slots)
    return np.int64(used), used + 1


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
    memory, count, width = named(arrays), word_count(like), ws.width
    base, mask, place, shift = borrowed(packing[0]), borrowed(packing[1]), borrowed(packing[2]), borrowed(packing[3])
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    actions, words, key = memory.actions[0], memory.words, memory.key
    for index in range(first, last):
        ws.depth = index
        unpack(keys[index * source_width :], count, source[0], source[1], source[2], source[3], words[0])
        state = state_from_words(words[0], like)
        m, n = list_choices(game, state, np.int64(game.current_player(state)), actions[0], actions[1], memory.x)
        for i in range(m):
            for j in range(n):
                child = game.successor(state, actions[0, i], actions[1, j])
                if game.current_player(child) == TERMINAL:
                    continue
                if ws.folded:
                    child, _, _ = fold(game, child)
                put_words(child, words[1])
                ws.misfit = pack(words[1], count, base, mask, place, shift, width, key)
                if ws.misfit >= 0:
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
    memory, count, width, room = named(arrays), word_count(like), ws.width, known.shape[0]
    base, mask, place, shift = borrowed(packing[0]), borrowed(packing[1]), borrowed(packing[2]), borrowed(packing[3])
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    known, cells, results, watch = borrowed(known), borrowed(cells), borrowed(results), borrowed(watch)
    actions, words, key, bounded = memory.actions[0], memory.words, memory.key, known.shape[1] > LOW
    solved = 0
    for index in range(first, last):
        if results[index, HEIGHT] != 0 or (watch[index] >= 0 and known[watch[index], HEIGHT] == 0):
            continue
        unpack(keys[index * width :], count, base, mask, place, shift, words[0])
        state = state_from_words(words[0], like)
        node = np.int64(game.current_player(state))
        m, n = list_choices(game, state, node, actions[0], actions[1], memory.x)
        side, height, ends, unknown = max(m, n), 0.0, 0, np.int64(-1)
        values, lows, highs = cells[0, : side * side], cells[1, : side * side], cells[2, : side * side]
        for i in range(m):
            for j in range(n):
                child, at = game.successor(state, actions[0, i], actions[1, j]), i * side + j
                if game.current_player(child) == TERMINAL:
                    values[at] = lows[at] = highs[at] = game.returns(child)
                    ends += 1
                    continue
                exchanged, score = False, 0.0
                if ws.folded:
                    child, exchanged, score = fold(game, child)
                put_words(child, words[1])
                if pack(words[1], count, base, mask, place, shift, width, key) >= 0:
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
            slot = find(keys[index * width :], width, hash_of_key(keys[index * width :], width), rows, slots)
            if slot != np.uint64(0):
                row = row_of(slot)
                for k in range(known.shape[1]):
                    known[row, k] = results[index, k]
    return solved

