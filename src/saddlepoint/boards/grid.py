"""A rectangular field of cells, laid out in machine words; cells as people write them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils

from ..compiled import Component, compiled_as, jit_inline
from ..game.base import Game, GameError

Place = tuple[int, int]


def read_places(text: str, width: int, height: int, what: str) -> tuple[Place, ...]:
    """The cells that a text lists, all on a field of `width` x `height` and no two the same; raises GameError."""
    places: list[Place] = []
    for word in text.split():
        numbers = word.split(",")
        if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            raise GameError(
                f"{what} must be cells such as '0,0 3,5', columns and rows from the top left, not {text!r}"
            )
        x, y = int(numbers[0]), int(numbers[1])
        Game.refuse(
            (
                not (x < width and y < height),
                f"{what}: the cell {word} is outside the {width}x{height} field",
            ),
            ((x, y) in places, f"{what}: the cell {word} is there twice"),
        )
        places.append((x, y))
    return tuple(places)


# A rectangular field of cells, laid out in machine words: one lane of bits a row.
#
# Rows are lanes of 8, 16 or 32 bits, whichever holds the width, so that a step left or right is a shift inside each
# lane and a step up or down moves whole lanes. Cell (x, y) has the index y * stride + x; the bit of that index in the
# words (bit i % 64 of word i // 64) is the cell's.

MAX_SIDE = 32

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3


@dataclass(frozen=True)
class Grid(Component):
    """`width` x `height` cells, each side from 1 to 32; x to the right, y down."""

    width: int
    height: int

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise ValueError(f"a board's sides must be 1 to {MAX_SIDE} cells, not {self.width}x{self.height}")

    @property
    def stride(self) -> int:
        """Bits of a row's lane: 8, 16 or 32."""
        return 8 if self.width <= 8 else 16 if self.width <= 16 else 32

    @property
    def words(self) -> int:
        """Number of 64-bit words of a board."""
        return -(-self.height * self.stride // 64)

    @property
    def motion_count(self) -> int:
        """Eight motions of a square field, else four."""
        return 8 if self.width == self.height else 4

    @property
    def outside(self) -> tuple[int, ...]:
        """The words in which exactly the bits that are no cell are set."""
        inside = sum(((1 << self.width) - 1) << y * self.stride for y in range(self.height))
        return words_of(~inside & ((1 << 64 * self.words) - 1), self.words)

    def cell(self, x: int, y: int) -> int:
        """The index of cell (x, y)."""
        return y * self.stride + x

    def position(self, cell: int) -> tuple[int, int]:
        """(x, y) of a cell's index."""
        return cell % self.stride, cell // self.stride


@jit_inline
def neighbour(grid, cell, direction):
    """The cell one step up, right, down or left (0 to 3), or -1 outside the field."""
    stride = grid.stride
    x = cell & (stride - 1)
    if direction == UP:
        return cell - stride if cell >= stride else -1
    if direction == RIGHT:
        return cell + 1 if x < grid.width - 1 else -1
    if direction == DOWN:
        return cell + stride if cell + stride < grid.height * stride else -1
    return cell - 1 if x > 0 else -1


def words_of(bits: int, count: int) -> tuple[int, ...]:
    """A Python int as `count` 64-bit words, lowest first."""
    return tuple(bits >> 64 * k & (1 << 64) - 1 for k in range(count))


def int_of(words: tuple[Any, ...]) -> int:
    """The words of a board as one Python int; inverse of `words_of`."""
    return sum(int(word) << 64 * k for k, word in enumerate(words))


def _has_bit_code(typingctx: Any, words: Any, cell: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word_type = context.get_value_type(types.uint64)
        items = cgutils.unpack_tuple(builder, args[0])
        index = builder.lshr(args[1], word_type(6))
        word = items[0]
        for k, item in enumerate(items[1:], 1):
            word = builder.select(builder.icmp_signed("==", index, word_type(k)), item, word)
        word = builder.lshr(word, builder.and_(args[1], word_type(63)))
        return builder.trunc(word, context.get_value_type(types.boolean))

    return types.boolean(words, types.int64), codegen


def _with_bit_code(typingctx: Any, words: Any, cell: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word_type = context.get_value_type(types.uint64)
        index = builder.lshr(args[1], word_type(6))
        bit = builder.shl(word_type(1), builder.and_(args[1], word_type(63)))
        items: list[Any] = []
        for k, item in enumerate(cgutils.unpack_tuple(builder, args[0])):
            here = builder.icmp_signed("==", index, word_type(k))
            items.append(builder.or_(item, builder.select(here, bit, word_type(0))))
        return context.make_tuple(builder, signature.return_type, items)

    return words(words, types.int64), codegen


@compiled_as(_has_bit_code)
def has_bit(words: Any, cell: int) -> bool:
    """Whether the cell's bit is set in a tuple of 64-bit words."""
    cell = int(cell)  # NumPy's integers have too few bits
    return bool(int(words[cell >> 6]) >> (cell & 63) & 1)


@compiled_as(_with_bit_code)
def with_bit(words: Any, cell: int) -> Any:
    """The words with the cell's bit set."""
    cell = int(cell)
    return tuple(
        np.uint64(int(word) | 1 << (cell & 63)) if k == cell >> 6 else word for k, word in enumerate(words)
    )
