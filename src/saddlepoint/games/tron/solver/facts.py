"""What was proven of positions: bounds of their values in a table of fixed size, under keys that tell them apart bit by bit.

A row is the position's key (its words and its heads), then as floats both bounds, how much work it was, and which walks were tried.
"""

from typing import Any

import numpy as np

from ....compiled import jit_inline, mix

_BUCKET = 4


def new_facts(words: int, megabytes: float) -> Any:
    """An empty table of at most that size: uint64 (rows, words + 5); a bucket is `_BUCKET` rows that follow each other."""
    rows = 1 << max(3, int(megabytes * 2**20 / (8 * (words + 5))).bit_length() - 1)
    facts = np.zeros((rows, words + 5), np.uint64)
    facts[:] = 0  # touches every page now, not in the middle of a search
    return facts


@jit_inline
def bucket_of(facts, key):
    """The first row in which the key may be."""
    found = np.uint64(0x9E3779B97F4A7C15)
    for k in range(len(key)):
        found = mix(found ^ key[k]) + key[k]
    return np.int64(found & np.uint64(len(facts) // _BUCKET - 1)) * _BUCKET


@jit_inline
def row_of(facts, key, bucket):
    """The row that holds the key; -1 where none does. No key has a zero at its end."""
    last = len(key) - 1
    for row in range(bucket, bucket + _BUCKET):
        if facts[row, last] == key[last]:
            same = True
            for k in range(last):
                same = same and facts[row, k] == key[k]
            if same:
                return row
    return -1


@jit_inline
def keep_fact(facts, bounds, key, bucket, lower, upper, work, walked):
    """Write down the bounds of a position; it may take the place of one that was less work."""
    words = len(key)
    row = row_of(facts, key, bucket)
    if row < 0:
        row = bucket
        for other in range(bucket, bucket + _BUCKET):
            if bounds[other, words + 2] < bounds[row, words + 2]:
                row = other
        for k in range(words):
            facts[row, k] = key[k]
        bounds[row, words + 2] = 0.0
    bounds[row, words], bounds[row, words + 1] = lower, upper
    bounds[row, words + 2] += work
    bounds[row, words + 3] = float(walked)
