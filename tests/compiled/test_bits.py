"""Bit tricks against Python's integers, compiled and called from Python."""

import struct

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from saddlepoint.boards.grid import has_bit, int_of, with_bit, words_of
from saddlepoint.compiled import bit, float_bits, fold, jit, mix, popcount, trailing_zeros

pytestmark = pytest.mark.plain
WORD = st.integers(0, 2**64 - 1)


def facts(word, other, index, value):
    return (
        popcount(word),
        trailing_zeros(word),
        bit(index),
        mix(word),
        fold(word, other),
        float_bits(value),
    )


compiled_facts = jit(facts)


@jit
def has(words, cell):
    return has_bit(words, cell)


@jit
def with_(words, cell):
    return with_bit(words, cell)


def splitmix64(z: int) -> int:
    """The finaliser as published (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)."""
    full = 2**64 - 1
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & full
    z = (z ^ z >> 27) * 0x94D049BB133111EB & full
    return z ^ z >> 31


@given(WORD, WORD, st.integers(0, 63), st.floats())
@example(2**63 + 5, 2**62 + 7, 63, -1.5)
def test_words_compiled_and_called_from_python(word, other, index, value):
    asked = np.uint64(word), np.uint64(other), index, value
    zeros = len(bin(word)) - len(bin(word).rstrip("0")) if word else 64
    high, low = divmod(word * other, 2**64)
    (written,) = struct.unpack("<Q", struct.pack("<d", value))  # the IEEE word of a float
    expected = [bin(word).count("1"), zeros, 1 << index, splitmix64(word), high ^ low, written]
    with np.errstate(over="ignore"):
        assert list(map(int, facts(*asked))) == list(map(int, compiled_facts(*asked))) == expected


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
