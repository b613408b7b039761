"""One item of a tuple set: boards are tuples, and tuples never change."""

from typing import Any, TypeVar

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from .errors import RULE

Item = TypeVar("Item")


def with_item(values: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """The same tuple with one item set, for kernels and for Python: `board = with_item(board, cell, 1)`.

    All items have one type, and `value` is made one of it. A negative index counts from the end.

    Raises IndexError beyond the tuple, TypeError (a compile error in kernels) for a fraction among whole numbers.
    """
    size = len(values)
    place = int(index)
    if not -size <= place < size:
        raise IndexError("with_item: the index is beyond the tuple")
    place %= size
    old: Any = values[place]
    given: Any = value
    if not hasattr(given, "dtype") and isinstance(given, float) and not isinstance(old, float):
        raise TypeError("with_item: a float cannot be an item of a tuple of whole numbers")
    new: Any = type(old)(given) if isinstance(old, (bool, int, float)) or hasattr(old, "dtype") else given
    return (*values[:place], new, *values[place + 1 :])


@intrinsic
def _replaced(typingctx: Any, values: Any, index: Any, value: Any) -> Any:
    """The tuple with the item at 0 <= index < len set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tuple_type, index_type, value_type = signature.args
        item = context.cast(builder, args[2], value_type, tuple_type.dtype)
        place = context.cast(builder, args[1], index_type, types.intp)
        memory = cgutils.alloca_once_value(builder, args[0])
        zero = ir.Constant(ir.IntType(32), 0)
        builder.store(item, builder.gep(memory, [zero, place]))
        return builder.load(memory)

    return values(values, index, value), codegen


@overload(with_item)
def _with_item(values: Any, index: Any, value: Any) -> Any:
    if not isinstance(values, types.UniTuple):
        raise TypingError(f"{RULE}with_item takes a tuple whose items have one type")
    if isinstance(value, types.Float) and isinstance(values.dtype, (types.Integer, types.Boolean)):
        raise TypingError(f"{RULE}with_item: a float cannot be an item of a tuple of whole numbers")
    if not isinstance(index, types.Integer):
        raise TypingError(f"{RULE}with_item takes an int as the index")
    size = values.count

    def replace(values: Any, index: Any, value: Any) -> Any:
        place = index + size if index < 0 else index
        if place < 0 or place >= size:
            raise IndexError("with_item: the index is beyond the tuple")
        return _replaced(values, place, value)  # pyright: ignore[reportCallIssue] (compiled code gives no context)

    return replace
