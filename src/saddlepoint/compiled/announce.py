"""Say that a compilation is going on (a first run may take seconds), and count the seconds."""

import contextlib
import threading
import time
from collections.abc import Generator
from typing import Any

from numba.core import event

from ..system.patience import COMPILING_SAID
from .cache import PackageCache
from .directory import why_not_kept
from .numba_private import cache_of, failure_of, is_own
from .signals import PutOff, step
from .waiting_line import WaitingLine


class _State(threading.local):
    """This thread's compilations."""

    def __init__(self) -> None:
        self.depth = 0
        self.since = self.seconds = 0.0
        self.line: WaitingLine | None = None
        self.put_off: PutOff | None = None
        """The signals that end the program, while something of this library is compiled."""


_state = _State()


def seconds_compiling() -> float:
    """Seconds that this thread's finished compilations took, in all."""
    return _state.seconds


def _describe(function: Any, arguments: Any) -> str:
    parts: list[str] = [a.class_key.partition("@")[0] for a in arguments if hasattr(a, "class_key")]
    name = function.__qualname__.strip("_")
    return f"{name} for {', '.join(parts)}" if parts else name


class _Announcer(event.Listener):
    """Announces outermost compilations; those within are part of them."""

    def on_start(self, event: Any) -> None:
        _state.depth += 1
        if _state.depth > 1:
            return
        _state.since = time.perf_counter()
        dispatcher, arguments = event.data["dispatcher"], event.data["args"]
        if is_own(dispatcher):
            cache = cache_of(dispatcher)
            kept = isinstance(cache, PackageCache) and cache.keeps(arguments)
            _state.line = _line(_describe(dispatcher.py_func, arguments), kept)
            _state.put_off = PutOff()
            _state.put_off.begin()

    def on_end(self, event: Any) -> None:
        cache = cache_of(event.data["dispatcher"])
        if failure_of(event) is not None and isinstance(cache, PackageCache):
            cache.release_locks()  # another process may try
        _state.depth -= 1
        if _state.depth:
            return
        _state.seconds += time.perf_counter() - _state.since
        line, put_off, _state.line, _state.put_off = _state.line, _state.put_off, None, None
        if line is not None and put_off is not None:
            line.close(finished=failure_of(event) is None)
            put_off.end()


class _Passes(event.Listener):
    """Between two passes of the compiler Ctrl-C ends a compilation."""

    def on_start(self, event: Any) -> None:
        if _state.put_off is not None:
            _state.put_off.heed()
            step()

    def on_end(self, event: Any) -> None:
        pass


def _line(what: str, kept: bool) -> WaitingLine:
    """The line that announces a compilation."""
    why = why_not_kept() if kept else "its rules are in no file"
    how_often = (
        f"again in every run: it cannot be kept, {why}" if why else "once; later runs load it from disk"
    )
    return WaitingLine(f"compiling {what} ({how_often})", f"compiled {what}", COMPILING_SAID)


@contextlib.contextmanager
def _waiting(function: Any, arguments: Any) -> Generator[None]:
    """Another process compiles what is wanted here."""
    if _state.depth:  # within a compilation that is announced
        yield
        return
    started = time.perf_counter()
    line = _line(
        f"{_describe(function, getattr(arguments, 'args', arguments))} in another process", kept=True
    )
    try:
        yield
    finally:
        _state.seconds += time.perf_counter() - started
        line.close(finished=True)


event.register("numba:compile", _Announcer())
event.register("numba:run_pass", _Passes())
PackageCache.tell = staticmethod(_waiting)
