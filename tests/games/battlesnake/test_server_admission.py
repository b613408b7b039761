"""Which requests are worked on first: the games under way, whatever else comes at once."""

import asyncio
import socket
import time
from typing import Any

import pytest

from saddlepoint.games.battlesnake.server import Admission, Arrivals

pytestmark = pytest.mark.plain


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


def test_a_game_under_way_goes_before_two_hundred_that_wait() -> None:
    log = asyncio.run(burst(200, "game"))
    assert log.index("game") <= 1 and set(log) == {"game", *map(str, range(200))}
    newest_first = [str(number) for number in range(199, -1, -1)]
    assert log[2:] == [name for name in newest_first if name not in log[:2]]


def test_where_too_many_wait_the_oldest_is_refused_at_once() -> None:
    log = asyncio.run(burst(300))
    assert sorted(log[:44]) == sorted(f"{number}: too many requests at once" for number in range(44))
    assert len(log) == 300 and not any("too many" in line for line in log[44:])


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
