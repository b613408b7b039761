"""One process compiles, the others wait for what it puts on disk."""

import os
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

_PATIENCE = 120.0
"""Seconds: whoever compiles may have been stopped."""
_POLL = 0.02


class Claims:
    """Which compiled functions of a directory this process is compiling.

    A claim is a lock on one byte of a file: it ends with its process, however that ends, and leaves nothing behind. Where the
    file system knows no locks, or the system has no `fcntl`, every process compiles for itself.
    """

    def __init__(self) -> None:
        self._file: int | None = None
        self._owner = 0
        self._held: set[int] = set()

    def claim(self, directory: Path, key: str, waiting: AbstractContextManager[object] = nullcontext()) -> bool:
        """Claim a function, named by hexadecimal digits; whether another process may have finished it meanwhile.

        `waiting` is entered while another process has the claim.
        """
        place = int(key[:7], 16)
        try:
            if self._try(directory, place):
                return False
            with waiting:
                until = time.monotonic() + _PATIENCE
                while not self._try(directory, place) and time.monotonic() < until:
                    time.sleep(_POLL)
            return True
        except (OSError, ModuleNotFoundError):  # no such file, or no locks: nothing depends on them
            return False

    def _try(self, directory: Path, place: int) -> bool:
        import fcntl

        if self._file is None or self._owner != os.getpid():  # a forked child has its parent's file, and none of its locks
            self._file = os.open(directory / "compiling", os.O_RDWR | os.O_CREAT, 0o600)
            self._owner, self._held = os.getpid(), set()
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return False
        self._held.add(place)
        return True

    def release(self, key: str) -> None:
        """The function is on disk, or could not be compiled."""
        place = int(key[:7], 16)
        if self._file is not None and self._owner == os.getpid() and place in self._held:
            import fcntl

            self._held.discard(place)
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)
