"""The way from a key to the row that has it: a hash table whose slots hold rows' numbers alone.

A slot has 32 bits: a row's number, counted from 1, and above it, in the bits that no number needs, a part of the key's hash, so that few
other keys are looked at. 0 is an empty slot. Slots are probed one after the other from the key's home (linear probing), and there may be
any number of them: the home is as far from the first slot as the hash is from 0. Nothing is ever replaced. Several threads may enter rows
and look for them at the same time.
"""

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit, jit_part, mix, prefetch, read_again, run, set_if_zero

MOST_SLOTS = (1 << 32) - 1
"""More could not be numbered."""
_FULL, _OF = 4, 5
"""So many slots of so many may be taken in a large table."""
_FEW = 1 << 18
"""Up to so many rows have two slots each: there memory matters less than time."""
_AHEAD = 12
"""Rows whose slots are fetched while others are entered."""
_LOW = 0xFFFFFFFF


@jit_part
def hash_of_key(key, width):
    """A hash of packed words."""
    found = mix(key[0])
    for k in range(1, width):
        found = mix(found + key[k])
    return found


@jit_part
def home(hashed, slots):
    """Where the search for a key with this hash begins."""
    return np.int64((hashed >> np.uint64(32)) * np.uint64(len(slots)) >> np.uint64(32))


@jit_part
def number_mask(slots):
    """The bits of a slot that a row's number may need."""
    mask = np.uint64(len(slots))
    mask |= mask >> np.uint64(1)
    mask |= mask >> np.uint64(2)
    mask |= mask >> np.uint64(4)
    mask |= mask >> np.uint64(8)
    return mask | mask >> np.uint64(16)


@jit_part
def is_row_of(row, key, width, rows):
    """Whether a row has this key."""
    start = row * (width + 1)
    same = rows[start] == key[0]
    for k in range(1, width):
        if rows[start + k] != key[k]:
            same = False
    return same


@jit_part
def find(key, width, hashed, rows, slots):
    """The row of the position with this key, or -1."""
    numbers, at = number_mask(slots), home(hashed, slots)
    others = np.uint64(_LOW) & ~numbers
    slot = np.uint64(read_again(slots, at))
    while slot != np.uint64(0):
        if (slot ^ hashed) & others == np.uint64(0):
            row = np.int64(slot & numbers) - 1
            if is_row_of(row, key, width, rows):
                return row
        at += 1
        if at == len(slots):
            at = np.int64(0)
        slot = np.uint64(read_again(slots, at))
    return np.int64(-1)


@jit_part
def enter_slot(key, width, hashed, row, rows, slots):
    """Let a slot lead to a row that is written; returns -1, or the row of the same position where another thread was faster."""
    numbers, at = number_mask(slots), home(hashed, slots)
    others = np.uint64(_LOW) & ~numbers
    entry = np.uint32(hashed & others | np.uint64(row + 1))
    while True:
        slot = np.uint64(read_again(slots, at))
        if slot == np.uint64(0):
            slot = np.uint64(set_if_zero(slots, at, entry))
            if slot == np.uint64(0):
                return np.int64(-1)
        if (slot ^ hashed) & others == np.uint64(0):
            other = np.int64(slot & numbers) - 1
            if is_row_of(other, key, width, rows):
                return other
        at += 1
        if at == len(slots):
            at = np.int64(0)


@jit_part
def row_with(key, width, rows, slots):
    """The row of the position with this key, or -1."""
    return find(key, width, hash_of_key(key, width), rows, slots)


@jit_part
def enter(key, width, rows, heights, slots, used):
    """(the row of the position with this key, how many rows there are now); row -1: there is no room for one more."""
    hashed = hash_of_key(key, width)
    row = find(key, width, hashed, rows, slots)
    if row >= 0:
        return row, used
    if used == len(heights):
        return np.int64(-1), used
    for k in range(width):
        rows[used * (width + 1) + k] = key[k]
    heights[used] = 1
    enter_slot(key, width, hashed, used, rows, slots)
    return np.int64(used), used + 1


@jit
def fill_slots(rows, heights, used, width, slots):
    """Let empty slots lead to all rows; one without a height is none, but where no heights are given. Returns how many are there twice."""
    twice = 0
    for row in range(used):
        if row + _AHEAD < used:
            prefetch(slots, home(hash_of_key(rows[(row + _AHEAD) * (width + 1) :], width), slots))
        if len(heights) == 0 or heights[row] != 0:
            key = rows[row * (width + 1) :]
            if enter_slot(key, width, hash_of_key(key, width), row, rows, slots) >= 0:
                twice += 1
    return twice


def slots_for(count: int) -> NDArray[np.uint32]:
    """Empty slots for so many rows."""
    return np.zeros(slot_count(count), np.uint32)


def slot_count(count: int) -> int:
    """How many slots so many rows have: a fifth of them stays empty, at least."""
    return 2 * count + 1 if count <= _FEW else -(-_OF * count // _FULL) + 1


def slots_of(rows: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Slots that lead to all rows of an array, of shape (rows, width + 1)."""
    slots = slots_for(len(rows))
    run(fill_slots, rows.reshape(-1), np.zeros(0, np.uint8), len(rows), rows.shape[1] - 1, slots)
    return slots
