"""Clients that are slow or say nothing, at a server in a thread of this process."""

import asyncio
import functools
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from saddlepoint.games.battlesnake import server as module
from saddlepoint.system.sockets import HttpConnection, listen

PATIENCE = 60.0


class Answers:
    """Says `up` to everything."""

    async def move(self, data: dict[str, Any], asked: float) -> str:
        return "up"

    def sent(self, data: dict[str, Any], asked: float) -> None:
        pass

    def is_under_way(self, data: dict[str, Any]) -> bool:
        return True

    async def watch(self) -> None:
        await asyncio.sleep(PATIENCE)

    def close(self) -> None:
        pass


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(HttpConnection, "header_seconds", 0.5)
    monkeypatch.setattr(module, "_BODY_SECONDS", 0.2)
    listening, answers = listen("127.0.0.1", 0), Answers()
    app = module.make_app(answers, module.Looks().info("0"))  # type: ignore[arg-type]
    connection: Any = functools.partial(module._Connection, module.Arrivals())
    config = uvicorn.Config(
        app, log_config=None, lifespan="off", http=connection, ws="none", timeout_keep_alive=1
    )
    server = module._Server(config, answers)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield int(listening.getsockname()[1])
    server.should_exit = True
    thread.join(PATIENCE)
    listening.close()


def read_all(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    connection.settimeout(PATIENCE)
    parts: list[bytes] = []
    try:
        while part := connection.recv(4096):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.mark.parametrize("said", [b"", b"POST /mo", b"POST /move HTTP/1.1\r\nhost: x\r\n"])
def test_who_says_nothing_whole_is_sent_away(port: int, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(said)
        assert read_all(connection) == b""


def test_a_connection_that_was_asked_on_is_kept_for_a_while_and_then_closed(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for _ in range(2):
            connection.sendall(b"POST /move HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}")
            answer = b""
            while not answer.endswith(b"}"):
                answer += connection.recv(4096)
            assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b'{"move":"up"}')
        assert read_all(connection) == b""


def test_a_body_that_does_not_come(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"POST /move HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{")
        assert b"408" in connection.recv(4096).splitlines()[0]
