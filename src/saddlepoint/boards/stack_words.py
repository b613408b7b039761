"""Boards that a compiled function changes bit by bit: a copy of their words on its stack.

A bit of a tuple of words is set by making a new tuple, which costs as much as the board has words. Where a rule changes several bits
of several boards, one copy of them all is cheaper: every change then touches one word.
"""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils

from ..compiled import compiled_as, jit_part


def _written(context: Any, builder: Any, items: list[Any]) -> Any:
    # Not `cgutils.alloca_once`, which fills what it makes with zeros at every call of the function.
    with builder.goto_entry_block():
        memory = builder.alloca(context.get_data_type(types.uint64), len(items))
    for k, item in enumerate(items):
        builder.store(item, cgutils.gep_inbounds(builder, memory, k))
    return memory


def _pad_code(typingctx: Any, words: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _written(context, builder, cgutils.unpack_tuple(builder, args[0]))

    return types.CPointer(types.uint64)(words), codegen


def _joint_pad_code(typingctx: Any, first: Any, second: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pairs = zip(*(cgutils.unpack_tuple(builder, words) for words in args), strict=True)
        return _written(context, builder, [builder.or_(*pair) for pair in pairs])

    return types.CPointer(types.uint64)(first, second), codegen


def _board_on_code(typingctx: Any, pad: Any, place: Any, like: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = builder.mul(args[1], args[1].type(like.count))
        start = builder.gep(args[0], [first], inbounds=True)
        items = [builder.load(cgutils.gep_inbounds(builder, start, k)) for k in range(like.count)]
        return context.make_tuple(builder, like, items)

    return like(pad, types.int64, like), codegen


@compiled_as(_pad_code)
def pad_of(words: Any) -> Any:
    """A copy of the words of some boards, one board after the other; a list in plain Python."""
    return [np.uint64(word) for word in words]


@compiled_as(_joint_pad_code)
def joint_pad_of(first: Any, second: Any) -> Any:
    """The words of the cells of either of two boards."""
    return [np.uint64(one) | np.uint64(other) for one, other in zip(first, second, strict=True)]


@compiled_as(_board_on_code)
def board_on(pad: Any, place: int, like: Any) -> Any:
    """The words of the board at that place, counted in boards of the size of the tuple `like`."""
    return tuple(pad[place * len(like) : (place + 1) * len(like)])


@jit_part
def any_bit(words):
    """Whether any bit is set in a tuple of words."""
    found = np.uint64(0)
    for word in words:
        found |= word
    return found != np.uint64(0)


@jit_part
def pad_has(pad, word, cell):
    """Whether the bit of a cell is set, 0 or 1; `word` is where the board's first word stands."""
    return np.int64((pad[word + (cell >> 6)] >> np.uint64(cell & 63)) & np.uint64(1))


@jit_part
def pad_set(pad, word, cell, flag):
    """Set the bit of a cell if the flag is 1, not if it is 0."""
    pad[word + (cell >> 6)] |= np.uint64(flag) << np.uint64(cell & 63)


@jit_part
def pad_clear(pad, word, cell, flag):
    """Clear the bit of a cell if the flag is 1, not if it is 0."""
    pad[word + (cell >> 6)] &= ~(np.uint64(flag) << np.uint64(cell & 63))
