"""Hash tables of a fixed size: their memory, in buckets of entries that lie beside each other, and the bucket of a key.

The lowest bit of a key is 1, so that no key is 0, which marks an empty entry; the bits above it tell the bucket. What an entry holds, and
which one gives way, is each table's own.
"""

from typing import Any

import numpy as np

from .compiled import PLAIN_PYTHON, jit_inline

_ALIGNED = 128
"""Bytes: two neighbouring cache lines, which processors fetch together."""


def empty_table(entry: Any, size: int, megabytes: float) -> Any:
    """An empty table of at most that size, and at least one bucket: a power of two of buckets with `size` entries of this NumPy type."""
    itemsize = np.dtype(entry).itemsize
    entries = size << max(0, int(megabytes * 2**20 / (size * itemsize)).bit_length() - 1)
    memory = np.empty(entries * itemsize + _ALIGNED, np.uint8)
    memory[:] = 0  # touches every page now, not in the middle of a search
    start = -memory.ctypes.data % _ALIGNED
    table = memory[start : start + entries * itemsize].view(entry)
    return table.view(np.recarray) if PLAIN_PYTHON else table


@jit_inline
def bucket_of(table, key, size):
    """The first place of a key's bucket of so many entries, a power of two."""
    return np.int64((key >> np.uint64(1)) * np.uint64(size) & np.uint64(len(table) - size))
