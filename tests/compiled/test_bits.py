"""Bit tricks against Python's integers; words that several threads write; tables of a fixed size."""

import struct
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from saddlepoint.boards.grid import has_bit, int_of, with_bit, words_of
from saddlepoint.compiled import (
    add_together,
    bit,
    float_bits,
    fold,
    jit,
    mix,
    popcount,
    read_again,
    run,
    set_if_zero,
    trailing_zeros,
)
from saddlepoint.compiled.bits import bucket_of, empty_table

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


# -- several threads -----------------------------------------------------------------------------------------------------

THREADS, STEPS = 4, 3000


@jit
def count_up(numbers, steps):
    for _ in range(steps):
        add_together(numbers, 1, 2)
    return read_again(numbers, 1)


@jit
def take_places(words, own):
    taken = 0
    for place in range(len(words)):
        if set_if_zero(words, place, np.uint64(own)) == np.uint64(0):
            taken += 1
    return taken


def test_sums_of_threads_lose_nothing():
    numbers = np.zeros(2, np.int64)
    run(count_up, numbers, 0)
    with ThreadPoolExecutor(THREADS) as pool:
        seen = list(pool.map(lambda _: run(count_up, numbers, STEPS), range(THREADS)))
    assert numbers.tolist() == [0, 2 * THREADS * STEPS] == [0, max(seen)]


def test_each_place_is_taken_by_one_thread():
    words = np.zeros(STEPS, np.uint64)
    run(take_places, words[:0], 1)
    with ThreadPoolExecutor(THREADS) as pool:
        taken = list(pool.map(lambda own: run(take_places, words, own + 1), range(THREADS)))
    assert sum(taken) == STEPS
    assert [int((words == own + 1).sum()) for own in range(THREADS)] == taken


def test_what_was_there_stays():
    words = np.array([7, 0], np.uint64)
    assert run(take_places, words, 9) == 1
    assert words.tolist() == [7, 9]


# -- tables --------------------------------------------------------------------------------------------------------------

ENTRY = np.dtype([("key", "u8"), ("what", "u8")])


@jit
def first_of(table, key, size):
    return bucket_of(table, key, size)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_odd_keys_lead_to_every_bucket_alike(size):
    table = empty_table(ENTRY, size, 32 * 16 / 2**20)
    assert len(table) == 32
    firsts = [int(run(first_of, table, np.uint64(2 * k + 1), size)) for k in range(2 * len(table) // size)]
    assert sorted(firsts) == sorted(2 * list(range(0, len(table), size)))


@pytest.mark.parametrize(("megabytes", "entries"), [(0.0, 4), (1.0, 2**16), (1.9, 2**16), (2.0, 2**17)])
def test_a_table_is_no_larger_than_asked_for_but_has_a_bucket(megabytes, entries):
    table = empty_table(ENTRY, 4, megabytes)
    assert (len(table), table.ctypes.data % 128, int(table["key"].sum())) == (entries, 0, 0)
