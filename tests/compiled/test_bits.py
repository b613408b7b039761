"""Bit tricks against Python's integers, compiled and called from Python."""

import struct

import numpy as np
import pytest
from hypothesis import given, strategies as st

from saddlepoint.boards.grid import has_bit, int_of, with_bit, words_of
from saddlepoint.compiled import bit, float_bits, fold, jit, mix, popcount, trailing_zeros

pytestmark = pytest.mark.plain
WORD = st.integers(0, 2**64 - 1)


@jit
def facts(word, index):
    return popcount(word), trailing_zeros(word), bit(index), mix(word)


@jit
def folded(first, second):
    return fold(first, second)


@given(WORD, WORD)
def test_the_halves_of_a_product_folded(first, second):
    high, low = divmod(first * second, 2**64)
    assert (
        int(folded(np.uint64(first), np.uint64(second)))
        == int(fold(np.uint64(first), np.uint64(second)))
        == high ^ low
    )


@jit
def has(words, cell):
    return has_bit(words, cell)


@jit
def with_(words, cell):
    return with_bit(words, cell)


@jit
def word_of(value):
    return float_bits(value)


@given(st.floats())
def test_the_bits_of_a_float_are_its_ieee_word(value):
    (word,) = struct.unpack("<Q", struct.pack("<d", value))
    assert int(word_of(value)) == int(float_bits(value)) == word


def splitmix64(z: int) -> int:
    """The finaliser as published (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)."""
    full = 2**64 - 1
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & full
    z = (z ^ z >> 27) * 0x94D049BB133111EB & full
    return z ^ z >> 31


@given(WORD, st.integers(0, 63))
def test_words(word, index):
    with np.errstate(over="ignore"):
        ones, zeros, single, mixed = facts(np.uint64(word), index)
    assert ones == popcount(np.uint64(word)) == bin(word).count("1")
    assert (
        zeros
        == trailing_zeros(np.uint64(word))
        == (len(bin(word)) - len(bin(word).rstrip("0")) if word else 64)
    )
    assert int(single) == 1 << index
    assert int(mixed) == splitmix64(word)


@pytest.mark.parametrize(
    "count",
    [
        1,
        2,
        5,
        *(
            pytest.param(count, marks=pytest.mark.compiles_long)
            for count in range(1, 17)
            if count not in (1, 2, 5)
        ),
    ],
)
def test_bits_of_boards(count):
    rng = np.random.default_rng(count)
    for _ in range(40):
        bits = int.from_bytes(rng.bytes(8 * count), "little")
        words = tuple(map(np.uint64, words_of(bits, count)))
        assert int_of(words) == bits
        for cell in {0, 63, 64 * count - 1, *rng.integers(0, 64 * count, 6).tolist()}:
            assert bool(has(words, cell)) == has_bit(words, cell) == bool(bits >> cell & 1)
            assert int_of(with_(words, cell)) == int_of(with_bit(words, cell)) == bits | 1 << cell
