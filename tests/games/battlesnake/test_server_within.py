"""Which requests are worked on first, and clients that are slow or say nothing, at a server in a thread of this process."""

import asyncio
import functools
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from saddlepoint.games.battlesnake import server as module
from saddlepoint.games.battlesnake.server import Admission, Arrivals
from saddlepoint.system.sockets import HttpConnection, listen


class Games:
    are_played = True


class Answers:
    """Has one game under way, `game`."""

    games = Games()

    def is_under_way(self, data: dict[str, Any]) -> bool:
        return data["id"] == "game"


async def admit(admission: Admission, name: str, log: list[str]) -> None:
    try:
        await admission.wait({"id": name})
        log.append(name)
    except Exception as error:
        log.append(f"{name}: {error}")


async def burst(count: int, *then: str) -> list[str]:
    """What becomes of so many requests at once, and of others that come then."""
    log: list[str] = []
    admission = Admission(Answers())  # type: ignore[arg-type]
    tasks = [asyncio.create_task(admit(admission, str(number), log)) for number in range(count)]
    await asyncio.sleep(0)
    await asyncio.gather(*(admit(admission, name, log) for name in then))
    await asyncio.gather(*tasks)
    return log


@pytest.mark.plain
def test_a_game_under_way_goes_before_two_hundred_that_wait() -> None:
    log = asyncio.run(burst(200, "game"))
    assert log.index("game") <= 1 and set(log) == {"game", *map(str, range(200))}
    newest_first = [str(number) for number in range(199, -1, -1)]
    assert log[2:] == [name for name in newest_first if name not in log[:2]]


@pytest.mark.plain
def test_where_too_many_wait_the_oldest_is_refused_at_once() -> None:
    log = asyncio.run(burst(300))
    assert sorted(log[:44]) == sorted(f"{number}: too many requests at once" for number in range(44))
    assert len(log) == 300 and not any("too many" in line for line in log[44:])


@pytest.mark.plain
def test_a_request_that_came_while_the_loop_was_at_work_is_as_old_as_that_work() -> None:
    arrivals = Arrivals()
    here, there = socket.socketpair()
    with here, there, arrivals:
        arrivals.register(here, 1)
        assert not arrivals.select(0)
        began = time.monotonic()
        there.send(b"x")
        time.sleep(0.02)
        assert arrivals.select(1)
        assert arrivals.earliest <= began
        here.recv(1)
        asyncio.run(asyncio.sleep(0))
        assert not arrivals.select(0.05)
        assert arrivals.earliest >= began + 0.05  # what is waited for comes when it is found


# -- connections ---------------------------------------------------------------------------------------------------------

PATIENCE = 60.0


class Up:
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
    listening, answers = listen("127.0.0.1", 0), Up()
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
