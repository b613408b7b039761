"""How long each thread has been compiling."""

import threading
import time
from typing import Any

from numba.core import event


class _Compiling(threading.local):
    """This thread's compilations: how many are going on inside each other, and the seconds of all that ended."""

    depth = 0
    since = 0.0
    seconds = 0.0


_compiling = _Compiling()


class _Listener(event.Listener):
    def on_start(self, event: Any) -> None:
        if _compiling.depth == 0:
            _compiling.since = time.perf_counter()
        _compiling.depth += 1

    def on_end(self, event: Any) -> None:
        _compiling.depth -= 1
        if _compiling.depth == 0:
            _compiling.seconds += time.perf_counter() - _compiling.since


event.register("numba:compile", _Listener())


def seconds_compiling() -> float:
    """Seconds that this thread's finished compilations took, in all."""
    return _compiling.seconds
