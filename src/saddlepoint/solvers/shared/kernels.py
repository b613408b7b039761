"""A chunk of positions in compiled code: what follows from them, and what they are worth by what that is worth.

Neither needs anything but the chunk: whoever computes it, and how often, finds the same. What follows from a chunk is numbered in the
order in which it is met, which is the same in both.
"""

import numpy as np

from ...compiled import borrowed, jit, jit_part, prefetch
from ...game.base import CHANCE
from ..general.certificate import stage_bounds
from ..general.induction import named
from ..general.positions import enter, hash_of_key, home, row_with
from ..general.successors import (
    BROKEN,
    FITS,
    KNOWN,
    borrowed_packing,
    fill_position,
    leave_unsolved,
    matrix_value,
    read_position,
    shape_of,
)

VALUE, HEIGHT, LOW, HIGH = range(4)
"""Of what is known of a position, one number each; its height is 0 where nothing is. The bounds may be missing."""

TOO_NARROW, TABLE_FULL = range(2)
"""Why a successor could not be entered."""
_AHEAD = 12
"""Keys whose slots are fetched while others are looked for."""


@jit
def enter_all(keys, first, count, width, rows, heights, slots, ws, links):
    """Write to `links` the rows of the first `count` keys, new ones behind the others; returns the first for which there is no room."""
    keys, rows, heights, slots, links = (
        borrowed(keys),
        borrowed(rows),
        borrowed(heights),
        borrowed(slots),
        borrowed(links),
    )
    used = ws.row
    for index in range(first, count):
        if index + _AHEAD < count:
            prefetch(slots, home(hash_of_key(keys[(index + _AHEAD) * width :], width), slots))
        row, used = enter(keys[index * width :], width, rows, heights, slots, used)
        if row < 0:
            ws.row = used
            return index
        links[index] = row
    ws.row = used
    return count


@jit_part
def enter_successor(fit, key, table):
    """Enter a successor into a table; KNOWN, or why it could not be entered."""
    rows, heights, slots, ws = table
    if fit >= 0:
        ws.misfit = fit
        return np.int64(TOO_NARROW), 0.0, 0.0, 0.0, 0.0
    row, ws.row = enter(key, ws.width, rows, heights, slots, ws.row)
    return np.int64(TABLE_FULL if row < 0 else KNOWN), 0.0, 0.0, 0.0, 0.0


@jit
def find_successors(
    game, like, ws, keys, first, last, source, source_width, rows, heights, slots, packing, arrays, inner, cells
):  # fmt: skip
    """Enter what follows from some positions, packed one way, into a table packed another way.

    Returns KNOWN when it is done, or why it came back; `ws.depth` is the position at which it was.
    """
    memory, inner, source, packing = (
        named(arrays),
        named(inner),
        borrowed_packing(source),
        borrowed_packing(packing),
    )
    keys, table = borrowed(keys), (borrowed(rows), borrowed(heights), borrowed(slots), ws)
    form = ws.folded, -1, np.uint64(0), packing, ws.width
    for index in range(first, last):
        ws.depth = index
        position = read_position(
            game, like, keys[index * source_width :], source, memory.words[0], memory.actions[0], memory.x
        )
        why, _, _, _ = fill_position(
            game, like, position, form, enter_successor, table, leave_unsolved, 0, memory, inner, cells
        )
        if why != KNOWN:
            return why
    return np.int64(KNOWN)


@jit_part
def look_up_known(fit, key, table):
    """What is known of a successor; else its row, or BROKEN where it is another one than before."""
    rows, heights, slots, ws, known = table
    row = np.int64(-1)
    if fit == FITS:
        row, ws.row = enter(key, ws.width, rows, heights, slots, ws.row)
    if row < 0 or row >= len(known):
        return np.int64(BROKEN), 0.0, 0.0, 0.0, 0.0
    if known[row, HEIGHT] == 0:
        return row, 0.0, 0.0, 0.0, 0.0
    low, high = (known[row, LOW], known[row, HIGH]) if known.shape[1] > LOW else (0.0, 0.0)
    return np.int64(KNOWN), known[row, HEIGHT], known[row, VALUE], low, high


@jit_part
def solve_filled(node, m, n, cells, solver, memory):
    """(value, least, most) of a stage whose cells are written. solver: (counters, whether the bounds are wanted)."""
    (ws, bounded), (height, side) = solver, shape_of(node, m, n)
    values, low, high = cells[0, : height * side], 0.0, 0.0
    if bounded:
        for at in range(height * side):
            cells[3, at] = values[at]
        _, low, high = stage_bounds(node, m, n, cells, ws.solver, memory)
        values = cells[3, : height * side]
    if node == CHANCE:
        value = 0.0
        for k in range(m):
            value += memory.x[k] * values[k]
        return value, low, high
    return matrix_value(values.reshape((height, side)), m, n, ws, memory), low, high


@jit
def solve_chunk(
    game, like, ws, keys, first, last, packing, rows, heights, slots, known, arrays, inner, cells, results, watch, within
):  # fmt: skip
    """Write to `results` what positions are worth whose successors are all known; returns how many these were, or BROKEN.

    known: (successors, 2 or 4), in the order of their numbers, which the table has, or gets. watch: of a position that cannot be solved
    yet, a successor that is not known. within: whether positions of the chunk may follow from each other, and what is
    found of one is written to `known` for the others. cells: shape (2, 4, cells of a stage), the second for what is solved within one.
    """
    memory, inner, width, packing = named(arrays), named(inner), ws.width, borrowed_packing(packing)
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    known, cells, results, watch = borrowed(known), borrowed(cells), borrowed(results), borrowed(watch)
    form, table, bounded = (
        (ws.folded, -1, np.uint64(0), packing, width),
        (rows, heights, slots, ws, known),
        known.shape[1] > LOW,
    )
    solved = 0
    for index in range(first, last):
        if results[index, HEIGHT] != 0 or (watch[index] >= 0 and known[watch[index], HEIGHT] == 0):
            continue
        position = read_position(
            game, like, keys[index * width :], packing, memory.words[0], memory.actions[0], memory.x
        )
        by_saddle, by_form, by_program = ws.saddle_stages, ws.closed_form_stages, ws.lp_stages
        why, height, ends, edges = fill_position(
            game,
            like,
            position,
            form,
            look_up_known,
            table,
            solve_filled,
            (ws, bounded),
            memory,
            inner,
            cells,
        )
        if why == BROKEN:
            return BROKEN
        watch[index] = why
        if why != KNOWN:  # what was solved within it is counted when all of it is
            ws.saddle_stages, ws.closed_form_stages, ws.lp_stages = by_saddle, by_form, by_program
            continue
        _, node, m, n = position
        value, low, high = solve_filled(node, m, n, cells[0], (ws, bounded), memory)
        if bounded:
            results[index, LOW], results[index, HIGH] = low, high
        ws.chance_positions += node == CHANCE
        results[index, VALUE], results[index, HEIGHT] = value, height + 1
        solved += 1
        ws.ends += ends
        ws.edges += m * n + edges
        if within:
            row = row_with(keys[index * width :], width, rows, slots)
            if row >= 0:
                for k in range(known.shape[1]):
                    known[row, k] = results[index, k]
    return solved
