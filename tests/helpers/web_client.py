"""The server of the page, asked in this process; people at a table, by the sockets of their pages."""

import contextlib
import json
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpers.programs import wait_until
from saddlepoint.web.app import make_app
from saddlepoint.web.friends.store import Store
from saddlepoint.web.security import Access
from saddlepoint.web.service import Served, Service

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have another client underneath
    from starlette.testclient import TestClient

ADDRESS = "http://127.0.0.1:8000"
GOOFSPIEL = "goofspiel(cards=3)"
RIDERS = "light_riders(width=6, height=6)"


class Client:
    """Asks a server; what is still being compiled is asked for again, as the page does."""

    def __init__(self, client: TestClient, service: Service) -> None:
        self.http, self.service = client, service

    def post(self, path: str, body: Any, **options: Any) -> Any:
        """The response to JSON."""

        def compiled(response: Any) -> bool:
            assert response.status_code != 202 or set(response.json()) == {"compiling", "seconds", "ahead"}
            return response.status_code != 202

        return wait_until(lambda: self.http.post(path, json=body, **options), 300.0, ready=compiled)

    def told(self, path: str, body: Any) -> Any:
        """What is answered to a request that is in order."""
        response = self.post(path, body)
        assert response.status_code == 200, response.text
        return response.json()

    def refused(self, path: str, body: Any, status: int = 400) -> str:
        """The sentence that refuses a request."""
        return self.sentence(self.post(path, body), status)

    def get(self, path: str, **options: Any) -> Any:
        """What is there."""
        response = self.http.get(path, **options)
        assert response.status_code == 200, response.text
        return response.json()

    def channel(self, path: str) -> Any:
        """A WebSocket, to be used in a `with` statement."""
        return self.http.websocket_connect(f"ws{ADDRESS.removeprefix('http')}{path}")

    @staticmethod
    def sentence(response: Any, status: int) -> str:
        """The one sentence of an error."""
        assert response.status_code == status, response.text
        assert set(response.json()) == {"error"}
        sentence = response.json()["error"]
        assert sentence and "\n" not in sentence and "Traceback" not in sentence
        return sentence


@contextmanager
def client(access: Access | None = None, store: Store | None = None, **given: Any) -> Iterator[Client]:
    """A server with what the command line gave; with a store people can play each other."""
    service = Service(Served(**{"games": {}, **given}))
    with TestClient(
        make_app(service, access or Access(), store),
        base_url=ADDRESS,
        raise_server_exceptions=False,
    ) as asked:
        yield Client(asked, service)


# -- tables of friends ---------------------------------------------------------------------------------------------------

CARDS, ROWS = "goofspiel(cards=3)", "tic_tac_toe"


def refused(message: Any) -> bool:
    return "error" in message


class Visitor:
    """Somebody with a link: what the page would send, and what it is sent."""

    def __init__(self, channel: Any, key: str) -> None:
        self.key, self.heard = key, list[str]()
        self._channel = channel
        self.say("open", key=key)

    def say(self, do: str, **more: Any) -> None:
        self._channel.send_text(json.dumps({"do": do, **more}))

    def hear(self, until: Callable[[Any], bool] = bool) -> Any:
        """The next message of which this holds; a refusal that nobody waits for is a failure."""
        while True:
            self.heard.append(self._channel.receive_text())
            message = json.loads(self.heard[-1])
            if until is not refused:
                assert "error" not in message, message
            if until(message):
                return message

    def leave(self) -> None:
        """Close the channel."""
        self._channel.close()

    def refusal(self) -> str:
        """The sentence that refuses what was said."""
        return self.hear(refused)["error"]


@contextlib.contextmanager
def friends(folder: Path, **given: Any) -> Generator[tuple[Client, Callable[[str], Visitor]]]:
    """A server with a file of tables, and what makes somebody with a link."""
    with (
        client(store=Store(folder / "played.db", 100, 1.0), **given) as asked,
        contextlib.ExitStack() as stack,
    ):
        yield asked, lambda key: Visitor(stack.enter_context(asked.channel("/ws/table")), key)


def seated(visit: Any, game: str = CARDS, **more: Any) -> tuple[Visitor, Visitor, Any]:
    """Two people at a new table, and what the first sees of it."""
    asked, come = visit
    host = come(asked.told("/api/tables", {"game": game, "name": "Ann", **more})["key"])
    guest = come(host.hear()["invite"])
    guest.say("sit", name="Bob")
    for one in (host, guest):
        table = one.hear(lambda message: all(message["names"]))
    return host, guest, table
