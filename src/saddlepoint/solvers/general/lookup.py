"""The values after all moves of a solved position, looked up in compiled code: a stage may have thousands of cells."""

import numpy as np

from ...compiled import jit, jit_part
from .successors import BROKEN, FITS, KNOWN, fill_stage


@jit_part
def place_of_key(rows, key, width):
    """Which of sorted rows has this key, or -1."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) >> 1
        is_less = False
        for k in range(width):
            if rows[middle, k] != key[k]:
                is_less = rows[middle, k] < key[k]
                break
        if is_less:
            low = middle + 1
        else:
            high = middle
    if low == len(rows):
        return -1
    for k in range(width):
        if rows[low, k] != key[k]:
            return -1
    return low


@jit_part
def look_up_value(fit, key, table):
    """The value of a kept successor; BROKEN where there is none. table: sorted rows, and the same as floats."""
    rows, reals = table
    width = rows.shape[1] - 1
    row = place_of_key(rows, key, width) if fit == FITS else -1
    if row < 0:
        return np.int64(BROKEN), 0.0, 0.0, 0.0, 0.0
    return np.int64(KNOWN), 0.0, reals[row, width], 0.0, 0.0


@jit
def fill_matrix(game, state, actions, m, n, is_folded, clock, start, packing, rows, memory, cells):
    """Write the values after each joint action to `cells`, as `fill_stage` does; whether all of them are known.

    actions: shape (2, any), both players', or chance's outcomes and no action. clock: the state's word that is always `start`, or -1.
    packing, rows: those of the solution. memory: a state's words and a key.
    """
    node, form = np.int64(game.current_player(state)), (is_folded, clock, start, packing, rows.shape[1] - 1)
    table = rows, rows.view(np.float64)
    why, _, _ = fill_stage(
        game, state, node, m, n, actions, form, memory[0], memory[1], look_up_value, table, cells
    )
    return why == KNOWN
