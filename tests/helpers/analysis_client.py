"""A server in a thread of this process, and a client of its analysis."""

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from saddlepoint.system.sockets import listen
from saddlepoint.web.app import make_app
from saddlepoint.web.security import Access
from saddlepoint.web.service import Served, Service


@contextmanager
def running_server(**given: Any) -> Generator[str]:
    """The address of the analysis of a server that runs here, with what the command line gave."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    app = make_app(Service(Served(**{"games": {}, **given})), Access(port=port))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"ws://127.0.0.1:{port}/ws/analysis"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()


class Client:
    """One connection, with what has come on it."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.received: list[dict[str, Any]] = []

    def send(self, **message: Any) -> None:
        self.send_text(json.dumps(message))

    def send_text(self, text: str | bytes) -> None:
        self._connection.send(text)

    def end_of(self, do: str = "analyse", number: int = 1, **message: Any) -> dict[str, Any]:
        """What comes at the end of an analysis, or of another thing to do, that is in order."""
        self.send(id=number, do=do, **message)
        end = self.until("done", "error", number=number)
        assert end["kind"] == "done", end
        return end

    def refused(self, do: str = "analyse", number: int = 1, **message: Any) -> str:
        """The sentence that refuses something."""
        self.send(id=number, do=do, **message)
        return self.until("error", "done", number=number)["error"]

    def receive(self, seconds: float = 300.0) -> dict[str, Any]:
        self.received.append(json.loads(self._connection.recv(timeout=seconds)))
        return self.received[-1]

    def until(self, *kinds: str, number: int | None = 1) -> dict[str, Any]:
        """The next message of one of these kinds of an analysis."""
        until = time.monotonic() + 600
        while time.monotonic() < until:
            message = self.receive()
            if message["kind"] in kinds and message["id"] == number:
                return message
        raise AssertionError(f"no {kinds} came, but {[one['kind'] for one in self.received][-20:]}")

    def of(self, kind: str, number: int = 1) -> list[dict[str, Any]]:
        """What came of that kind."""
        return [one for one in self.received if one["kind"] == kind and one["id"] == number]


@contextmanager
def client_of(address: str, **options: Any) -> Generator[Client]:
    """A client that is connected."""
    with connect(address, compression=None, open_timeout=60, **options) as connection:
        yield Client(connection)
