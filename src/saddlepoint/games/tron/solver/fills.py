"""Separated riders: who can go on for longer, by bounds where they tell, else by exact longest paths that are remembered."""

import numpy as np

from ....boards.bitboard import words_of_board
from ....boards.fill_bounds import fillable_bound, greedy_fill
from ....boards.longest_path import longest_path, position_key, stretched
from ....compiled import jit
from ....hash_table import bucket_of
from .memory import FILLS, SEPARATED


@jit
def least_and_most(grid, head, area, memory):
    """Bounds of the steps that a rider can make alone in the cells that it reaches."""
    most = fillable_bound(grid, head, area)
    least = greedy_fill(grid, head, area, memory.path)
    if least < most:
        least = stretched(grid, head, area, memory.path, least)
    return least, most


@jit
def exact_fill(grid, head, area, memory, control):
    """The most steps that a rider can make alone in the cells that it reaches."""
    key = position_key(grid, head, area)
    slot = bucket_of(memory.fill_keys, key, 1)
    if memory.fill_keys[slot] == key:
        return memory.fill_lengths[slot]
    memory.counters[FILLS] += 1
    length, _ = longest_path(
        grid, head, words_of_board(grid, area), memory.path, memory.refuted_keys, memory.refuted_bounds, control
    )
    if control.stop == 0:
        memory.fill_keys[slot] = key
        memory.fill_lengths[slot] = length
    return length


@jit
def lead_of_fills(grid, my_area, me, his_area, him, goal, memory, control):
    """The sign of my steps less his, or as much of it as the goal asks: any number of the same side of it."""
    memory.counters[SEPARATED] += 1
    least, most = least_and_most(grid, me, my_area, memory)
    his_least, his_most = least_and_most(grid, him, his_area, memory)
    low, high = least - his_most, most - his_least
    if low > 0 or high < 0 or (low == 0 and (high == 0 or goal == 0)) or (high == 0 and goal == 1):
        return np.sign(low if low >= 0 else high)
    if least < most:
        least = exact_fill(grid, me, my_area, memory, control)
    if his_least < his_most:
        his_least = exact_fill(grid, him, his_area, memory, control)
    return np.sign(least - his_least)
