"""Seconds of a core in place of seconds on the wall: games on a busy machine as they would be on a quiet one.

Compiled searches read the time by `clock_gettime`, for which they are given another function when they are linked.
"""

import ctypes
import time

import llvmlite.binding
from numba import carray, cfunc, types

_clock = ctypes.CFUNCTYPE(ctypes.c_long)(("clock", ctypes.CDLL(None)))
_A_SECOND = 1_000_000
"""In what C's `clock` counts, by POSIX."""
_kept = []
"""The compiled clock, which must stay where it is while searches call it."""


def _clock_gettime(which, told):
    """The time that this process had a core, whatever clock is asked for."""
    used = _clock()
    at = carray(told, 2)
    at[0], at[1] = used // _A_SECOND, used % _A_SECOND * (1_000_000_000 // _A_SECOND)
    return 0


def count_cpu_time() -> None:
    """From now on all searches and clocks of this process count its CPU time; to be called before a search is compiled or loaded.

    What waits for another process, or for another thread that waits, has no time at all: for players that think here.
    """
    compiled = cfunc(types.int32(types.int32, types.CPointer(types.int64)))(_clock_gettime)
    _kept.append(compiled)
    llvmlite.binding.add_symbol("clock_gettime", compiled.address)
    time.perf_counter, time.clock_gettime_ns = time.process_time, lambda which: time.process_time_ns()
