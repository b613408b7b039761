"""Transposition tables: fixed memory, one entry a slot, replaced by the newer search or the deeper entry."""

from typing import Any

import numpy as np

from ..compiled import PLAIN_PYTHON, jit_inline, mix

ENTRY = np.dtype(
    [
        ("key", "u8"), ("lower", "f8"), ("upper", "f8"), ("depth", "i4"), ("action0", "i2"), ("action1", "i2"),
        ("proven", "u1"), ("age", "u1"),
    ],
    align=True,
)  # fmt: skip


def new_table(entries: int) -> Any:
    """An empty table of at least `entries` slots (a power of two); a slot takes 40 bytes."""
    table = np.zeros(1 << max(0, entries - 1).bit_length(), ENTRY)
    table["depth"] = -1  # touches every page now, not in the middle of a search
    return table.view(np.recarray) if PLAIN_PYTHON else table


@jit_inline
def table_key(hash_, salt):
    """The key of a position for one kind of search; never 0, which marks an empty slot."""
    return mix(hash_ + np.uint64(salt) * np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)


@jit_inline
def slot_of(table, key):
    """The index of a key's slot."""
    return np.int64((key >> np.uint64(1)) & np.uint64(len(table) - 1))


@jit_inline
def usable(table, slot, key, depth):
    """Whether the slot holds this position for this remaining depth (a proven entry holds for every depth)."""
    return table[slot].key == key and (table[slot].depth == depth or table[slot].proven != 0)


@jit_inline
def store(table, key, depth, lower, upper, action0, action1, proven, age):
    """Keep bounds of a position's value; an entry of this search that looked deeper stays. Nothing under the key 0."""
    if key == np.uint64(0):
        return
    entry = table[slot_of(table, key)]
    if entry.key == key and entry.depth == depth and entry.proven == proven:
        entry.lower = max(entry.lower, lower)
        entry.upper = min(entry.upper, upper)
        if entry.lower > entry.upper:  # rounding, or a collision: trust the newer
            entry.lower = lower
            entry.upper = upper
    elif entry.key == 0 or entry.key == key or entry.age != age or entry.depth <= depth:
        entry.key = key
        entry.depth = depth
        entry.lower = lower
        entry.upper = upper
    else:
        return
    entry.action0 = action0
    entry.action1 = action1
    entry.proven = proven
    entry.age = age
