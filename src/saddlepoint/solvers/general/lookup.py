"""The values after all moves of a solved position, looked up in compiled code: a stage may have thousands of cells."""

import numpy as np

from ...compiled import jit, jit_part
from .successors import ENDED, FITS, write_successor


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


@jit
def fill_stage(game, state, first, second, is_folded, clock, start, packing, rows, memory, cells):
    """Write the value after each joint action to `cells`; whether all of them are known.

    first, second: the actions of both, or chance's outcomes and no action. clock: the state's word that is always `start`, or -1.
    packing, rows: those of the solution. memory: a state's words and a key.
    """
    width, reals = rows.shape[1] - 1, rows.view(np.float64)
    found, key = memory
    for i in range(len(first)):
        for j in range(len(second)):
            fit, exchanged, score = write_successor(
                game, state, first[i], second[j], is_folded, clock, start, packing, width, found, key
            )
            if fit == ENDED:
                cells[i, j] = score
                continue
            row = place_of_key(rows, key, width) if fit == FITS else -1
            if row < 0:
                return False
            cells[i, j] = score - reals[row, width] if exchanged else score + reals[row, width]
    return True
