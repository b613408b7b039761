"""Hear Ctrl-C while the main thread is busy outside Python, where no handler of its is called yet."""

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable

_PATIENCE = 0.2
"""Seconds after which somebody who pressed Ctrl-C wants to know that it was heard."""


class Hearing:
    """Calls `tell` in a thread of its own where SIGINT has come and nothing was ended by it; the main thread alone can hear.

    Python writes the numbers of signals to a socket at once. Whoever had them written to another one still gets them there.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell, self._over = tell, threading.Event()
        self._writer: socket.socket | None = None
        if threading.current_thread() is not threading.main_thread():
            return
        reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._listen, args=(reader, self._before), name="saddlepoint hearing", daemon=True).start()

    def end(self) -> None:
        """Hear no more."""
        self._over.set()
        if self._writer is not None:
            signal.set_wakeup_fd(self._before)
            self._writer.close()
            self._writer = None

    def _listen(self, reader: socket.socket, before: int) -> None:
        with reader:
            while numbers := reader.recv(64):
                if before >= 0:
                    with contextlib.suppress(OSError):  # it is full, and will be read then
                        os.write(before, numbers)
                if signal.SIGINT in numbers and not self._over.wait(_PATIENCE):
                    self._tell()
