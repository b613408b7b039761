"""A program that is a server: started on a free port of this machine, waited for, and ended with all that it started."""

import functools
import time
from contextlib import suppress

from ....players.base import PlayerError
from ....players.fault import FaultKind
from ....players.waiting import Processes
from ....programs.isolation import Isolation
from ....programs.process import arguments_of
from ....programs.server import LOOPBACK, ServerProcess, free_port
from .client import Address, Client

_TRIES = 3  # somebody else may take the port before the program does
_LOOK_AGAIN = 0.05  # seconds
_GREETING = 2.0  # seconds for an answer to `GET /` while it is being waited for
_PORT = "{port}"


class SnakeProgram:
    """A command in which `{port}` stands for the port to listen on; the variable PORT says it too. Raises PlayerError."""

    def __init__(self, command: str, isolation: Isolation) -> None:
        self.command, self._isolation = command, isolation
        self._process: ServerProcess | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and not self._process.has_ended

    def measure(self) -> Processes | None:
        """What its processes wait for a core, from now on; None where there are none."""
        return None if self._process is None else self._process.measure()

    def start(self) -> Client:
        """Start it, and wait until it answers `GET /`. Raises PlayerError where it ends, or does not within the patience."""
        for attempt in range(_TRIES):
            self.close()
            port = free_port()
            words = [word.replace(_PORT, str(port)) for word in arguments_of(self.command)]
            process = self._process = ServerProcess(words, self._isolation, {"PORT": str(port)})
            client = Client(Address(f"http://{LOOPBACK}:{port}"), functools.partial(process.connect, port))
            try:
                self._await_answer(process, client)
                return client
            except PlayerError as error:
                client.close()
                self.close()
                if attempt == _TRIES - 1 or error.kind is not FaultKind.CRASH:
                    raise
        raise AssertionError  # not reached

    def close(self) -> None:
        """End it with all that it started."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _await_answer(self, process: ServerProcess, client: Client) -> None:
        deadline = time.monotonic() + self._isolation.patience
        while time.monotonic() < deadline:
            with suppress(PlayerError):
                client.get("/", _GREETING)
                return
            if process.has_ended:
                raise PlayerError(f"{self.command!r} does not stay: {process.why_ended}", FaultKind.CRASH)
            time.sleep(_LOOK_AGAIN)
        raise PlayerError(f"{self.command!r} does not answer GET / on its port within {self._isolation.patience:g} s", FaultKind.LATE)
