"""Say that a compilation is going on (a first run may take seconds), and count the seconds."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from numba.core import event

from . import forecast
from .directory import why_not_kept
from .hearing import Hearing
from .numba_private.functions import cache_of, failure_of, is_own
from .numba_private.interrupts import PutOff
from .numba_private.kept import PackageCache
from .signals import step
from .waiting_line import WaitingLine

_PATIENCE = 0.6  # seconds before a compilation is worth a line


class _State(threading.local):
    """This thread's compilations."""

    def __init__(self) -> None:
        self.depth = 0
        self.since = self.seconds = 0.0
        self.used_since = self.used = 0.0
        """The same, of a core."""
        self.line: _Line | None = None
        self.put_off: PutOff | None = None
        """The signals that end the program, while something of this library is compiled."""
        self.task: _Task | None = None


_state = _State()


def seconds_compiling() -> float:
    """Seconds that this thread's finished compilations took, in all."""
    return _state.seconds


class _Task:
    """What a player needs in a game, while it is compiled."""

    def __init__(self, name: str) -> None:
        self.name, self._began = name, _state.used
        self._expected = None if forecast.is_compiled(name) else forecast.expected(name)

    @property
    def used(self) -> float:
        """Seconds of a core that it has taken."""
        return _state.used - self._began

    def end(self) -> None:
        """All of it is compiled."""
        if self.used >= forecast.LEAST and not forecast.is_compiled(self.name):
            forecast.note(self.name, self.used)
            forecast.note_compiled(self.name)

    def rest(self, now: float | None) -> str:
        """What is still to come after a compilation that is expected to take so long."""
        left = (self._expected or 0.0) - self.used - (now or 0.0)
        return f"; then {forecast.about(left)} for the rest of {self.name}" if left >= 1 else ""


@contextmanager
def compiling(task: str | None) -> Generator[None]:
    """All compilations meanwhile are of a task, "GAME PLAYER": what they took is kept for the next forecast.

    None: of none that is known by its name.
    """
    outer, _state.task = _state.task, None if task is None else _Task(task)
    try:
        yield
        if _state.task is not None:
            _state.task.end()
    finally:
        _state.task = outer


def _describe(function: Any, arguments: Any) -> str:
    parts: list[str] = [a.class_key.partition("@")[0] for a in arguments if hasattr(a, "class_key")]
    name = function.__qualname__.strip("_")
    return f"{name} for {', '.join(parts)}" if parts else name


class _Announcer(event.Listener):
    """Announces outermost compilations; those within are part of them."""

    def on_start(self, event: Any) -> None:
        _state.depth += 1
        if _state.depth == 1:
            _state.since, _state.used_since = time.perf_counter(), time.thread_time()
        if _state.depth == 1 and is_own(event.data["dispatcher"]):
            dispatcher, arguments = event.data["dispatcher"], event.data["args"]
            cache = cache_of(dispatcher)
            kept = isinstance(cache, PackageCache) and cache.keeps(arguments)
            _state.line = _Line(_describe(dispatcher.py_func, arguments), kept)
            _state.put_off = PutOff()
            _state.put_off.begin()

    def on_end(self, event: Any) -> None:
        _state.depth -= 1
        line = _state.line
        if _state.depth == 0:
            used = time.thread_time() - _state.used_since
            _state.seconds, _state.used = _state.seconds + time.perf_counter() - _state.since, _state.used + used
            if line is not None and failure_of(event) is None:
                forecast.note(line.what, used)
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
    """That something is being compiled."""

    def __init__(self, what: str, kept: bool) -> None:
        self.what = what
        super().__init__(self._in_words(kept), f"compiled {what}", _PATIENCE)
        self._hearing = Hearing(lambda: self.note("Ctrl-C is heard: it ends after this step"))

    def close(self, finished: bool) -> None:
        self._hearing.end()
        super().close(finished)

    def _in_words(self, kept: bool) -> str:
        seconds = forecast.expected(self.what)
        promise = "again in every run: its rules are in no file"
        if kept:
            why = why_not_kept()
            promise = f"again in every run: it cannot be kept, {why}" if why else "once; later runs load it from disk"
        told = "" if seconds is None else f"; {forecast.about(seconds)}"
        rest = "" if _state.task is None else _state.task.rest(seconds)
        return f"compiling {self.what} ({promise}{told}{rest})"


@contextmanager
def _waiting(function: Any, arguments: Any) -> Generator[None]:
    """Another process compiles what is wanted here."""
    if _state.depth:  # within a compilation that is announced
        yield
        return
    started = time.perf_counter()
    line = _Line(f"{_describe(function, getattr(arguments, 'args', arguments))} in another process", kept=True)
    try:
        yield
    finally:
        _state.seconds += time.perf_counter() - started
        line.close(finished=True)


event.register("numba:compile", _Announcer())
event.register("numba:run_pass", _Passes())
PackageCache.tell = staticmethod(_waiting)
