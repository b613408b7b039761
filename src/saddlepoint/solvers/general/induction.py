"""Memoised backward induction in compiled code: depth first, on a stack of its own, which any pause leaves as it is.

A frame of the stack is a position whose stage is being filled, cell by cell, with the values of its successors. A successor that
is in the table, or ended, gives its value at once; any other gets a frame on top. A full stage is solved and goes into the table.
"""

from typing import Any, NamedTuple

import numpy as np

from ...compiled import PLAIN_PYTHON, borrowed, jit, jit_part, put_words, state_from_words, word_count
from ...game import CHANCE, TERMINAL, Game
from ...matrix import work_size
from .packing import pack
from .positions import enter_slot, find, hash_of_key
from .stages import list_choices, matrix_value

NODE, ROWS, COLUMNS, ROW, COLUMN, CELLS = range(6)
"""Of a frame: who moves, the size of its stage, the cell that is next, and where its cells begin."""

SOLVED, PAUSED, TOO_NARROW, TABLE_FULL, TOO_DEEP, CELLS_FULL = range(6)
"""Why the compiled part came back."""


class Memory(NamedTuple):
    """Arrays: frames, actions and words by depth; the key that is looked for; all cells; the matrix solver's own."""

    frames: Any
    actions: Any
    words: Any
    key: Any
    cells: Any
    rows: Any
    columns: Any
    x: Any
    y: Any
    work: Any



_RECORD = np.dtype(
    [
        ("depth", "i8"),  # of the frame on top; -1: all is solved
        ("deepest", "i8"),  # frames that there may be
        ("filled", "i8"), ("capacity", "i8"),  # rows of the table
        ("pause", "i8"),  # positions to be solved in all before it comes back
        ("misfit", "i8"),  # the word that does not fit
        ("width", "i8"), ("solver", "i8"),
        ("positions", "i8"), ("chance_positions", "i8"), ("ends", "i8"), ("edges", "i8"),
        ("saddle_stages", "i8"), ("closed_form_stages", "i8"), ("lp_stages", "i8"),
        ("value", "f8"),  # of the position solved last
    ],
    align=True,
)  # fmt: skip


def new_record() -> Any:
    """Counters and limits, zeroed."""
    memory = np.zeros(1, _RECORD)
    return memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]


def new_memory(game: Game, words: int) -> Any:
    """The arrays of `Memory`, for a game whose states have so many words."""
    choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
    depth = game.max_depth + 2
    return (
        np.zeros((depth, 6), np.int64), np.zeros((depth, 2, choices), np.int64), np.zeros((depth, words), np.uint64),
        np.zeros(words, np.uint64), np.zeros(cells_of_a_stage(game)), np.zeros(choices, np.uint8), np.zeros(choices, np.uint8),
        np.zeros(choices), np.zeros(choices), np.zeros(work_size(choices + 1, choices + 1)),
    )  # fmt: skip


def cells_of_a_stage(game: Game) -> int:
    """Room for the largest stage there may be: a square, or outcomes with their probabilities."""
    return max(game.max_actions**2, 2 * game.max_outcomes if game.has_chance else 1)


@jit_part
def push(game, state, node, depth, start, memory):
    """Put a position, whose words are written already, on the stack."""
    cells, actions = memory.cells, memory.actions
    room = actions.shape[2]
    chances = cells[start + room : start + 2 * room] if node == CHANCE else cells[start:start]
    m, n = list_choices(game, state, node, actions[depth, 0], actions[depth, 1], chances)
    frame = memory.frames[depth]
    frame[NODE], frame[ROWS], frame[COLUMNS], frame[ROW], frame[COLUMN], frame[CELLS] = node, m, n, 0, 0, start


@jit_part
def frame_end(frame, room):
    """Where the cells of the next frame begin."""
    side = max(frame[ROWS], frame[COLUMNS])
    return frame[CELLS] + (2 * room if frame[NODE] == CHANCE else side * side)


@jit_part
def stage_value(frame, ws, memory):
    """The value of a frame whose cells are all known."""
    m, n, start = frame[ROWS], frame[COLUMNS], frame[CELLS]
    room = memory.actions.shape[2]
    if frame[NODE] == CHANCE:
        value = 0.0
        for k in range(m):
            value += memory.cells[start + room + k] * memory.cells[start + k]
        ws.chance_positions += 1
        return value
    side = max(m, n)
    return matrix_value(memory.cells[start : start + side * side].reshape((side, side)), m, n, ws, memory)


@jit_part
def named(arrays):
    """The arrays by their names: only compiled code may pass them on like this, which takes a NamedTuple for a state elsewhere."""
    return Memory(
        borrowed(arrays[0]), borrowed(arrays[1]), borrowed(arrays[2]), borrowed(arrays[3]), borrowed(arrays[4]),
        borrowed(arrays[5]), borrowed(arrays[6]), borrowed(arrays[7]), borrowed(arrays[8]), borrowed(arrays[9]),
    )  # fmt: skip


@jit_part
def fill_cell(frame, value, cells):
    """Give the cell that was waited for its value, and go on to the next."""
    n = frame[COLUMNS]
    step = 1 if frame[NODE] == CHANCE else max(frame[ROWS], n)
    cells[frame[CELLS] + frame[ROW] * step + frame[COLUMN]] = value
    frame[COLUMN] += 1
    if frame[COLUMN] == n:
        frame[ROW], frame[COLUMN] = frame[ROW] + 1, 0


@jit
def begin(game, state, ws, arrays):
    """Put the root on the empty stack."""
    memory = named(arrays)
    put_words(state, memory.words[0])
    push(game, state, np.int64(game.current_player(state)), 0, 0, memory)
    ws.depth = 0


@jit
def induce(game, like, ws, rows, slots, reals, packing, arrays):
    """Go on until all is solved, or for another of the reasons above; `like` is any state, `reals` the rows as floats."""
    width, count, memory = ws.width, word_count(like), named(arrays)
    base, mask, place, shift = borrowed(packing[0]), borrowed(packing[1]), borrowed(packing[2]), borrowed(packing[3])
    rows, slots, reals = borrowed(rows), borrowed(slots), borrowed(reals)
    frames, actions, words, key, cells = memory.frames, memory.actions, memory.words, memory.key, memory.cells
    room, stage = actions.shape[2], max(2 * actions.shape[2], actions.shape[2] * actions.shape[2])
    while ws.depth >= 0:
        depth = ws.depth
        frame = frames[depth]
        m, n, i, j, start = frame[ROWS], frame[COLUMNS], frame[ROW], frame[COLUMN], frame[CELLS]
        step = 1 if frame[NODE] == CHANCE else max(m, n)
        state = state_from_words(words[depth], like)
        following, ends = words[depth + 1], 0
        child, node, unknown = state, np.int64(TERMINAL), False
        while i < m:
            child = game.successor(state, actions[depth, 0, i], actions[depth, 1, j])
            node = np.int64(game.current_player(child))
            if node == TERMINAL:
                cells[start + i * step + j] = game.returns(child)
                ends += 1
            else:
                put_words(child, following)
                misfit = pack(following, count, base, mask, place, shift, width, key)
                if misfit >= 0:
                    ws.misfit, ws.ends = misfit, ws.ends + ends
                    frame[ROW], frame[COLUMN] = i, j
                    return TOO_NARROW
                index = find(key, width, hash_of_key(key, width), rows, slots)
                if index < 0:
                    unknown = True
                    break
                cells[start + i * step + j] = reals[index * (width + 1) + width]
            j += 1
            if j == n:
                i, j = i + 1, 0
        frame[ROW], frame[COLUMN] = i, j
        ws.ends += ends
        if unknown:
            if depth + 2 > ws.deepest:
                return TOO_DEEP
            after = frame_end(frame, room)
            if after + stage > len(cells):
                return CELLS_FULL
            push(game, child, node, depth + 1, after, memory)
            ws.depth = depth + 1
            continue
        if ws.filled == ws.capacity:
            return TABLE_FULL
        value = stage_value(frame, ws, memory)
        pack(words[depth], count, base, mask, place, shift, width, key)
        for k in range(width):
            rows[ws.filled * (width + 1) + k] = key[k]
        reals[ws.filled * (width + 1) + width] = value
        enter_slot(hash_of_key(key, width), ws.filled, slots)
        ws.filled += 1
        ws.edges += m * n
        ws.value = value
        ws.depth = depth - 1
        if depth > 0:
            fill_cell(frames[depth - 1], value, cells)
        if ws.filled >= ws.pause:
            return PAUSED
    return SOLVED
