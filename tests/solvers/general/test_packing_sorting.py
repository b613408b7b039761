"""Rows put in order where they are: the same as NumPy's sorted copies."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from saddlepoint.compiled import run
from saddlepoint.solvers.general.packing import close_up, inverse, order_by_height, sort_by_words

pytestmark = pytest.mark.plain


def drawn_rows(seed: int, count: int, width: int, bits: int, kind: Any = np.uint8) -> tuple[Any, Any]:
    """Different rows whose words have so many random bits, at random places, and their heights."""
    rng = np.random.default_rng(seed)
    mask = np.uint64(sum(1 << int(k) for k in rng.choice(64, bits, replace=False)))
    words = np.unique(rng.integers(0, 1 << 64, (count, width), np.uint64) & mask, axis=0)
    rng.shuffle(words)
    values = rng.integers(0, 1 << 64, (len(words), 1), np.uint64)
    return np.hstack([words, values]), rng.integers(1, 1 + np.iinfo(kind).max, len(words)).astype(kind)


@pytest.mark.parametrize("width", [1, 2, 3])
@given(seed=st.integers(0, 10**6), count=st.integers(0, 400), bits=st.integers(1, 64))
def test_rows_are_sorted_word_by_word_with_their_values_and_heights(
    width: int, seed: int, count: int, bits: int
) -> None:
    rows, heights = drawn_rows(seed, count, width, bits)
    expected = np.lexsort(rows[:, -2::-1].T)
    sorted_, high = rows.copy(), heights.copy()
    sort_by_words(sorted_.reshape(-1), high, len(rows), width)
    assert np.array_equal(sorted_, rows[expected])
    assert np.array_equal(high, heights[expected])


@given(seed=st.integers(0, 10**6), count=st.integers(1, 300))
def test_rows_that_hold_nothing_are_left_out(seed: int, count: int) -> None:
    rows, heights = drawn_rows(seed, count, 1, 40, np.uint16)
    heights[np.random.default_rng(seed).random(len(heights)) < 0.3] = 0
    held, moved, high = heights != 0, rows.copy(), heights.copy()
    kept = run(close_up, moved.reshape(-1), high, len(rows), 1)
    assert np.array_equal(moved[:kept], rows[held])
    assert np.array_equal(high[:kept], heights[held])
    assert not high[kept:].any()


@given(heights=st.lists(st.integers(1, 9) | st.integers(1, 70_000), max_size=200))
def test_the_order_is_by_height_and_then_as_they_are(heights: list[int]) -> None:
    array = np.array(heights, np.uint32)
    order = order_by_height(array)
    assert np.array_equal(np.argsort(array, kind="stable"), inverse(order))
    assert np.array_equal(inverse(inverse(order)), order)
