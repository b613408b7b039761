"""A chunk of positions in compiled code: what follows from them, and what they are worth by what that is worth.

Neither needs anything but the chunk: whoever computes it, and how often, finds the same. What follows from a chunk is numbered in the
order in which it is met, which is the same in both.
"""

import numpy as np

from ...compiled import borrowed, jit, jit_part, prefetch, state_from_words
from ...game import CHANCE
from ..general.certificate import stage_bounds
from ..general.induction import named, shape_of
from ..general.slots import enter, hash_of_key, home, row_with
from ..general.stages import list_choices, matrix_value
from ..general.successors import ENDED, FITS, WITHIN, lent, opened, write_successor

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
def enter_successor(fit, ws, rows, heights, slots, key):
    """Enter a successor whose key is written into a table; returns DONE, or why it could not."""
    if fit == ENDED:
        return DONE
    if fit >= 0:
        ws.misfit = fit
        return TOO_NARROW
    row, ws.row = enter(key, ws.width, rows, heights, slots, ws.row)
    return TABLE_FULL if row < 0 else DONE


@jit
def find_successors(game, like, ws, keys, first, last, source, source_width, rows, heights, slots, packing, arrays):
    """Enter what follows from some positions, packed one way, into a table packed another way.

    Returns why it came back; `ws.depth` is the position at which it was.
    """
    memory, width, source, packing = named(arrays), ws.width, lent(source), lent(packing)
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    actions, inner, words, key = memory.actions[0], memory.actions[1], memory.words, memory.key
    for index in range(first, last):
        ws.depth = index
        state, _, m, n = opened(game, like, keys[index * source_width :], source, words[0], actions, memory.x)
        for i in range(m):
            for j in range(n):
                fit, _, _ = write_successor(
                    game, state, actions[0, i], actions[1, j], ws.folded, -1, 0, packing, width, words[1], key
                )
                why = DONE
                if fit == WITHIN:
                    choice = state_from_words(words[1], like)
                    own, other = list_choices(game, choice, np.int64(game.current_player(choice)), inner[0], inner[1], memory.y)
                    for a in range(own):
                        for b in range(other):
                            fit, _, _ = write_successor(
                                game, choice, inner[0, a], inner[1, b], ws.folded, -1, 0, packing, width, words[1], key
                            )
                            why = enter_successor(fit, ws, rows, heights, slots, key)
                            if why != DONE:
                                return why
                else:
                    why = enter_successor(fit, ws, rows, heights, slots, key)
                if why != DONE:
                    return why
    return DONE


@jit_part
def fill_from_known(game, state, node, m, n, actions, ws, table, room, known, packing, words, key, cells):
    """Write the cells of a stage, all of whose successors are entered; (greatest height, ended cells, the first that is not known or -1).

    -2 in the place of that: a successor is another one than before.
    """
    rows, heights, slots = table
    (_, side), height, ends, bounded = shape_of(node, m, n), 0.0, 0, known.shape[1] > LOW
    values, lows, highs = cells[0], cells[1], cells[2]
    for i in range(m):
        for j in range(n):
            at = i * side + j
            fit, exchanged, score = write_successor(
                game, state, actions[0, i], actions[1, j], ws.folded, -1, 0, packing, ws.width, words, key
            )
            if fit == ENDED:
                values[at] = lows[at] = highs[at] = score
                ends += 1
                continue
            if fit != FITS:
                return height, ends, np.int64(-2)
            row, ws.row = enter(key, ws.width, rows, heights, slots, ws.row)
            if row < 0 or row >= room:
                return height, ends, np.int64(-2)
            if known[row, HEIGHT] == 0:
                return height, ends, row
            height, value = max(height, known[row, HEIGHT]), known[row, VALUE]
            values[at] = score - value if exchanged else score + value
            if bounded:
                low, high = known[row, LOW], known[row, HIGH]
                if exchanged:
                    low, high = -high, -low
                lows[at], highs[at] = score + low, score + high
    return height, ends, np.int64(-1)


@jit_part
def solve_filled(node, m, n, bounded, cells, ws, memory):
    """(value, least, most) of a stage whose cells are written."""
    height, side = shape_of(node, m, n)
    values, lows, highs, low, high = cells[0, : height * side], cells[1], cells[2], 0.0, 0.0
    if bounded:
        for at in range(height * side):
            cells[3, at] = values[at]
        low, high, _ = stage_bounds(node, cells[3, : height * side].reshape((height, side)), lows, highs, m, n, ws.solver, memory)
    if node == CHANCE:
        value = 0.0
        for k in range(m):
            value += memory.x[k] * values[k]
        return value, low, high
    return matrix_value(values.reshape((height, side)), m, n, ws, memory), low, high


@jit_part
def fill_chance(game, like, state, m, actions, ws, table, room, known, packing, memory, inner, outer, cells):
    """The same as `fill_from_known` for a position of chance, within which choices are solved; and how many cells these have."""
    words, key, own, bounded = memory.words[1], memory.key, inner.actions[0], known.shape[1] > LOW
    height, ends, edges = 0.0, 0, 0
    for i in range(m):
        fit, exchanged, score = write_successor(
            game, state, actions[0, i], actions[1, 0], ws.folded, -1, 0, packing, ws.width, words, key
        )
        if fit == WITHIN:
            choice = state_from_words(words, like)
            node = np.int64(game.current_player(choice))
            rows, columns = list_choices(game, choice, node, own[0], own[1], inner.x)
            above, over, unknown = fill_from_known(
                game, choice, node, rows, columns, own, ws, table, room, known, packing, words, key, cells
            )
            if unknown != -1:
                return height, ends, unknown, edges
            value, low, high = solve_filled(node, rows, columns, bounded, cells, ws, inner)
            above, ends, edges = above + 1, ends + over, edges + rows * columns
        elif fit == ENDED:
            value, low, high, above, exchanged, ends = 0.0, 0.0, 0.0, 0.0, False, ends + 1
        else:
            if fit != FITS:
                return height, ends, np.int64(-2), edges
            row, ws.row = enter(key, ws.width, table[0], table[1], table[2], ws.row)
            if row < 0 or row >= room:
                return height, ends, np.int64(-2), edges
            if known[row, HEIGHT] == 0:
                return height, ends, row, edges
            above, value = known[row, HEIGHT], known[row, VALUE]
            low, high = (known[row, LOW], known[row, HIGH]) if bounded else (0.0, 0.0)
        if exchanged:
            value, low, high = -value, -high, -low
        outer[0, i], outer[1, i], outer[2, i], height = score + value, score + low, score + high, max(height, above)
    return height, ends, np.int64(-1), edges


@jit
def solve_chunk(
    game, like, ws, keys, first, last, packing, rows, heights, slots, known, arrays, more, cells, results, watch, within
):  # fmt: skip
    """Write to `results` what positions are worth whose successors are all known; returns how many these were, or -BROKEN.

    known: (successors, 2 or 4), in the order of their numbers, which the table has, or gets. watch: of a position that cannot be solved
    yet, a successor that is not known. within: whether positions of the chunk may follow from each other, and what is
    found of one is written to `known` for the others. cells: two times what a stage needs, the second for what is solved within one.
    """
    memory, inner, width, room, packing = named(arrays), named(more), ws.width, known.shape[0], lent(packing)
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    known, cells, results, watch = borrowed(known), borrowed(cells), borrowed(results), borrowed(watch)
    actions, words, key, bounded, table = memory.actions[0], memory.words, memory.key, known.shape[1] > LOW, (rows, heights, slots)
    solved = 0
    for index in range(first, last):
        if results[index, HEIGHT] != 0 or (watch[index] >= 0 and known[watch[index], HEIGHT] == 0):
            continue
        state, node, m, n = opened(game, like, keys[index * width :], packing, words[0], actions, memory.x)
        by_saddle, by_form, by_program, edges = ws.saddle_stages, ws.closed_form_stages, ws.lp_stages, 0
        if ws.folded and game.has_chance and game.chance_is_told and node == CHANCE:
            height, ends, unknown, edges = fill_chance(
                game, like, state, m, actions, ws, table, room, known, packing, memory, inner, cells[0], cells[1]
            )
        else:
            height, ends, unknown = fill_from_known(
                game, state, node, m, n, actions, ws, table, room, known, packing, words[1], key, cells[0]
            )
        if unknown < -1:
            return -BROKEN
        watch[index] = unknown
        if unknown >= 0:  # what was solved within it is counted when all of it is
            ws.saddle_stages, ws.closed_form_stages, ws.lp_stages = by_saddle, by_form, by_program
            continue
        value, low, high = solve_filled(node, m, n, bounded, cells[0], ws, memory)
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

