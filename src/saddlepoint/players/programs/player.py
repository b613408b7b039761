"""Programs as players: a process that is asked for lines, or one that serves on a port."""

import os
import socket
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from ...game.base import Game
from ..base import Player
from .isolation import Isolation
from .process import (
    LineProcess,
    arguments_of,
)
from .streams import LAST, Transcript, last_line
from .supervision import BUBBLEWRAP, NAMESPACES, SUPERVISOR, Supervision, containment


class ProgramPlayer(Player):
    """A player in a process of its own."""

    def __init__(self) -> None:
        self.process: LineProcess | None = None
        self._log: Path | None = None
        self._transcript = Transcript()

    @property
    def waited(self) -> float | None:
        return 0.0 if self.process is None else self.process.waited

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """A program starts with its first game, before its clock runs."""

    def try_start(self, game: Game) -> None:
        try:
            self.begin(game, 0, 0)
        finally:
            self._end()

    def log_to(self, file: Path | None) -> None:
        self._log = file
        if file is None:
            self._begin_transcript()

    def close(self, grace: float = 0.0) -> None:
        """End the program, after `grace` seconds to leave by itself, and its log."""
        self._end(grace)
        self.log_to(None)

    def _start(self, process: LineProcess) -> None:
        self.process = process
        process.log_to(self._transcript)

    def _end(self, grace: float = 0.0) -> None:
        if self.process is not None:
            self.process.close(grace)
            self.process = None

    def _begin_transcript(self) -> None:
        """Of a new game, from now on; nothing is written where there is nowhere to."""
        before, self._transcript = self._transcript, Transcript(self._log)
        if self.process is not None:
            self.process.log_to(self._transcript)
        before.close()


# A program that serves on a port of this machine: what it writes is read and thrown away, so that it never waits for that.

LOOPBACK = "127.0.0.1"

_CHUNK = 65536
_LEAST = 0.001  # seconds: none would mean to wait for nothing
_LAST_WORDS = 1.0  # seconds for the rest of its output to come, once it has ended


_PORT = "{port}"


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now."""
    with socket.socket() as any_socket:
        any_socket.bind((LOOPBACK, 0))
        return int(any_socket.getsockname()[1])


class ServerProcess(Supervision):
    """A running program under its supervisor; `close` ends it with all that it started, and gives back its pipes.

    `{port}` in the command stands for the port to listen on; the variable PORT says it too. Raises PlayerError.
    """

    def __init__(self, command: str, isolation: Isolation) -> None:
        self._port = free_port()
        self.address = f"http://{LOOPBACK}:{self._port}"
        arguments = [word.replace(_PORT, str(self._port)) for word in arguments_of(command)]
        means = containment(isolation).means
        if means == BUBBLEWRAP:
            means = SUPERVISOR  # nobody could reach it
        super().__init__(arguments, isolation, means, {"PORT": str(self._port)})
        self._has_own_network = means == NAMESPACES
        self._errors = bytearray()
        self._threads = [
            threading.Thread(target=_drain, args=(pipe, kept), name="saddlepoint server output", daemon=True)
            for pipe, kept in ((self.stdout, bytearray()), (self.stderr, self._errors))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def why_ended(self) -> str:
        """The end of the program in words, and the last line of its errors."""
        self._threads[1].join(_LAST_WORDS)
        return f"{self.error()}{last_line(self._errors.decode(errors='replace'))}"[:300]

    def connect(self, seconds: float) -> socket.socket:
        """A connection to what it listens on, in its own network where it has one. Raises OSError."""
        if not self._has_own_network:
            return socket.create_connection((LOOPBACK, self._port), max(seconds, _LEAST))
        deadline = time.monotonic() + seconds
        found = self.open_socket(seconds)
        try:
            found.settimeout(max(deadline - time.monotonic(), _LEAST))
            found.connect((LOOPBACK, self._port))
        except BaseException:
            found.close()
            raise
        return found

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        for thread in self._threads:
            thread.join(_LAST_WORDS)
        self.close_pipes()


def _drain(pipe: IO[bytes], kept: bytearray) -> None:
    """In a thread of its own, until the stream ends: its last bytes are kept."""
    with suppress(OSError, ValueError):  # closed meanwhile
        while chunk := os.read(pipe.fileno(), _CHUNK):
            kept += chunk
            del kept[:-LAST]
