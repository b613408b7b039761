"""The table of proof-number search: how far each position is from being proven and from being disproven."""

import numpy as np

from ...compiled import jit_inline
from ...hash_table import bucket_of

ENTRY = np.dtype([("key", "u8"), ("proof", "u4"), ("disproof", "u4"), ("work", "u8")])
BUCKET = 2

INFINITE = 2**31
"""The proof number of what cannot be proven."""


@jit_inline
def numbers_of(table, key):
    """(found, proof number, disproof number) of a position."""
    first = bucket_of(table, key, BUCKET)
    for slot in range(first, first + BUCKET):
        if table[slot].key == key:
            return True, np.int64(table[slot].proof), np.int64(table[slot].disproof)
    return False, np.int64(1), np.int64(1)


@jit_inline
def keep_numbers(table, key, proof, disproof, work):
    """Store a position's numbers; the first place of a bucket is for what took more work, the second for anything."""
    first = bucket_of(table, key, BUCKET)
    slot = first + 1
    if table[slot].key != key and (table[first].key == key or table[first].work <= np.uint64(work)):
        slot = first
    entry = table[slot]
    entry.key = key
    entry.proof = min(proof, INFINITE)
    entry.disproof = min(disproof, INFINITE)
    entry.work = work
