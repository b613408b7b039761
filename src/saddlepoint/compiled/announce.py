"""Say that a compilation is going on: a first run may take seconds, and silence looks like a hang."""

import os
import sys
import threading
import time
from typing import Any

from numba.core import event

from .cache import PackageCache

_PATIENCE = 0.6  # seconds before a compilation is worth a line
_local = threading.local()


def _describe(dispatcher: Any, arguments: Any) -> str:
    parts = [a.class_key.partition("@")[0] for a in arguments if hasattr(a, "class_key")]
    name = dispatcher.py_func.__qualname__.strip("_")
    return f"{name} for {', '.join(parts)}" if parts else name


class _Announcer(event.Listener):
    """Prints one line to stderr for an outermost compilation that takes longer than a moment."""

    def on_start(self, event: Any) -> None:
        _local.depth = getattr(_local, "depth", 0) + 1
        if _local.depth > 1 or not isinstance(event.data["dispatcher"]._cache, PackageCache):
            return
        _local.started, _local.line = time.perf_counter(), None
        _local.line = _Line(_describe(event.data["dispatcher"], event.data["args"]))

    def on_end(self, event: Any) -> None:
        _local.depth -= 1
        line = getattr(_local, "line", None)
        if _local.depth == 0 and line is not None:
            line.close()
            _local.line = None


class _Line:
    def __init__(self, what: str) -> None:
        self._what, self._started, self._status = what, time.perf_counter(), None
        self._timer = threading.Timer(_PATIENCE, self._show)
        self._timer.daemon = True
        if os.environ.get("SADDLEPOINT_QUIET", "") in ("", "0"):
            self._timer.start()

    def _show(self) -> None:
        message = f"compiling {self._what} (once; later runs load it from disk)"
        if sys.stderr is None:
            return
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status(message + " ...")
            self._status.start()
        else:
            print(f"saddlepoint: {message}", file=sys.stderr, flush=True)

    def close(self) -> None:
        self._timer.cancel()
        if self._status is not None:
            self._status.stop()
            seconds = time.perf_counter() - self._started
            print(f"compiled {self._what} in {seconds:.1f} s", file=sys.stderr, flush=True)


event.register("numba:compile", _Announcer())
