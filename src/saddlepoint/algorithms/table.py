"""Transposition tables of fixed memory: entries of 32 bytes, replaced by the newer search or the deeper entry.

A key has a slot of its own. Exact searches, which look for a game's end without a limit, use the slots beside it too (`ws.buckets`), four
on two neighbouring cache lines: of the four an empty one is taken, then one of an earlier search, then the one that looked the least
deep, so that what is newest is always kept. Otherwise, of two positions with the same slot one would be solved every time that it is
met. Players' searches keep to the one slot.
"""

from typing import Any

import numpy as np

from ..compiled import jit_inline, mix
from ..hash_table import bucket_of, empty_table

ENTRY = np.dtype(
    [
        ("key", "u8"), ("lower", "f8"), ("upper", "f8"), ("depth", "i2"), ("action0", "i2"), ("action1", "i2"),
        ("proven", "u1"), ("age", "u1"),
    ],
    align=True,
)  # fmt: skip
BUCKET = 4
SAMPLED = 1024
"""Positions of a search of which it is counted how often they are solved."""
_SHARE_OF_KEYS = 15
"""As a mask: only such a share of the keys is looked at, so that not all are from the search's first moments."""


def new_table(entries: int, ahead: bool = True) -> Any:
    """An empty table of at least `entries` slots (a power of two, and a bucket); a slot takes 32 bytes. `ahead` as in `empty_bytes`."""
    return empty_table(ENTRY, BUCKET, (ENTRY.itemsize << max(0, entries - 1).bit_length()) / 2**20, ahead)


@jit_inline
def table_key(hash_, salt):
    """The key of a position for one kind of search; never 0, which marks an empty slot."""
    return mix(hash_ + np.uint64(salt) * np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)


@jit_inline
def slot_of(table, key, buckets):
    """The slot that holds a key, or the key's own; with `buckets` it may be in any of its bucket."""
    slot = bucket_of(table, key, 1)
    if buckets and table[slot].key != key:
        for k in range(1, BUCKET):
            if table[slot ^ k].key == key:
                return slot ^ k
    return slot


@jit_inline
def usable(table, slot, key, depth):
    """Whether the slot holds this position for this remaining depth (a proven entry holds for every depth)."""
    return table[slot].key == key and (table[slot].depth == depth or table[slot].proven != 0)


@jit_inline
def replaced_slot(table, slot, age):
    """Of a bucket without the key the slot to take: an empty one, that of an earlier search, or the one that looked the least deep."""
    chosen, least = slot, np.int64(1 << 40)
    for k in range(BUCKET):
        entry = table[slot ^ k]
        depth = np.int64(-2) if entry.key == 0 else np.int64(-1) if entry.age != age else np.int64(entry.depth)
        if depth < least:
            chosen, least = slot ^ k, depth
    return chosen


@jit_inline
def count_solved(key, ws):
    """Count a sampled position that is solved, and one that was solved before and has been lost since."""
    if (key >> np.uint64(60)) & np.uint64(_SHARE_OF_KEYS) == 0:
        at = np.int64((key >> np.uint64(48)) & np.uint64(SAMPLED - 1))
        if ws.sampled[at] == 0:
            ws.sampled[at] = key
            ws.solved_once += 1
        elif ws.sampled[at] == key:
            ws.solved_again += 1


@jit_inline
def store(table, key, depth, lower, upper, action0, action1, proven, ws):
    """Keep bounds of a position's value; an entry of this search that looked deeper stays. Nothing under the key 0."""
    if key == np.uint64(0):
        return
    age, slot = ws.age, slot_of(table, key, ws.buckets)
    if ws.buckets and table[slot].key != key:
        count_solved(key, ws)
        slot = replaced_slot(table, slot, age)
    entry = table[slot]
    if entry.key == key and entry.depth == depth and entry.proven == proven:
        entry.lower = max(entry.lower, lower)
        entry.upper = min(entry.upper, upper)
        if entry.lower > entry.upper:  # rounding, or a collision: trust the newer
            entry.lower = lower
            entry.upper = upper
    elif ws.buckets or entry.key == 0 or entry.key == key or entry.age != age or entry.depth <= depth:
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
