"""A program that serves on a port of this machine: what it writes is read and thrown away, so that it never waits for that."""

import os
import select
import socket
import threading
import time
from collections.abc import Mapping, Sequence

from ..players.waiting import Processes
from .isolation import Isolation
from .supervision import BUBBLEWRAP, NAMESPACES, SUPERVISOR, Supervision, containment

LOOPBACK = "127.0.0.1"

_CHUNK = 65536
_LEAST = 0.001  # seconds: none would mean to wait for nothing
_KEPT = 2000  # bytes of its last errors
_LAST_WORDS = 1.0  # seconds for the rest of its output to come, once it has ended


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now."""
    with socket.socket() as any_socket:
        any_socket.bind((LOOPBACK, 0))
        return int(any_socket.getsockname()[1])


class ServerProcess:
    """A running program under its supervisor; `close` ends it with all that it started.

    Raises PlayerError where it cannot be started, MachineFault where its supervisor cannot.
    """

    def __init__(self, arguments: Sequence[str], isolation: Isolation, environment: Mapping[str, str]) -> None:
        means = containment(isolation).means
        if means == BUBBLEWRAP:
            means = SUPERVISOR  # nobody could reach it
        self._has_own_network = means == NAMESPACES
        self._supervision = Supervision(arguments, isolation, means, environment)
        self._errors = bytearray()
        self._closed = False
        self._thread = threading.Thread(target=self._read, name="saddlepoint server output", daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether the program is known to be gone."""
        if not self._closed and not self._supervision.end:
            self._supervision.read()
            self._supervision.look()
        return self._closed or bool(self._supervision.end)

    @property
    def why_ended(self) -> str:
        """How it ended, and the last line of its errors."""
        self._thread.join(_LAST_WORDS)
        lines = [line.strip() for line in self._errors.decode(errors="replace").splitlines() if line.strip()]
        text = f"{self._supervision.error()}{f': {lines[-1]}' if lines else ''}"
        return "".join(mark if mark.isprintable() else "?" for mark in text)[:300]

    def measure(self) -> Processes:
        """What its processes wait for a core, from now on."""
        return Processes(self._supervision.processes)

    def connect(self, port: int, seconds: float) -> socket.socket:
        """A connection to what it listens on, in its own network where it has one. Raises OSError."""
        if not self._has_own_network:
            return socket.create_connection((LOOPBACK, port), max(seconds, _LEAST))
        deadline = time.monotonic() + seconds
        found = self._supervision.open_socket(seconds)
        try:
            found.settimeout(max(deadline - time.monotonic(), _LEAST))
            found.connect((LOOPBACK, port))
        except BaseException:
            found.close()
            raise
        return found

    def close(self) -> None:
        """End it, and all that it started."""
        if self._closed:
            return
        self._closed = True
        self._supervision.close()
        self._thread.join(_LAST_WORDS)
        self._supervision.close_pipes()

    def _read(self) -> None:
        """In a thread of its own, until both streams have ended."""
        process = self._supervision.process
        assert process.stdout and process.stderr
        errors = process.stderr.fileno()
        poll = select.poll()
        for descriptor in (process.stdout.fileno(), errors):
            poll.register(descriptor, select.POLLIN)
        left = 2
        while left and not self._closed:
            for descriptor, _ in poll.poll(1000):
                try:
                    chunk = os.read(descriptor, _CHUNK)
                except OSError:
                    chunk = b""
                if not chunk:
                    poll.unregister(descriptor)
                    left -= 1
                elif descriptor == errors:
                    self._errors += chunk
                    del self._errors[:-_KEPT]
