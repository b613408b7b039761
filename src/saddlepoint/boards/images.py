"""Symmetries of boards, and memory for walks over them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..compiled import PLAIN_PYTHON, compiled_as, jit, jit_inline, with_item
from .bitboard import board_type
from .grid import Grid, has_bit, int_of

FLIP_X, FLIP_Y, TRANSPOSE = 1, 2, 4

_LANE = 8
_SPACED_BY_7, _SPACED_BY_14, _SPACED_BY_28 = (
    np.uint64(0x00AA00AA00AA00AA),
    np.uint64(0x0000CCCC0000CCCC),
    np.uint64(0xF0F0F0F0),
)
_ODD_BITS, _ODD_PAIRS, _LOW_HALVES = (
    np.uint64(0x5555555555555555),
    np.uint64(0x3333333333333333),
    np.uint64(0x0F0F0F0F0F0F0F0F),
)
_ODD_BYTES, _ODD_DOUBLES = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@jit_inline
def image_of_cell(grid, cell, motion):
    """The image of a cell; -1, no cell, stays."""
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
    """The image of a direction (0 to 3: up, right, down, left)."""
    if motion & TRANSPOSE:
        direction = 3 - direction
    return direction ^ 2 if motion & (FLIP_X if direction & 1 else FLIP_Y) else direction


@jit
def image_of_cells(grid, words, motion):
    """The image of a set of cells in which all bits outside the field are set, which stay."""
    if motion == 0:
        return words
    if grid.stride == _LANE and len(words) == 1:
        return with_item(words, 0, _image_of_word(words[0], grid.width, grid.height, motion))
    found, stride = words, grid.stride
    # Any motion takes two cells to each other, or is undone by the one with flips exchanged.
    undoing = (
        motion if not motion & TRANSPOSE else TRANSPOSE | (motion & FLIP_X) << 1 | (motion & FLIP_Y) >> 1
    )
    for k in range(len(words)):
        word = _ALL
        for place in range(64):
            x, y = (64 * k + place) % stride, (64 * k + place) // stride
            if (
                x < grid.width
                and y < grid.height
                and not has_bit(words, image_of_cell(grid, y * stride + x, undoing))
            ):
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
        word = transposed(word)
    if motion & FLIP_X:
        word = columns_reversed(word, width)
    if motion & FLIP_Y:
        word = rows_reversed(word, height)
    return word | ~field


@jit_inline
def transposed(word):
    """Rows for columns, of cells in one word with a row of a byte."""
    swapped = (word ^ (word >> np.uint64(7))) & _SPACED_BY_7
    word ^= swapped ^ (swapped << np.uint64(7))
    swapped = (word ^ (word >> np.uint64(14))) & _SPACED_BY_14
    word ^= swapped ^ (swapped << np.uint64(14))
    swapped = (word ^ (word >> np.uint64(28))) & _SPACED_BY_28
    return word ^ swapped ^ (swapped << np.uint64(28))


@jit_inline
def columns_reversed(word, width):
    """The columns in the opposite order, of such cells."""
    word = ((word >> np.uint64(1)) & _ODD_BITS) | ((word & _ODD_BITS) << np.uint64(1))
    word = ((word >> np.uint64(2)) & _ODD_PAIRS) | ((word & _ODD_PAIRS) << np.uint64(2))
    word = ((word >> np.uint64(4)) & _LOW_HALVES) | ((word & _LOW_HALVES) << np.uint64(4))
    return word >> np.uint64(_LANE - width)


@jit_inline
def rows_reversed(word, height):
    """The rows in the opposite order, of such cells."""
    word = ((word >> np.uint64(8)) & _ODD_BYTES) | ((word & _ODD_BYTES) << np.uint64(8))
    word = ((word >> np.uint64(16)) & _ODD_DOUBLES) | ((word & _ODD_DOUBLES) << np.uint64(16))
    return ((word >> np.uint64(32)) | (word << np.uint64(32))) >> np.uint64(64 - _LANE * height)


@jit_inline
def least_image(own, other, size):
    """The least of two such sets' images under the eight motions of a square of that size, by `own` and then by `other`."""
    least, least_of_other = own, other
    for motion in range(1, 8):
        # From each image to the next one, so that all eight take eight steps.
        if motion == 4:
            own, other = transposed(own), transposed(other)
        elif motion & 1 == 1:
            own, other = columns_reversed(own, size), columns_reversed(other, size)
        else:
            own, other = rows_reversed(own, size), rows_reversed(other, size)
        if own < least or (own == least and other < least_of_other):
            least, least_of_other = own, other
    return least, least_of_other


@jit_inline
def least_heads(grid, head0, head1):
    """The images whose heads lie on the least cells, first head before second: bit 2 * motion + 1 with heads
    exchanged.

    Mostly one bit, so that the walls have to be moved only once to find the least image of a position.
    """
    x0, y0, x1, y1 = (
        head0 & (grid.stride - 1),
        head0 // grid.stride,
        head1 & (grid.stride - 1),
        head1 // grid.stride,
    )
    least, found = 1 << 30, 0
    for motion in range(grid.motion_count):
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


@dataclass(frozen=True)
class GridSymmetry:
    """A motion of a field, with its number in `images`."""

    grid: Grid
    number: int

    @property
    def is_identity(self) -> bool:
        """Whether everything stays where it is."""
        return self.number == 0

    @property
    def directions(self) -> tuple[int, ...]:
        """The images of up, right, down and left."""
        return tuple(image_of_direction(direction, self.number) for direction in range(4))

    def cell(self, cell: int) -> int:
        """The image of a cell's index; -1, no cell, stays."""
        return image_of_cell(self.grid, cell, self.number)

    def cells(self, bits: int) -> int:
        """The image of a set of cells; bits outside the field stay."""
        outside = int_of(self.grid.outside)
        image, left = bits & outside, bits & ~outside
        while left:
            image |= 1 << self.cell((left & -left).bit_length() - 1)
            left &= left - 1
        return image


def grid_symmetries(grid: Grid) -> list[GridSymmetry]:
    """All motions of a field, the identity first: eight where it is square, else four."""
    return [GridSymmetry(grid, number) for number in (0, 2, 1, 3, 4, 6, 5, 7)[: grid.motion_count]]


# Memory on the stack of a compiled function: small arrays, and boards that are changed bit by bit.


def _on_stack(element_of: Callable[[Any], Any], zero: float) -> Any:
    """A function `(grid, per_cell)` that makes an array of that element type; a list of zeros in plain Python."""
    if PLAIN_PYTHON:
        return lambda grid, per_cell: [zero] * (64 * grid.words * per_cell + 1)

    @intrinsic(prefer_literal=True)
    def array_of(typingctx: Any, grid: Any, per_cell: Any) -> Any:
        if not isinstance(per_cell, types.IntegerLiteral):
            return None
        element, places = element_of(grid), 64 * grid.instance.words * per_cell.literal_value + 1

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            # Not `cgutils.alloca_once`, which fills what it makes with zeros at every call of the function.
            with builder.goto_entry_block():
                array = builder.alloca(ir.ArrayType(context.get_data_type(element), places))
            return cgutils.gep_inbounds(builder, array, 0, 0)

        return types.CPointer(element)(grid, per_cell), codegen

    return array_of


scratch = _on_stack(lambda grid: types.int64, 0)
"""An uninitialised array of int64: `per_cell` (a constant) places for every cell index, and one more."""
scratch_floats = _on_stack(lambda grid: types.float64, 0.0)
"""As `scratch`, of float64."""
scratch_boards = _on_stack(board_type, 0)
"""As `scratch`, of boards."""


# Boards that a compiled function changes bit by bit: a copy of their words on its stack.
#
# A bit of a tuple of words is set by making a new tuple, which costs as much as the board has words. Where a rule changes several bits
# of several boards, one copy of them all is cheaper: every change then touches one word.


def _pad_code(typingctx: Any, words: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # Not `cgutils.alloca_once`, which fills what it makes with zeros at every call of the function.
        with builder.goto_entry_block():
            memory = builder.alloca(context.get_data_type(types.uint64), len(words))
        for k, item in enumerate(cgutils.unpack_tuple(builder, args[0])):
            builder.store(item, cgutils.gep_inbounds(builder, memory, k))
        return memory

    return types.CPointer(types.uint64)(words), codegen


def _board_on_code(typingctx: Any, pad: Any, place: Any, like: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = builder.gep(args[0], [builder.mul(args[1], args[1].type(like.count))], inbounds=True)
        items = [builder.load(cgutils.gep_inbounds(builder, start, k)) for k in range(like.count)]
        return context.make_tuple(builder, like, items)

    return like(pad, types.int64, like), codegen


@compiled_as(_pad_code)
def pad_of(words: Any) -> Any:
    """A copy of the words of some boards, one board after the other; a list in plain Python."""
    return [np.uint64(word) for word in words]


@compiled_as(_board_on_code)
def board_on(pad: Any, place: int, like: Any) -> Any:
    """The words of the board at that place, counted in boards of the size of the tuple `like`."""
    return tuple(pad[place * len(like) : (place + 1) * len(like)])
