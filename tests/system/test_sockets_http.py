"""The connections of our servers, at a server in a thread of this process: nobody is kept out by who says nothing whole."""

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from saddlepoint.system.sockets import HttpConnection, listen

pytestmark = pytest.mark.plain

PATIENCE = 60.0
MOST = 8
HALF_SENT = b"GET / HTTP/1.1\r\nhost: x\r\n"
WHOLE = HALF_SENT + b"\r\n"


class Slow:
    """Answers `/` at once, and `/slow` when it is told to."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.asked = threading.Semaphore(0)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/slow":
            self.asked.release()
            while not self.may_end.is_set():
                await asyncio.sleep(0.01)
        if scope["path"] == "/body":
            while (await receive()).get("more_body"):
                pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def app() -> Slow:
    return Slow()


@pytest.fixture
def port(app: Slow, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(HttpConnection, "most", MOST)
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="error",
        lifespan="off",
        http=HttpConnection,
        ws="none",
        limit_concurrency=MOST,
        timeout_keep_alive=int(PATIENCE),
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield int(listening.getsockname()[1])
    app.may_end.set()
    server.should_exit = True
    thread.join(PATIENCE)
    listening.close()


def connected(port: int, said: bytes = b"") -> socket.socket:
    """A connection on which this was said."""
    made = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    made.sendall(said)
    return made


def answer(connection: socket.socket) -> bytes:
    """What comes, to the end of an answer or of the connection."""
    said = b""
    try:
        while not said.endswith(b"\r\n\r\nok") and (part := connection.recv(4096)):
            said += part
    except ConnectionResetError:
        pass
    return said


def is_answered(port: int) -> bool:
    """Whether a new connection's request is."""
    with connected(port, WHOLE) as new:
        return answer(new).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /",
        HALF_SENT,
        WHOLE + HALF_SENT,
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nx",
    ],
)
def test_the_head_of_a_request_has_a_time_limit(port, monkeypatch, said):
    monkeypatch.setattr(HttpConnection, "header_seconds", 0.3)
    with connected(port, said) as connection:
        while answer(connection):
            if said.endswith(b"\r\n\r\nx"):
                connection.sendall(b"x")  # a body that nobody reads is no request either
    assert is_answered(port)


def test_a_request_that_is_answered_slowly_has_no_time_limit(port, app, monkeypatch):
    monkeypatch.setattr(HttpConnection, "header_seconds", 0.2)
    with connected(port, WHOLE.replace(b"/ ", b"/slow ", 1)) as connection:
        connection.settimeout(1.0)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        app.may_end.set()
        assert answer(connection).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("said", [b"", HALF_SENT, WHOLE])
def test_however_many_hold_connections_a_new_one_is_answered(port, said):
    held = [connected(port, said) for _ in range(3 * MOST)]
    for _ in range(2 * MOST):
        assert is_answered(port)
    for one in held:
        one.close()


def test_who_is_being_answered_keeps_the_place(port, app):
    with connected(port, WHOLE.replace(b"/ ", b"/slow ", 1)) as first:
        assert app.asked.acquire(timeout=PATIENCE)
        held = [connected(port, HALF_SENT) for _ in range(3 * MOST)]
        assert is_answered(port)
        app.may_end.set()
        assert answer(first).startswith(b"HTTP/1.1 200")
        for one in held:
            one.close()


@pytest.mark.parametrize(
    "said",
    [
        b"\x16\x03\x01\x02\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}",
        b"POST /body HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}",
        b"POST /body HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n",
        WHOLE + b"\xff\xfe\r\n\r\n",
    ],
)
def test_what_is_no_http_is_sent_away_without_a_trace(port, caplog, said):
    with caplog.at_level(logging.DEBUG), connected(port, said) as connection:
        while answer(connection):
            pass
    assert is_answered(port)
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
