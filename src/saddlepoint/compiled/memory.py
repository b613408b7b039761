"""Arrays in searches that visit millions of positions a second: without reference counts, and fetched ahead of their use."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .plain import compiled_as


def _borrowed_code(typingctx: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(array)(context, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), codegen


@compiled_as(_borrowed_code)
def borrowed(array: Any) -> Any:
    """The same array for compiled code that its owner outlives.

    Handing an array on counts a reference in memory that all threads share, which a recursion pays for at every call.
    """
    return array


def _prefetch_code(typingctx: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(array)(context, builder, args[0])
        place = builder.bitcast(builder.gep(view.data, [args[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [place.type], ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        )
        builder.call(fetch, [place, number(0), number(3), number(1)])  # to read; to stay; data
        return context.get_dummy_value()

    return types.none(array, types.int64), codegen


@compiled_as(_prefetch_code)
def prefetch(array: Any, index: Any) -> None:
    """Let the memory of one item of a contiguous array come nearer while something else is computed."""
