"""An output stream of another program, read without blocking and up to a limit."""

import os

OUTPUT_LIMIT = 1_000_000
"""Characters read of a stream at most (the contest's wrapper has the same); what follows is left in the pipe."""

_CHUNK = 65536
_FIRST_BYTES_ONLY = bytes(range(0x80, 0xC0))  # what UTF-8 continues a character with


class Stream:
    """What was read and not yet used, and whether more may come."""

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
