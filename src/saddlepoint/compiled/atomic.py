"""Words that several threads write: each step is seen whole by all of them."""

import threading
from typing import Any

from llvmlite import ir
from numba import types

from .plain import compiled_as

_ORDERING = "seq_cst"


def _place(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    view = context.make_array(array)(context, builder, value)
    return builder.gep(view.data, [index])


def _set_if_zero_code(typingctx: Any, array: Any, index: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, array, args[0], args[1])
        pair = builder.cmpxchg(place, ir.IntType(array.dtype.bitwidth)(0), args[2], _ORDERING, _ORDERING)
        return builder.extract_value(pair, 0)

    return array.dtype(array, types.int64, array.dtype), codegen


@compiled_as(_set_if_zero_code)
def set_if_zero(array: Any, index: Any, word: Any) -> Any:
    """Write a word to a contiguous array of such words, of 32 or 64 bits, where there is 0; returns what was there before."""
    with _lock:
        before = array[index]
        if before == 0:
            array[index] = word
        return before


def _add_code(typingctx: Any, array: Any, index: Any, amount: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _place(context, builder, array, args[0], args[1]), args[2], _ORDERING)

    return types.int64(array, types.int64, types.int64), codegen


@compiled_as(_add_code)
def add_together(array: Any, index: Any, amount: Any) -> Any:
    """Add to an item of a contiguous array of int64; returns what was there before."""
    with _lock:
        before = array[index]
        array[index] = before + amount
        return before


def _read_code(typingctx: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, array, args[0], args[1])
        return builder.load_atomic(place, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, types.int64), codegen


@compiled_as(_read_code)
def read_again(array: Any, index: Any) -> Any:
    """An item of a contiguous array of words, of 32 or 64 bits, as it is now; what was written before it was is seen too."""
    return array[index]


_lock = threading.Lock()
"""Plain Python has no such instructions."""
