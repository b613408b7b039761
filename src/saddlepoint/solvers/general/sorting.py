"""The rows of a table put in order where they are: sorted by their packed words, in no more memory than they have."""

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit, jit_part, run

_FEW = 24
"""So few rows are sorted one by one."""
_DIGITS = 256


@jit
def close_up(rows, heights, used, width):
    """Move rows up to where one without a height holds nothing; returns how many there are. Whatever was left has no height."""
    kept = 0
    for row in range(used):
        if heights[row] != 0:
            if kept != row:
                for k in range(width + 1):
                    rows[kept * (width + 1) + k] = rows[row * (width + 1) + k]
                heights[kept], heights[row] = heights[row], 0
            kept += 1
    return kept


@jit_part
def exchange(rows, heights, one, other, stride):
    """Let two rows change places."""
    for k in range(stride):
        word = rows[one * stride + k]
        rows[one * stride + k] = rows[other * stride + k]
        rows[other * stride + k] = word
    height = heights[one]
    heights[one] = heights[other]
    heights[other] = height


@jit_part
def sort_few(rows, heights, first, last, word, stride):
    """Sort some rows whose words before this one are equal, each to its place among those before it."""
    for row in range(first + 1, last):
        at = row
        while at > first:
            k = word
            while k < stride - 2 and rows[at * stride + k] == rows[(at - 1) * stride + k]:
                k += 1
            if rows[at * stride + k] >= rows[(at - 1) * stride + k]:
                break
            exchange(rows, heights, at - 1, at, stride)
            at -= 1


@jit
def sort_rows(rows, heights, count, width, waiting):
    """Sort so many rows, and their heights with them, by their packed words: radix sort in place, byte by byte from the first on.

    Rows with the same byte come together by exchanges alone (American flag sort: McIlroy, Bostic, McIlroy 1993), and are sorted by the
    next one later. waiting: shape (2048 * width, 3), memory for what is to be sorted later.
    """
    stride = width + 1
    begins, ends = np.empty(_DIGITS, np.int64), np.empty(_DIGITS, np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, count, 0
    left = 1
    while left > 0:
        left -= 1
        first, last, level = waiting[left, 0], waiting[left, 1], waiting[left, 2]
        word, shift = level >> 3, np.uint64(56 - 8 * (level & 7))
        if last - first <= _FEW:
            sort_few(rows, heights, first, last, word, stride)
            continue
        ends[:] = 0
        for row in range(first, last):
            ends[np.int64(rows[row * stride + word] >> shift & np.uint64(255))] += 1
        at = first
        for digit in range(_DIGITS):
            size = ends[digit]
            begins[digit], ends[digit] = at, at + size
            if size > 1 and level + 1 < 8 * width:
                waiting[left, 0], waiting[left, 1], waiting[left, 2] = at, at + size, level + 1
                left += 1
            at += size
        for digit in range(_DIGITS):
            while begins[digit] < ends[digit]:
                row = begins[digit]
                other = np.int64(rows[row * stride + word] >> shift & np.uint64(255))
                if other != digit:
                    exchange(rows, heights, row, begins[other], stride)
                begins[other] += 1


@jit
def fill_order(heights, starts, order):
    """Number all positions by their heights, those of one height as they come. starts: one more than the greatest height, of zeros."""
    for height in heights:
        starts[height] += 1
    before = 0
    for height in range(len(starts)):
        starts[height], before = before, before + starts[height]
    for place in range(len(heights)):
        order[place] = starts[heights[place]]
        starts[heights[place]] += 1


@jit
def fill_inverse(order, places):
    """Write where in the order each number is."""
    for place in range(len(order)):
        places[order[place]] = place


def sort_by_words(rows: NDArray[np.uint64], heights: NDArray[np.unsignedinteger], count: int, width: int) -> None:
    """Sort the first `count` rows, one after another in `rows`, by their packed words."""
    run(sort_rows, rows, heights, count, width, np.zeros((8 * _DIGITS * width, 3), np.int64))


def order_by_height(heights: NDArray[np.unsignedinteger]) -> NDArray[np.uint32]:
    """Each position's place when those nearer to the end come first, and those of one height as they are."""
    order = np.empty(len(heights), np.uint32)
    run(fill_order, heights, np.zeros(int(heights.max(initial=0)) + 1, np.int64), order)
    return order


def inverse(order: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Which position has each place: each is there once."""
    places = np.empty_like(order)
    run(fill_inverse, order, places)
    return places
