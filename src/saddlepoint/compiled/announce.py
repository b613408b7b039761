"""Say that a compilation is going on (a first run may take seconds), and count the seconds."""

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

from numba.core import event

from ..system.patience import COMPILING_SAID
from .cache import PackageCache
from .directory import why_not_kept
from .numba_private import cache_of, failure_of, is_own
from .signals import PutOff, step
from .waiting_line import WaitingLine

_HEARD = 0.2  # seconds after which somebody who pressed Ctrl-C wants to know that it was heard


class _State(threading.local):
    """This thread's compilations."""

    def __init__(self) -> None:
        self.depth = 0
        self.since = self.seconds = 0.0
        self.line: _Line | None = None
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
        if _state.depth == 1:
            _state.since = time.perf_counter()
        if _state.depth == 1 and is_own(event.data["dispatcher"]):
            dispatcher, arguments = event.data["dispatcher"], event.data["args"]
            cache = cache_of(dispatcher)
            kept = isinstance(cache, PackageCache) and cache.keeps(arguments)
            _state.line = _Line(_describe(dispatcher.py_func, arguments), kept)
            _state.put_off = PutOff()
            _state.put_off.begin()

    def on_end(self, event: Any) -> None:
        cache = cache_of(event.data["dispatcher"])
        if failure_of(event) is not None and isinstance(cache, PackageCache):
            cache.release_locks()  # another process may try
        _state.depth -= 1
        line = _state.line
        if _state.depth == 0:
            _state.seconds += time.perf_counter() - _state.since
        if _state.depth == 0 and line is not None:
            put_off, _state.line, _state.put_off = _state.put_off, None, None
            line.close(finished=failure_of(event) is None)
            if put_off is not None:
                put_off.end()


class _Passes(event.Listener):
    """Between two passes of the compiler Ctrl-C ends a compilation."""

    def on_start(self, event: Any) -> None:
        if _state.put_off is not None:
            _state.put_off.heed()
            step()

    def on_end(self, event: Any) -> None:
        pass


class _Line(WaitingLine):
    """The line that announces a compilation."""

    def __init__(self, what: str, kept: bool) -> None:
        super().__init__(f"compiling {what} ({_how_often(kept)})", f"compiled {what}", COMPILING_SAID)
        self._hearing = _Hearing(lambda: self.show("Ctrl-C is heard: it ends after this step"))

    def close(self, finished: bool) -> None:
        self._hearing.end()
        super().close(finished)


class _Hearing:
    """Calls `tell` in a thread of its own when Ctrl-C came and ended nothing, since the main thread is busy
    outside Python.

    Python does not call the main thread's handlers meanwhile, but writes the numbers of signals to a socket
    at once. A socket that was set for this before still receives them.

    That thread is busy outside Python, where no handler of its is called yet. Python writes the numbers of signals to a socket at once.
    Whoever had them written to another one still gets them there.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell, self._over = tell, threading.Event()
        self._writer: socket.socket | None = None
        if threading.current_thread() is not threading.main_thread():
            return
        reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        threading.Thread(
            target=self._listen, args=(reader, self._before), name="saddlepoint hearing", daemon=True
        ).start()

    def end(self) -> None:
        """Hear no more."""
        self._over.set()
        if self._writer is not None:
            signal.set_wakeup_fd(self._before)
            self._writer.close()
            self._writer = None

    def _listen(self, reader: socket.socket, before: int) -> None:
        with reader:
            while numbers := reader.recv(64):
                if before >= 0:
                    with contextlib.suppress(OSError):  # it is full, and will be read then
                        os.write(before, numbers)
                if signal.SIGINT in numbers and not self._over.wait(_HEARD):
                    self._tell()


def _how_often(kept: bool) -> str:
    if not kept:
        return "again in every run: its rules are in no file"
    why = why_not_kept()
    return f"again in every run: it cannot be kept, {why}" if why else "once; later runs load it from disk"


@contextlib.contextmanager
def _waiting(function: Any, arguments: Any) -> Generator[None]:
    """Another process compiles what is wanted here."""
    if _state.depth:  # within a compilation that is announced
        yield
        return
    started = time.perf_counter()
    line = _Line(
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
