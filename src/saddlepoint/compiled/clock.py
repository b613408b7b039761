"""A monotonic clock that compiled code reads without the interpreter."""

import sys
import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .plain import compiled_as

_CLOCK_MONOTONIC = 6 if sys.platform == "darwin" else 1


def _monotonic_ns_code(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, clock = ir.IntType(64), ir.IntType(32)
        timespec = ir.LiteralStructType([word, word])
        function_type = ir.FunctionType(clock, [clock, timespec.as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, function_type, "clock_gettime")
        answer = cgutils.alloca_once(builder, timespec)
        builder.call(function, [clock(_CLOCK_MONOTONIC), answer])
        seconds = builder.extract_value(builder.load(answer), 0)
        nanoseconds = builder.extract_value(builder.load(answer), 1)
        return builder.add(builder.mul(seconds, word(1_000_000_000)), nanoseconds)

    return types.int64(), codegen


@compiled_as(_monotonic_ns_code)
def monotonic_ns() -> int:
    """Nanoseconds of the clock that Python's `time.clock_gettime_ns(CLOCK_MONOTONIC)` reads."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def python_monotonic_ns() -> int:
    """The same clock, read from Python."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
