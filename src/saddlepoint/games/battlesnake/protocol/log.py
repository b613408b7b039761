"""The log of a server, which nobody waits for: a thread of its own writes it."""

import queue
import sys
import threading
from typing import TextIO

from ...._text import one_line

_MOST = 1000
"""Lines that wait for a slow reader; further ones are lost."""


class Log:
    """Lines on stderr, or on another stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST)
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def tell(self, message: str) -> None:
        """One line, from any thread."""
        try:
            self._lines.put_nowait(f"saddlepoint bot: {one_line(message)}\n")
        except queue.Full:
            pass

    def close(self, seconds: float = 0.2) -> None:
        """Write what is left, as far as somebody reads it within so many seconds."""
        try:
            self._lines.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(seconds)

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._stream.write(line)
                self._stream.flush()
            except (OSError, ValueError):  # nobody reads any more
                pass
