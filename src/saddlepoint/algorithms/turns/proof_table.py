"""The table of proof-number search: how far each position is from being proven and from being disproven."""

from typing import Any

import numpy as np

from ...compiled import PLAIN_PYTHON, jit_inline

ENTRY = np.dtype([("key", "u8"), ("proof", "u4"), ("disproof", "u4"), ("work", "u8")])

INFINITE = 2**31
"""The proof number of what cannot be proven."""


def new_proof_table(megabytes: float) -> Any:
    """An empty table of at most that size, two entries a bucket, a power of two of buckets."""
    entries = 2 << max(0, int(megabytes * 2**20 / ENTRY.itemsize / 2).bit_length() - 1)
    table = np.zeros(entries, ENTRY)
    table["key"] = 0  # touches every page now, not in the middle of a search
    return table.view(np.recarray) if PLAIN_PYTHON else table


@jit_inline
def numbers_of(table, key):
    """(found, proof number, disproof number) of a position."""
    first = np.int64(key & np.uint64(len(table) // 2 - 1)) * 2
    for slot in range(first, first + 2):
        if table[slot].key == key:
            return True, np.int64(table[slot].proof), np.int64(table[slot].disproof)
    return False, np.int64(1), np.int64(1)


@jit_inline
def keep_numbers(table, key, proof, disproof, work):
    """Store a position's numbers; the first place of a bucket is for what took more work, the second for anything."""
    first = np.int64(key & np.uint64(len(table) // 2 - 1)) * 2
    slot = first + 1
    if table[slot].key != key and (table[first].key == key or table[first].work <= np.uint64(work)):
        slot = first
    entry = table[slot]
    entry.key = key
    entry.proof = min(proof, INFINITE)
    entry.disproof = min(disproof, INFINITE)
    entry.work = work
