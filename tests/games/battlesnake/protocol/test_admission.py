"""Which requests are worked on first: the games under way, whatever else comes at once."""

import asyncio
import socket
import time

from saddlepoint.games.battlesnake.protocol.admission import Admission, Arrivals


class Connection:
    """Keeps what it was given to do."""

    def __init__(self, log: list[tuple[str, bytes]], name: str) -> None:
        self._log, self._name = log, name
        self.is_closing = False
        self.since: list[float] = []

    def take(self, data: bytes, since: float) -> None:
        self._log.append((self._name, data))
        self.since.append(since)

    def refuse(self) -> None:
        self._log.append((self._name, b"refused"))


async def let_in(log: list[tuple[str, bytes]], count: int) -> None:
    """Wait until so many were taken or refused."""
    async with asyncio.timeout(60):
        while len(log) < count:
            await asyncio.sleep(0)


def test_a_game_under_way_goes_before_two_hundred_that_wait() -> None:
    async def burst() -> list[tuple[str, bytes]]:
        log: list[tuple[str, bytes]] = []
        admission = Admission()
        admission.know("game")
        for number in range(200):
            admission.receive(number, Connection(log, str(number)), b"burst")
        await asyncio.sleep(0)
        admission.receive("game", Connection(log, "game"), b"move")
        await let_in(log, 201)
        return log

    log = asyncio.run(burst())
    assert log.index(("game", b"move")) <= 3
    assert {name for name, _ in log} == {"game", *map(str, range(200))}


def test_beside_a_game_under_way_the_others_get_a_quarter_of_the_loops_time() -> None:
    work, count = 0.005, 10

    class Slow(Connection):
        def take(self, data: bytes, since: float) -> None:
            time.sleep(work)
            super().take(data, since)

    async def burst() -> float:
        log: list[tuple[str, bytes]] = []
        admission = Admission()
        admission.know("game")
        began = time.monotonic()
        for number in range(count):
            admission.receive(number, Slow(log, str(number)), b"burst")
        await let_in(log, count)
        return time.monotonic() - began

    assert asyncio.run(burst()) >= count * work + (count - 1) * 3 * work


def test_of_those_that_wait_the_newest_goes_first_and_one_that_has_waited_too_long_is_refused() -> None:
    async def burst() -> list[tuple[str, bytes]]:
        log: list[tuple[str, bytes]] = []
        admission = Admission(patience=0.0)
        for number in range(3):
            admission.receive(number, Connection(log, str(number)), b"burst")
        time.sleep(0.01)
        await let_in(log, 3)
        late = Admission()
        for number in range(3, 6):
            late.receive(number, Connection(log, str(number)), b"burst")
        await let_in(log, 6)
        return log

    log = asyncio.run(burst())
    assert log[:3] == [("2", b"refused"), ("1", b"refused"), ("0", b"refused")]
    assert log[3:] == [("5", b"burst"), ("4", b"burst"), ("3", b"burst")]


def test_where_too_many_wait_the_oldest_is_refused_at_once() -> None:
    async def burst() -> list[tuple[str, bytes]]:
        log: list[tuple[str, bytes]] = []
        admission = Admission()
        for number in range(300):
            admission.receive(number, Connection(log, str(number)), b"burst")
        assert log == [(str(number), b"refused") for number in range(44)]  # 256 wait
        await let_in(log, 300)
        return log

    assert sum(said == b"burst" for _, said in asyncio.run(burst())) == 256


def test_what_a_connection_says_stays_in_order_and_of_one_that_is_closed_nothing_is_left() -> None:
    async def said() -> list[tuple[str, bytes]]:
        log: list[tuple[str, bytes]] = []
        admission = Admission()
        one, other = Connection(log, "one"), Connection(log, "other")
        admission.receive("a", one, b"1")
        admission.receive("b", other, b"1")
        admission.know("a")
        admission.receive("a", one, b"2")
        admission.forget("b", other)
        await let_in(log, 2)
        await asyncio.sleep(0.01)
        admission.forget("a", one)
        admission.receive("a", one, b"3")
        assert len(log) == 2  # a new connection from there is not known
        await let_in(log, 3)
        return log

    assert asyncio.run(said()) == [("one", b"1"), ("one", b"2"), ("one", b"3")]


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
