"""Rules in plain Python that do not come to an end: they are stopped after some seconds, and the line that they were in is told.

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

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """What the function gives; raises TooLong from the line that it was in."""
        self._since = time.monotonic()
        try:
            return function(*args)
        except TooLong as error:
            error.args = (f"it did not come to an end in {self.seconds:g} s; does its loop ever end?",)
            raise
        finally:
            with self._lock:
                self._since = None
                if self._raised:  # if it came to its end meanwhile, nothing is to be raised any more
                    self._raised = False
                    _raise_in(self._thread, None)

    def _watch(self) -> None:
        while not self._over.wait(min(_LOOK_EVERY, self.seconds / 4)):
            with self._lock:
                since = self._since
                if since is None or self._raised or time.monotonic() - since < self.seconds or self._is_stepped():
                    continue
                self._raised = True
                _raise_in(self._thread, TooLong)

    def _is_stepped(self) -> bool:
        frame: FrameType | None = sys._current_frames().get(self._thread)
        while frame is not None:
            if str(frame.f_globals.get("__name__", "")).startswith(_DEBUGGERS):
                return True
            frame = frame.f_back
        return False


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Let another thread raise an exception at its next step in Python; None takes back what it has not raised yet."""
    wanted = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), wanted)
