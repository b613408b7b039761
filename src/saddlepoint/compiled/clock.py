"""Clocks that compiled code reads without the interpreter, and which of them ends a search."""

import ctypes
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils

from .rules import compiled_as

_CLOCK_MONOTONIC, _CLOCK_THREAD = (6, 16) if sys.platform == "darwin" else (1, 3)


def _code_reading(number: int) -> Any:
    """A function that makes the code which reads the system's clock of that number."""

    def code(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, clock = ir.IntType(64), ir.IntType(32)
            timespec = ir.LiteralStructType([word, word])
            function_type = ir.FunctionType(clock, [clock, timespec.as_pointer()])
            function = cgutils.get_or_insert_function(builder.module, function_type, "clock_gettime")
            answer = cgutils.alloca_once(builder, timespec)
            builder.call(function, [clock(number), answer])
            seconds = builder.extract_value(builder.load(answer), 0)
            nanoseconds = builder.extract_value(builder.load(answer), 1)
            return builder.add(builder.mul(seconds, word(1_000_000_000)), nanoseconds)

        return types.int64(), codegen

    return code


def python_monotonic_ns() -> int:
    """The clock of `monotonic_ns`, read from Python."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


if not hasattr(
    time, "clock_gettime_ns"
):  # Windows: neither Python nor the C library has it, so compiled code asks Python, which is slower

    def python_monotonic_ns() -> int:
        """The clock of `monotonic_ns`, read from Python."""
        return time.perf_counter_ns()

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_int64))
    def _clock_gettime(number: int, answer: Any) -> int:
        answer[0], answer[1] = divmod(
            time.thread_time_ns() if number == _CLOCK_THREAD else python_monotonic_ns(), 1_000_000_000
        )
        return 0

    binding.add_symbol("clock_gettime", ctypes.cast(_clock_gettime, ctypes.c_void_p).value)


@compiled_as(_code_reading(_CLOCK_MONOTONIC))
def monotonic_ns() -> int:
    """Nanoseconds of the clock that Python's `time.clock_gettime_ns(CLOCK_MONOTONIC)` reads, where there is one."""
    return python_monotonic_ns()


@compiled_as(_code_reading(_CLOCK_THREAD))
def thread_ns() -> int:
    """Nanoseconds of a core that this thread has used."""
    return time.thread_time_ns()


_forgiven: ContextVar[tuple[float, float]] = ContextVar("forgiven", default=(0.0, 0.0))
"""Seconds, and what the wall's clock less the thread's own said when they began."""


@contextmanager
def forgiving(seconds: float) -> Generator[None]:
    """A context in which, in this thread, a search's seconds are those with a core, and up to `seconds` more
    may pass: of all searches together.

    Only the keeper of the player's clock knows whether a wait for a core counts, so it is no argument of a
    search.
    """
    before = _forgiven.set((seconds, time.perf_counter() - time.thread_time()))
    try:
        yield
    finally:
        _forgiven.reset(before)


def forgiven_seconds() -> float:
    """The seconds by which a search of this thread may last longer while the thread has no core: what is left of them."""
    seconds, before = _forgiven.get()
    return max(0.0, seconds and seconds - (time.perf_counter() - time.thread_time() - before))


def seconds_counted() -> float:
    """A clock of this thread that stands still while a wait for a core is forgiven; only differences mean something."""
    seconds, before = _forgiven.get()
    return max(time.thread_time(), time.perf_counter() - before - seconds) if seconds else time.perf_counter()
