"""What a program and the arena said to each other in a game, in a file of bounded size."""

import time
from contextlib import suppress
from pathlib import Path

_MOST = 2_000_000
"""Bytes of a file; what follows is not written."""


class Transcript:
    """A line for each line: seconds since the beginning, then `>` (to the program), `<` (from it) or `!` (its errors).

    Raises OSError where the file cannot be made; what cannot be written later is left out.
    """

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)  # who holds the file of an earlier game, under any name, does not see this one's
        self._file = file.open("w", encoding="utf-8", errors="backslashreplace")
        self._began = time.monotonic()
        self._left = _MOST
        self._noted = 0

    def sent(self, text: str) -> None:
        """Lines for the program."""
        for line in text.splitlines():
            self._write(">", line)

    def received(self, line: str) -> None:
        """A line of the program."""
        self._write("<", line)

    def errors(self, buffer: bytearray, all_of_it: bool = False) -> None:
        """The stream of errors so far: its new complete lines, with `all_of_it` what has no end too."""
        end = len(buffer) if all_of_it else buffer.rfind(b"\n") + 1
        if end > self._noted:
            for line in bytes(buffer[self._noted : end]).decode(errors="backslashreplace").splitlines():
                self._write("!", line)
            self._noted = end

    def skip_errors(self, position: int) -> None:
        """What stands before this position of the stream is not of this game."""
        self._noted = position

    def note(self, text: str) -> None:
        """A remark of the arena."""
        self._write("#", text)

    def close(self) -> None:
        """The game is over."""
        self._left = -1
        with suppress(OSError):
            self._file.close()

    def _write(self, mark: str, line: str) -> None:
        if self._left < 0:
            return
        line = "".join(one if one.isprintable() or one == "\t" else one.encode("unicode_escape").decode() for one in line)
        text = f"{time.monotonic() - self._began:9.3f} {mark} {line}\n"
        if len(text) > self._left:
            text = f"... more than {_MOST} bytes, the rest is left out\n"
            self._left = -1
        else:
            self._left -= len(text)
        try:
            self._file.write(text)
            self._file.flush()
        except OSError:  # a full disk costs the log, not the game
            self._left = -1
