"""The server of the page, asked in this process."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from helpers.programs import wait_until
from saddlepoint.web.app import Starting, make_app
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
        make_app(Starting(lambda: service), access or Access(), store),
        base_url=ADDRESS,
        raise_server_exceptions=False,
    ) as asked:
        yield Client(asked, service)
