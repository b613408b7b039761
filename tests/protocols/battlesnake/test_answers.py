"""A move for every question, whatever goes wrong."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

from protocols.battlesnake.snake_requests import asked, snake
from saddlepoint.protocols.battlesnake.answers import Answers
from saddlepoint.spec import SpecError


def test_a_defect_costs_a_good_move_but_not_the_move() -> None:
    told: list[str] = []

    def make_player(*_: Any) -> Any:
        raise ValueError("there is no player")

    def defect(*_: Any) -> Any:
        raise RuntimeError("a defect")

    answers = Answers("best", lambda: make_player, SimpleNamespace(tell=told.append))  # type: ignore[arg-type]
    answers.machine.moments = defect  # type: ignore[method-assign]
    corner = asked(snake("me", [(0, 0), (1, 0), (2, 0)]), snake("b", [(5, 5), (5, 6), (5, 7)]))
    try:
        for _ in range(2):
            assert asyncio.run(answers.move(corner, time.monotonic())) == "up"
    finally:
        answers.close()
        assert answers.ended(time.monotonic() + 10)
    assert sum("a safe move, not best: RuntimeError('a defect') in defect, line " in line for line in told) == 1
    answers.end(corner)
    assert "2 by the look-ahead (a defect: 2)" in told[-1]


def test_where_there_is_no_such_player_a_game_that_has_begun_is_played_to_its_end() -> None:
    told: list[str] = []

    def make_player(*_: Any) -> Any:
        raise SpecError("no player is called 'nosuch'")

    async def played() -> None:
        answers.start(corner)
        watching = asyncio.create_task(answers.watch())
        async with asyncio.timeout(60):
            while not answers.pool.refusal:
                await asyncio.sleep(0.01)
        assert await answers.move(corner, time.monotonic()) == "up"
        await asyncio.sleep(0.3)
        assert not watching.done()
        answers.end(corner)
        await asyncio.wait_for(watching, 10)

    answers = Answers("nosuch", lambda: make_player, SimpleNamespace(tell=told.append))  # type: ignore[arg-type]
    corner = asked(snake("me", [(0, 0), (1, 0), (2, 0)]), snake("b", [(5, 5), (5, 6), (5, 7)]), timeout=10_000)
    try:
        asyncio.run(played())
    finally:
        answers.close()
        assert answers.ended(time.monotonic() + 10)
    assert any("a look-ahead moved, not nosuch: no player is called 'nosuch'" in line for line in told)
