"""Memoised backward induction in compiled code: depth first, on a stack of its own, which any pause leaves as it is.

A frame of the stack is a position whose stage is being filled, cell by cell, with the values of its successors. A successor that
is in the table, or ended, gives its value at once; any other gets a frame on top. A full stage is solved and goes into the table; one
that follows a position of chance alone is a part of that, and does not.

Several threads, each with a stack, share the table. They fill stages in different directions, or from different cells, and take
from the table what others have solved; which thread solves a position, or two at once, changes no value.
"""

from typing import Any, NamedTuple

import numpy as np

from ...compiled import (
    PLAIN_PYTHON,
    add_together,
    borrowed,
    jit,
    jit_part,
    put_words,
    read_again,
    state_from_words,
    word_count,
)
from ...game.base import CHANCE, Game
from ...matrix import work_size
from .packing import pack
from .positions import BLOCK, enter_slot, find, hash_of_key
from .successors import (
    ENDED,
    FITS,
    WITHIN,
    borrowed_packing,
    decided_after,
    list_choices,
    matrix_value,
    write_undecided,
)

(
    NODE,
    ROWS,
    COLUMNS,
    ROW,
    COLUMN,
    CELLS,
    LEFT,
    HEIGHT,
    EXCHANGED,
    INNER,
    ENDS,
    EDGES,
    SADDLES,
    FORMS,
    PROGRAMS,
) = range(15)
"""Of a frame: who moves, the size of its stage, the cell that is next, where its cells begin, and how many are not known yet; of
those known the greatest height; whether the players are exchanged for who waits for it; and whether it is solved within the frame
below it, and not kept. Then what was counted of it, and of those within it: ended cells, all cells, and stages by how they were solved."""

USED, STOP = range(2)
"""Of what threads share: how many rows of the table were given out, and whether all shall come back soon."""

SOLVED, PAUSED, TOO_NARROW, TABLE_FULL, TOO_DEEP, CELLS_FULL = range(6)
"""Why the compiled part came back."""


class InductionArrays(NamedTuple):
    """Arrays: frames, scores, actions and words by depth; the key that is looked for; all cells; the matrix solver's own."""

    frames: Any
    scores: Any
    actions: Any
    words: Any
    key: Any
    cells: Any
    x: Any
    y: Any
    work: Any


_RECORD = np.dtype(
    [
        ("depth", "i8"),  # of the frame on top; -1: all is solved
        ("deepest", "i8"),  # frames that there may be
        ("thread", "i8"),
        ("threads", "i8"),
        ("filled", "i8"),  # positions that this thread has solved
        ("row", "i8"),
        ("last_row", "i8"),  # rows that this thread was given
        ("pause", "i8"),  # positions that this thread shall have solved before it comes back
        ("misfit", "i8"),  # the word that does not fit
        ("width", "i8"),
        ("solver", "i8"),
        ("folded", "i8"),  # whether one position stands for its images
        ("unvalued", "i8"),  # whether positions are only found, and no stage is solved
        ("chance_positions", "i8"),
        ("ends", "i8"),
        ("edges", "i8"),
        ("saddle_stages", "i8"),
        ("closed_form_stages", "i8"),
        ("lp_stages", "i8"),
        ("value", "f8"),  # of the position solved last
    ],
    align=True,
)


def new_record(kind: Any = _RECORD) -> Any:
    memory = np.zeros(1, kind)
    return memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]


def new_memory(game: Game, words: int) -> Any:
    """The arrays of `InductionArrays`, for a game whose states have `words` words."""
    choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
    depth = game.max_depth + 2
    return (
        np.zeros((depth, 15), np.int64),
        np.zeros(depth),
        np.zeros((depth, 2, choices), np.int64),
        np.zeros((depth, words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(cells_of_a_stage(game)),
        np.zeros(choices),
        np.zeros(choices),
        np.zeros(work_size(choices + 1, choices + 1)),
    )


def cells_of_a_stage(game: Game) -> int:
    """Room for the largest stage there may be: a square, or outcomes with their probabilities."""
    return max(game.max_actions**2, 2 * game.max_outcomes if game.has_chance else 1)


@jit_part
def push(game, like, exchanged, inner, score, depth, start, ws, memory):
    """Put a position, whose words are written, on the stack.

    The frame below gets its value with this score and sign.
    """
    cells, actions = memory.cells, memory.actions
    state = state_from_words(memory.words[depth], like)
    node = np.int64(game.current_player(state))
    room = actions.shape[2]
    chances = cells[start + room : start + 2 * room] if node == CHANCE else cells[start:start]
    m, n = list_choices(game, state, node, actions[depth, 0], actions[depth, 1], chances)
    frame = memory.frames[depth]
    frame[NODE], frame[ROWS], frame[COLUMNS], frame[ROW], frame[COLUMN], frame[CELLS] = (
        node,
        m,
        n,
        0,
        0,
        start,
    )
    frame[LEFT], frame[HEIGHT], frame[EXCHANGED], frame[INNER], memory.scores[depth] = (
        m * n,
        0,
        exchanged,
        inner,
        score,
    )
    frame[ENDS], frame[EDGES], frame[SADDLES], frame[FORMS], frame[PROGRAMS] = 0, m * n, 0, 0, 0
    if ws.thread > 0:
        cell = (ws.thread >> 1) * m * n // ((ws.threads + 1) >> 1)
        frame[ROW], frame[COLUMN] = cell // n, cell % n
        if ws.thread & 1:
            frame[ROW], frame[COLUMN] = next_cell(frame[ROW], frame[COLUMN], m, n, True)


@jit_part
def next_cell(i, j, m, n, backward):
    """The cell after (i, j) of an m x n stage, row by row, the first after the last."""
    if backward:
        j -= 1
        if j < 0:
            i, j = i - 1, n - 1
            if i < 0:
                i = m - 1
    else:
        j += 1
        if j == n:
            i, j = i + 1, 0
            if i == m:
                i = 0
    return i, j


@jit_part
def frame_end(frame, room):
    side = max(frame[ROWS], frame[COLUMNS])
    return frame[CELLS] + (2 * room if frame[NODE] == CHANCE else side * side)


@jit_part
def stage_value(frame, ws, memory):
    m, n, start = frame[ROWS], frame[COLUMNS], frame[CELLS]
    room = memory.actions.shape[2]
    if frame[NODE] == CHANCE:
        value = 0.0
        for k in range(m):
            value += memory.cells[start + room + k] * memory.cells[start + k]
        return value
    side = max(m, n)
    by_saddle, by_form, by_program = ws.saddle_stages, ws.closed_form_stages, ws.lp_stages
    value = matrix_value(memory.cells[start : start + side * side].reshape((side, side)), m, n, ws, memory)
    frame[SADDLES] += ws.saddle_stages - by_saddle
    frame[FORMS] += ws.closed_form_stages - by_form
    frame[PROGRAMS] += ws.lp_stages - by_program
    ws.saddle_stages, ws.closed_form_stages, ws.lp_stages = (
        by_saddle,
        by_form,
        by_program,
    )  # counted when it is kept
    return value


@jit_part
def named(arrays):
    """The arrays by their names: only compiled code may pass them on like this, which takes a NamedTuple for a state elsewhere."""
    return InductionArrays(
        borrowed(arrays[0]), borrowed(arrays[1]), borrowed(arrays[2]), borrowed(arrays[3]), borrowed(arrays[4]),
        borrowed(arrays[5]), borrowed(arrays[6]), borrowed(arrays[7]), borrowed(arrays[8]),
    )  # fmt: skip


@jit_part
def fill_cell(frame, value, height, backward, cells):
    """Give the cell that was waited for its value, and go on to the next."""
    m, n = frame[ROWS], frame[COLUMNS]
    step = 1 if frame[NODE] == CHANCE else max(m, n)
    cells[frame[CELLS] + frame[ROW] * step + frame[COLUMN]] = value
    frame[ROW], frame[COLUMN] = next_cell(frame[ROW], frame[COLUMN], m, n, backward)
    frame[LEFT] -= 1
    frame[HEIGHT] = max(frame[HEIGHT], height)


@jit
def begin(game, state, ws, arrays):
    memory = named(arrays)
    put_words(state, memory.words[0])
    push(game, state, False, False, 0.0, 0, 0, ws, memory)
    ws.depth = 0


@jit_part
def count_kept(frame, ws):
    """Count a position that is kept, and all that is solved within it."""
    ws.filled += 1
    ws.chance_positions += frame[NODE] == CHANCE
    ws.ends += frame[ENDS]
    ws.edges += frame[EDGES]
    ws.saddle_stages += frame[SADDLES]
    ws.closed_form_stages += frame[FORMS]
    ws.lp_stages += frame[PROGRAMS]


@jit
def induce(game, like, ws, shared, rows, heights, slots, reals, packing, arrays):
    """Go on until all is solved, or for another of the reasons above; `like` is any state, `reals` the rows as floats."""
    width, memory, packing = ws.width, named(arrays), borrowed_packing(packing)
    base, mask, place, shift = packing
    rows, heights, slots, reals, shared = (
        borrowed(rows),
        borrowed(heights),
        borrowed(slots),
        borrowed(reals),
        borrowed(shared),
    )
    frames, actions, words, key, cells = memory.frames, memory.actions, memory.words, memory.key, memory.cells
    room, stage = actions.shape[2], max(2 * actions.shape[2], actions.shape[2] * actions.shape[2])
    backward = ws.thread & 1 == 1
    while ws.depth >= 0:
        if ws.filled >= ws.pause or read_again(shared, STOP) != 0:
            return PAUSED
        depth = ws.depth
        frame = frames[depth]
        m, n, i, j, start = frame[ROWS], frame[COLUMNS], frame[ROW], frame[COLUMN], frame[CELLS]
        step = 1 if frame[NODE] == CHANCE else max(m, n)
        state = state_from_words(words[depth], like)
        following, ends, left, height = words[depth + 1], frame[ENDS], frame[LEFT], frame[HEIGHT]
        fit, unknown, exchanged, score = np.int64(ENDED), False, False, 0.0
        while left > 0:
            action0, action1 = actions[depth, 0, i], actions[depth, 1, j]
            fit, exchanged, score = write_undecided(
                game, state, action0, action1, ws.folded, -1, 0, packing, width, following, key
            )
            row = np.int64(-1)
            if fit == FITS:
                row = find(key, width, hash_of_key(key, width), rows, slots)
            if row >= 0:
                value = reals[row * (width + 1) + width]
                cells[start + i * step + j] = score - value if exchanged else score + value
                height = max(height, np.int64(heights[row]))
            else:
                if fit != ENDED and ws.folded and game.has_bounds:
                    is_decided, value = decided_after(game, state, action0, action1)
                    if is_decided:
                        fit, score = np.int64(ENDED), value
                if fit != ENDED:
                    unknown = fit < 0
                    break
                cells[start + i * step + j] = score
                ends += 1
            left -= 1
            i, j = next_cell(i, j, m, n, backward)
        frame[ROW], frame[COLUMN], frame[LEFT], frame[HEIGHT], frame[ENDS] = i, j, left, height, ends
        if fit >= 0:
            ws.misfit = fit
            return TOO_NARROW
        if unknown:
            if depth + 2 > ws.deepest:
                return TOO_DEEP
            after = frame_end(frame, room)
            if after + stage > len(cells):
                return CELLS_FULL
            push(game, like, exchanged, fit == WITHIN, score, depth + 1, after, ws, memory)
            ws.depth = depth + 1
            continue
        height += 1
        if height > ws.deepest:
            return TOO_DEEP
        if frame[INNER] != 0:
            value = stage_value(frame, ws, memory)
            for k in range(ENDS, PROGRAMS + 1):
                frames[depth - 1, k] += frame[k]
        else:
            pack(words[depth], word_count(like), base, mask, place, shift, width, key)
            hashed = hash_of_key(key, width)
            found = np.int64(-1)
            if ws.threads > 1:
                found = find(key, width, hashed, rows, slots)  # another thread's, maybe
            if found >= 0:
                value = reals[found * (width + 1) + width]
            else:
                if ws.row == ws.last_row:
                    row = add_together(shared, USED, BLOCK)
                    if row + BLOCK > len(heights):
                        return TABLE_FULL
                    ws.row, ws.last_row = row, row + BLOCK
                row, value = ws.row, 0.0
                if ws.unvalued == 0:
                    value = stage_value(frame, ws, memory)
                for k in range(width):
                    rows[row * (width + 1) + k] = key[k]
                reals[row * (width + 1) + width], heights[row] = value, height
                if enter_slot(key, width, hashed, row, rows, slots) < 0:
                    ws.row = row + 1
                    count_kept(frame, ws)
                else:  # it is counted where it was solved sooner
                    heights[row] = 0
        ws.value = value
        ws.depth = depth - 1
        if depth > 0:
            score = memory.scores[depth]
            fill_cell(
                frames[depth - 1],
                score - value if frame[EXCHANGED] else score + value,
                height,
                backward,
                cells,
            )
    return SOLVED
