"""Endless loops in plain Python rules: they are stopped after some seconds, and the error names their line.

Compiled code cannot be stopped from within its process; so every rule is asked as plain Python first.
"""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

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
