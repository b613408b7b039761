"""Bit operations on 64-bit words, mostly one machine instruction when compiled, and hash tables of such
buckets.
"""

import mmap
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from .cache import jit_inline
from .rules import PLAIN_PYTHON, compiled_as


def _instruction(result: Any, kind: Any, emit: Callable[[Any, Any], Any]) -> Any:
    """The function that `compiled_as` takes, for one instruction on one number."""

    def code(typingctx: Any, number: Any) -> Any:
        return result(kind), lambda context, builder, signature, args: emit(builder, args[0])

    return code


@compiled_as(_instruction(types.int64, types.uint64, lambda builder, word: builder.ctpop(word)))
def popcount(word: Any) -> int:
    """Number of set bits of an unsigned 64-bit word."""
    return int(word).bit_count()


@compiled_as(
    _instruction(types.int64, types.uint64, lambda builder, word: builder.cttz(word, cgutils.false_bit))
)
def trailing_zeros(word: Any) -> int:
    """Index of the lowest set bit; 64 for zero."""
    value = int(word)
    return (value & -value).bit_length() - 1 if value else 64


@compiled_as(
    _instruction(types.uint64, types.float64, lambda builder, value: builder.bitcast(value, ir.IntType(64)))
)
def float_bits(value: Any) -> np.uint64:
    """The 64 bits of a float as a word."""
    return np.float64(value).view(np.uint64)


def _fold_code(typingctx: Any, first: Any, second: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.xor(builder.trunc(product, word), builder.trunc(builder.lshr(product, wide(64)), word))

    return types.uint64(types.uint64, types.uint64), codegen


@compiled_as(_fold_code)
def fold(first: Any, second: Any) -> np.uint64:
    """The two halves of the words' product of 128 bits, one exclusive-or the other: two words mixed by one multiplication.

    It is 0 where either word is: add constants to what may be.
    """
    product = int(first) * int(second)
    return np.uint64(product >> 64 ^ product & (1 << 64) - 1)


@jit_inline
def bit(index: int) -> np.uint64:
    """The word with only that bit set, 0 <= index < 64."""
    return np.uint64(1) << np.uint64(index)


@jit_inline
def mix(word: np.uint64) -> np.uint64:
    """SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection that spreads every bit over the word."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


# Hash tables of a fixed size: their memory, in buckets of entries that lie beside each other, and the bucket of a key.
#
# The lowest bit of a key is 1, so that no key is 0, which marks an empty entry; the bits above it tell the bucket. What an entry holds, and
# which one gives way, is each table's own.

_ALIGNED = 128
"""Bytes: two neighbouring cache lines, which processors fetch together."""


# A process that is forked has a copy of its own. (Windows has neither the flags nor forks.)
_OWN = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def empty_bytes(count: int, ahead: bool) -> Any:
    """So many zeros; `ahead`: the system gives the memory now, not page by page in the middle of a search."""
    if not ahead:
        # Not np.zeros: what the C library hands out a second time it has to clear, and so takes it from the system whole.
        return np.frombuffer(mmap.mmap(-1, count, **_OWN), np.uint8)
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
