"""Games in one process."""

from types import SimpleNamespace

import pytest

from arena_games import NODES, SMALL
from saddlepoint.arena.job import Job, PlayedGame
from saddlepoint.arena.workers import worker


def test_a_move_is_not_charged_for_collecting_what_was_there_before_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    collector = SimpleNamespace(freeze=lambda: told.append("freeze"), unfreeze=lambda: told.append("unfreeze"))
    monkeypatch.setattr(worker, "gc", collector)
    pool = worker.PlayerPool(NODES)
    job = Job(0, 0, ("random", "random"), SMALL.to_text(SMALL.initial_state()), 1)
    try:
        for _ in range(2):
            assert isinstance(pool.play(job, lambda state, actions: told.append("step")), PlayedGame)
    finally:
        pool.close()
    first = told.index("unfreeze") + 1
    assert told[:first] == ["freeze", *["step"] * (first - 2), "unfreeze"] and first > 3
    assert told[first:] == told[:first]  # the same game


def test_of_games_side_by_side_the_last_one_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    collector = SimpleNamespace(freeze=lambda: told.append("freeze"), unfreeze=lambda: told.append("unfreeze"))
    monkeypatch.setattr(worker, "gc", collector)
    one, two = worker._short_collections(), worker._short_collections()
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    assert told == ["freeze"]
    two.__exit__(None, None, None)
    assert told == ["freeze", "unfreeze"]
