"""The program on a terminal of its own."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

# For Ctrl-C to reach a process, the terminal must be its own: it takes it before it becomes the program. (Nothing is done between a fork
# and a program, where other threads of the tests could have left anything.)
PATIENCE = 60.0
"""Seconds that a test waits for a text at most."""
_OWNED = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"


class Terminal:
    """The program, or another one in Python, on a terminal of its own of 24 lines and 80 columns."""

    def __init__(
        self, *arguments: str, run: Sequence[str] = ("-m", "saddlepoint"), **environment: str
    ) -> None:
        self.controller, terminal = pty.openpty()
        termios.tcsetwinsize(self.controller, (24, 80))
        self.process = subprocess.Popen(
            [sys.executable, "-c", _OWNED, *run, *arguments],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", "SADDLEPOINT_QUIET": "1", **environment},
        )
        os.close(terminal)
        self.before = termios.tcgetattr(self.controller)
        self.shown, self._seen = "", 0

    def press(self, keys: str) -> None:
        """Type, once the program asks."""
        os.write(self.controller, keys.encode())

    def wait_for(self, text: str, again: str = "", seconds: float = PATIENCE) -> None:
        """Until it is shown after what was waited for before; raises AssertionError with the screen. `again` is typed each second."""
        end, typed = time.monotonic() + seconds, 0.0
        while (at := self.shown.find(text, self._seen)) < 0:
            now = time.monotonic()
            assert now < end, f"{text!r} was not shown in {seconds:g} s; the screen: {self.screen}"
            if again and now > typed + 1.0:
                self.press(again)
                typed = now
            assert self._read(1.0), f"the program ended before {text!r}; the screen: {self.screen}"
        self._seen = at + len(text)

    def end(self, seconds: float = PATIENCE) -> int:
        """The exit code, with everything shown."""
        end = time.monotonic() + seconds
        while self._read(1.0):
            assert time.monotonic() < end, f"it goes on; the screen: {self.screen}"
        return self.process.wait(seconds)

    @property
    def screen(self) -> str:
        """What was shown last."""
        return repr(self.shown[-2000:])

    def _read(self, seconds: float) -> bool:
        """Take in what is shown within this time; False once nobody has the terminal open any more."""
        if select.select([self.controller], [], [], seconds)[0]:
            try:
                self.shown += os.read(self.controller, 4096).decode(errors="replace")
            except OSError:
                return False
        return True


@pytest.fixture
def terminal() -> Iterator[Any]:
    """A function that runs the program on a terminal of its own; arguments with names are of its environment."""
    started: list[Terminal] = []

    def start(*arguments: str, **options: Any) -> Terminal:
        started.append(Terminal(*arguments, **options))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
        os.close(one.controller)
