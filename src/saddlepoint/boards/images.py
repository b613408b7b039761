"""What a grid's motions make of cells, sets of cells and directions, in compiled code; `motions` is the same for Python.

A motion is a number from 0, the identity: bit 2 transposes, which comes first, bit 0 flips x, bit 1 flips y.
"""

import numpy as np

from ..compiled import jit, jit_inline, with_item
from .grid import has_bit

FLIP_X, FLIP_Y, TRANSPOSE = 1, 2, 4

_LANE = 8
_SPACED_BY_7, _SPACED_BY_14, _SPACED_BY_28 = np.uint64(0x00AA00AA00AA00AA), np.uint64(0x0000CCCC0000CCCC), np.uint64(0xF0F0F0F0)
_ODD_BITS, _ODD_PAIRS, _LOW_HALVES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_ODD_BYTES, _ODD_DOUBLES = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@jit_inline
def motion_count(grid):
    """Eight motions of a square field, else four."""
    return 8 if grid.width == grid.height else 4


@jit_inline
def image_of_cell(grid, cell, motion):
    """Where a cell goes; -1, no cell, stays."""
    if cell < 0:
        return cell
    x, y = cell & (grid.stride - 1), cell // grid.stride
    if motion & TRANSPOSE:
        x, y = y, x
    if motion & FLIP_X:
        x = grid.width - 1 - x
    if motion & FLIP_Y:
        y = grid.height - 1 - y
    return y * grid.stride + x


@jit_inline
def image_of_direction(direction, motion):
    """What becomes of up, right, down or left (0 to 3)."""
    if motion & TRANSPOSE:
        direction = 3 - direction
    return direction ^ 2 if motion & (FLIP_X if direction & 1 else FLIP_Y) else direction


@jit
def image_of_cells(grid, words, motion):
    """Where a set of cells goes in which all bits outside the field are set, which stay."""
    if motion == 0:
        return words
    if grid.stride == _LANE and len(words) == 1:
        return with_item(words, 0, _image_of_word(words[0], grid.width, grid.height, motion))
    found, stride = words, grid.stride
    # Any motion takes two cells to each other, or is undone by the one with flips exchanged.
    undoing = motion if not motion & TRANSPOSE else TRANSPOSE | (motion & FLIP_X) << 1 | (motion & FLIP_Y) >> 1
    for k in range(len(words)):
        word = _ALL
        for place in range(64):
            x, y = (64 * k + place) % stride, (64 * k + place) // stride
            if x < grid.width and y < grid.height and not has_bit(words, image_of_cell(grid, y * stride + x, undoing)):
                word ^= np.uint64(1) << np.uint64(place)
        found = with_item(found, k, word)
    return found


@jit_inline
def _image_of_word(word, width, height, motion):
    """Of a field of lanes of 8 bits in one word: a few shifts."""
    row = np.uint64((1 << width) - 1)
    field = row | row << np.uint64(8)
    field |= field << np.uint64(16)
    field |= field << np.uint64(32)
    field &= _ALL >> np.uint64(64 - _LANE * height)
    word &= field
    if motion & TRANSPOSE:
        swapped = (word ^ (word >> np.uint64(7))) & _SPACED_BY_7
        word ^= swapped ^ (swapped << np.uint64(7))
        swapped = (word ^ (word >> np.uint64(14))) & _SPACED_BY_14
        word ^= swapped ^ (swapped << np.uint64(14))
        swapped = (word ^ (word >> np.uint64(28))) & _SPACED_BY_28
        word ^= swapped ^ (swapped << np.uint64(28))
    if motion & FLIP_X:
        word = ((word >> np.uint64(1)) & _ODD_BITS) | ((word & _ODD_BITS) << np.uint64(1))
        word = ((word >> np.uint64(2)) & _ODD_PAIRS) | ((word & _ODD_PAIRS) << np.uint64(2))
        word = ((word >> np.uint64(4)) & _LOW_HALVES) | ((word & _LOW_HALVES) << np.uint64(4))
        word >>= np.uint64(_LANE - width)
    if motion & FLIP_Y:
        word = ((word >> np.uint64(8)) & _ODD_BYTES) | ((word & _ODD_BYTES) << np.uint64(8))
        word = ((word >> np.uint64(16)) & _ODD_DOUBLES) | ((word & _ODD_DOUBLES) << np.uint64(16))
        word = (word >> np.uint64(32)) | (word << np.uint64(32))
        word >>= np.uint64(64 - _LANE * height)
    return word | ~field


@jit_inline
def least_heads(grid, head0, head1):
    """Which images of two heads lie on the least cells, the first head's before the second's: bit 2 * motion + 1 with them exchanged.

    One bit, mostly: who looks for the least image of a position has to move its walls once.
    """
    x0, y0, x1, y1 = head0 & (grid.stride - 1), head0 // grid.stride, head1 & (grid.stride - 1), head1 // grid.stride
    least, found = 1 << 30, 0
    for motion in range(motion_count(grid)):
        a, b, c, d = x0, y0, x1, y1
        if motion & TRANSPOSE:
            a, b, c, d = b, a, d, c
        if motion & FLIP_X:
            a, c = grid.width - 1 - a, grid.width - 1 - c
        if motion & FLIP_Y:
            b, d = grid.height - 1 - b, grid.height - 1 - d
        first, second = b * grid.stride + a, d * grid.stride + c
        for swapped in range(2):
            code = second << 10 | first if swapped == 1 else first << 10 | second
            if code < least:
                least, found = code, 0
            if code == least:
                found |= 1 << (2 * motion + swapped)
    return found
