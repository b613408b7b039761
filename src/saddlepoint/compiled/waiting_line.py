"""A line on stderr for what takes long before anything else can go on, so that silence does not look like a hang.

SADDLEPOINT_QUIET=1 in the environment keeps it silent.
"""

import os
import sys
import threading
import time
from typing import Any

_open: "list[WaitingLine]" = []
"""Lines that are shown and have no end yet."""


def say(text: str) -> None:
    """A line on stderr, behind a waiting line that has no end yet, not in the middle of it."""
    for line in _open:
        if line.takes(text):
            return
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
        print(text, file=sys.stderr, flush=True)


def is_shown() -> bool:
    """Whether a waiting line is shown that has no end yet."""
    return bool(_open)


class WaitingLine:
    """Appears when something has taken `patience` seconds, and ends with the seconds it took; on a terminal a spinner turns meanwhile.

    message: what is going on; done: what a terminal is told at the end.
    """

    def __init__(self, message: str, done: str, patience: float) -> None:
        self._message, self._done, self._started = message, done, time.perf_counter()
        self._lock = threading.Lock()
        self._shown = self._closed = False
        self._status: Any = None
        self._behind: list[str] = []
        self._timer = threading.Timer(patience, self._show)
        self._timer.daemon = True
        self._told = os.environ.get("SADDLEPOINT_QUIET", "") in ("", "0") and sys.stderr is not None  # pyright: ignore[reportUnnecessaryComparison]
        if self._told:
            self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if self._closed or self._shown:  # it ended while the timer woke up
                return
            self._shown = True
            _open.append(self)
            if sys.stderr.isatty():
                from rich.console import Console

                self._status = Console(stderr=True).status(self._message + " ...")
                self._status.start()
            else:
                print(f"saddlepoint: {self._message} ...", end="", file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        """Say something more of it, at once."""
        if not self._told:
            return
        self._timer.cancel()
        self._show()
        with self._lock:
            if self._closed:
                return
            if self._status is not None:
                self._status.update(f"{self._message}; {text} ...")
            else:
                print(f" {text} ...", end="", file=sys.stderr, flush=True)

    def takes(self, text: str) -> bool:
        """Keep a text until this line ends; whether it will."""
        with self._lock:
            if self._shown and not self._closed:
                self._behind.append(text)
                return True
            return False

    def close(self, finished: bool) -> None:
        """It is over; also when it failed or was interrupted."""
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if not self._shown:
                return
            seconds = f"{time.perf_counter() - self._started:.1f} s"
            if self._status is not None:
                self._status.stop()
                if finished:
                    print(f"{self._done} in {seconds}", file=sys.stderr, flush=True)
            else:
                print(f" {seconds}" if finished else " not finished", file=sys.stderr, flush=True)
            _open.remove(self)
        for text in self._behind:
            print(text, file=sys.stderr, flush=True)
