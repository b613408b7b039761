"""A move for every question, whatever goes wrong."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

from protocols.battlesnake.snake_requests import asked, snake
from saddlepoint.protocols.battlesnake.answers import Answers


def test_a_defect_costs_a_good_move_but_not_the_move() -> None:
    told: list[str] = []

    def make_player(*_: Any) -> Any:
        raise ValueError("there is no player")

    def defect(*_: Any) -> Any:
        raise RuntimeError("a defect")

    answers = Answers("best", lambda: make_player, SimpleNamespace(tell=told.append))  # type: ignore[arg-type]
    answers.machine.moments = defect  # type: ignore[method-assign]
    corner = asked(snake("me", [(0, 0), (1, 0), (2, 0)]), snake("b", [(5, 5), (5, 6), (5, 7)]))
    assert asyncio.run(answers.move(corner, time.monotonic())) == "up"
    answers.close()
    assert answers.ended(time.monotonic() + 10)
    assert any(line.endswith("a safe move, not best: RuntimeError('a defect')") for line in told)
