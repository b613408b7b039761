"""The program on a terminal of its own."""

import os
import pty
import select
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

# For Ctrl-C to reach a process, the terminal must be its own: it takes it before it becomes the program. (Nothing is done between a fork
# and a program, where other threads of the tests could have left anything.)
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

    def wait_for(self, text: str) -> None:
        """Until it is shown after what was waited for before."""
        while (at := self.shown.find(text, self._seen)) < 0:
            assert self._read(), f"the program ended: {self.shown[-500:]!r}"
        self._seen = at + len(text)

    def press_until(self, keys: str, text: str) -> None:
        """Type it again each second until the text is shown: a key that comes while it is not one's turn does nothing."""
        while self.shown.find(text, self._seen) < 0:
            self.press(keys)
            while select.select([self.controller], [], [], 1)[0]:
                assert self._read(), f"the program ended: {self.shown[-500:]!r}"
        self.wait_for(text)

    def end(self) -> int:
        """The exit code, with everything shown."""
        while self._read():
            pass
        return self.process.wait(60)

    def _read(self) -> str:
        if not select.select([self.controller], [], [], 20)[0]:
            raise AssertionError(f"nothing more was shown after {self.shown[-300:]!r}")
        try:
            text = os.read(self.controller, 4096).decode(errors="replace")
        except OSError:  # nobody has it open any more
            return ""
        self.shown += text
        return text


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
