"""The output streams of a program, read without blocking and up to a limit, and the transcript of a game."""

import io
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TextIO

_MOST = 2_000_000
"""Bytes of a file; what follows is not written."""


class Transcript:
    """A line for each line: seconds since the beginning, then `>` (to the program), `<` (from it), `!` (its errors) or `#` (a remark).

    Without a file, or where that cannot be made or written, nothing is written: a full disk costs the log, not the game.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._began = time.monotonic()
        self._left = -1
        self._noted = 0
        self._file: TextIO = io.StringIO()
        if file is not None:
            with suppress(OSError):
                file.parent.mkdir(parents=True, exist_ok=True)
                # Who holds the file of an earlier game, under any name, does not see this one's.
                file.unlink(missing_ok=True)
                self._file = file.open("w", encoding="utf-8", errors="backslashreplace")
                self._left = _MOST

    @property
    def is_open(self) -> bool:
        """Whether anything is written."""
        return self._left >= 0

    def errors(self, buffer: bytearray, all_of_it: bool = False) -> None:
        """The stream of errors so far: its new complete lines, with `all_of_it` what has no end too."""
        end = len(buffer) if all_of_it else buffer.rfind(b"\n") + 1
        if end > self._noted:
            self.write("!", *bytes(buffer[self._noted : end]).decode(errors="backslashreplace").splitlines())
            self._noted = end

    def skip_errors(self, position: int) -> None:
        """Leave out the stream before this position, which belongs to an earlier game."""
        self._noted = position

    def close(self) -> None:
        """The game is over."""
        self._left = -1
        with suppress(OSError):
            self._file.close()

    def write(self, mark: str, *lines: str) -> None:
        """These lines, now, each behind the mark."""
        for line in lines:
            if not self.is_open:
                return
            line = "".join(
                one if one.isprintable() or one == "\t" else one.encode("unicode_escape").decode()
                for one in line
            )
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


LAST = 2000
"""Characters of a program's errors that are looked at for its last words."""


def last_line(text: str) -> str:
    """The last line of a program's errors behind a colon, without what cannot be printed; empty where there is none."""
    lines = [line.strip() for line in text[-LAST:].splitlines() if line.strip()]
    return "".join(mark if mark.isprintable() else "?" for mark in f": {lines[-1]}") if lines else ""


LONGEST_SHOWN = 60
"""Characters of what a program wrote that a message quotes."""


def quoted(line: str) -> str:
    """A program's line in quotes, shortened and printable."""
    return repr(line[:LONGEST_SHOWN]) + ("..." if len(line) > LONGEST_SHOWN else "")


# An output stream of another program, read without blocking and up to a limit.

OUTPUT_LIMIT = 1_000_000
"""Characters read of a stream at most (the contest's wrapper has the same); what follows is left in the pipe."""

_CHUNK = 65536
_FIRST_BYTES_ONLY = bytes(range(0x80, 0xC0))  # what UTF-8 continues a character with


class Stream:
    """A stream's unused input, and whether more may come."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.buffer = bytearray()
        self.characters = 0
        self.ended = self.flooded = False
        os.set_blocking(descriptor, False)

    def read(self) -> bool:
        """Read what is there, one chunk at most; whether there may be more."""
        if self.ended or self.flooded:
            return False
        try:
            chunk = os.read(self.descriptor, min(_CHUNK, OUTPUT_LIMIT - self.characters + 1))
        except BlockingIOError:
            return False
        self.ended = not chunk
        self.characters += len(chunk.translate(None, _FIRST_BYTES_ONLY))
        self.flooded = self.characters > OUTPUT_LIMIT
        self.buffer += chunk
        return bool(chunk)

    def drain(self) -> None:
        """Read all that is there."""
        while self.read():
            pass

    def begin_again(self) -> None:
        """Forget what was read, and read as much again."""
        self.buffer.clear()
        self.characters, self.flooded = 0, False
