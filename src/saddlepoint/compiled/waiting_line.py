"""Endless loops in plain Python rules: they are stopped after some seconds, and the error names their line.

Compiled code cannot be stopped from within its process; so every rule is asked as plain Python first.
"""

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType, TracebackType
from typing import Any, Self

from ..system.terminal import Status, warn

SECONDS = 10.0
"""How long one rule may take for one position."""
_LOOK_EVERY = 0.1
_STEPS = 10
"""One is enough, if anything is to be raised."""
_DEBUGGERS = ("bdb", "pydevd")


class TooLong(BaseException):
    """Raised in a rule that has run for too long. No `except Exception` of the rule's own catches it."""


class Patience:
    """Calls functions of this thread, and raises TooLong in one that takes too long; not while a debugger stands in it."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = SECONDS if seconds is None else seconds
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._since: float | None = None
        self._raised = False
        self._over = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._watch, name="saddlepoint patience", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """The function's result; raises TooLong from the line that it was in."""
        self._since = time.monotonic()
        try:
            return function(*args)
        except TooLong as error:
            error.args = (f"it did not come to an end in {self.seconds:g} s; does its loop ever end?",)
            raise
        finally:
            try:
                self._end()
            except TooLong:  # it had come to its end meanwhile, and nothing is to be raised any more
                self._end()

    def _end(self) -> None:
        """End the call; an exception that the watch has requested and that was not raised yet is raised here.

        To ask for nothing in its place would not do: Python 3.11 then waits for ever for an exception to raise, which makes every call
        slower, and stands still as soon as somebody traces it, such as a debugger.
        """
        with self._lock:
            self._since = None
            is_asked_for, self._raised = self._raised, False
        for _ in range(_STEPS if is_asked_for else 0):
            _step()

    def _watch(self) -> None:
        while not self._over.wait(min(_LOOK_EVERY, self.seconds / 4)):
            with self._lock:
                since = self._since
                if (
                    since is None
                    or self._raised
                    or time.monotonic() - since < self.seconds
                    or self._is_stepped()
                ):
                    continue
                self._raised = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(TooLong)
                )  # raised at that thread's next step in Python

    def _is_stepped(self) -> bool:
        frame: FrameType | None = sys._current_frames().get(self._thread)
        while frame is not None:
            if str(frame.f_globals.get("__name__", "")).startswith(_DEBUGGERS):
                return True
            frame = frame.f_back
        return False


def _step() -> None:
    """A call, before which Python looks whether anything is to be raised."""


# Lines on stderr for what takes long before anything else can go on, so that silence does not look like a hang.
#
# SADDLEPOINT_QUIET=1 in the environment keeps it silent.

_shown: "set[WaitingLine]" = set()
"""Lines whose work is going on."""


def is_shown() -> bool:
    """Whether a waiting line is shown."""
    return bool(_shown)


class WaitingLine:
    """A line that appears when something has taken `patience` seconds, and another one at its end with the seconds it took.

    A terminal shows a spinner and the seconds meanwhile.
    """

    def __init__(self, message: str, done: str, patience: float) -> None:
        """`message` is shown while the work goes on, `done` when it has ended."""
        self._message, self._done, self._started = message, done, time.perf_counter()
        self._lock, self._status = threading.Lock(), ExitStack()
        self._timer = threading.Timer(patience, self._show)
        self._timer.daemon = True
        if os.environ.get("SADDLEPOINT_QUIET", "") in ("", "0") and sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
            self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if self._timer.finished.is_set():  # it was closed meanwhile
                return
            _shown.add(self)
            if sys.stderr.isatty():
                self._status.enter_context(Status(f"{self._message} ..."))
            else:
                warn(f"{self._message} ...")

    def close(self, finished: bool) -> None:
        """End the line, also when the work failed or was interrupted."""
        with self._lock:
            self._timer.cancel()
            self._status.close()
            if self in _shown:
                _shown.remove(self)
                seconds = f"{time.perf_counter() - self._started:.1f} s"
                warn(f"{self._done} in {seconds}" if finished else f"{self._message}: not finished")
