"""Hash tables of a fixed size: their memory, in buckets of entries that lie beside each other, and the bucket of a key.

The lowest bit of a key is 1, so that no key is 0, which marks an empty entry; the bits above it tell the bucket. What an entry holds, and
which one gives way, is each table's own.
"""

from typing import Any

import numpy as np

from . import PLAIN_PYTHON, jit_inline

_ALIGNED = 128
"""Bytes: two neighbouring cache lines, which processors fetch together."""


def empty_bytes(count: int, ahead: bool) -> Any:
    """So many zeros; `ahead`: the system gives the memory now, not page by page in the middle of a search."""
    if not ahead:
        return np.zeros(count, np.uint8)
    memory = np.empty(count, np.uint8)
    memory[:] = 0  # touches every page
    return memory


def empty_table(entry: Any, size: int, megabytes: float, ahead: bool = True) -> Any:
    """An empty table of at most that size, and at least one bucket: a power of two of buckets with `size` entries of this NumPy type.

    `ahead` as in `empty_bytes`.
    """
    itemsize = np.dtype(entry).itemsize
    entries = size << max(0, int(megabytes * 2**20 / (size * itemsize)).bit_length() - 1)
    memory = empty_bytes(entries * itemsize + _ALIGNED, ahead)
    start = -memory.ctypes.data % _ALIGNED
    table = memory[start : start + entries * itemsize].view(entry)
    return table.view(np.recarray) if PLAIN_PYTHON else table


@jit_inline
def bucket_of(table, key, size):
    """The first place of a key's bucket of `size` entries, a power of two."""
    return np.int64((key >> np.uint64(1)) * np.uint64(size) & np.uint64(len(table) - size))
