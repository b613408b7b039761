"""Garbage collections at moments at which nobody waits."""

import gc

import pytest

from arena_games import NODES, SMALL
from saddlepoint.arena.job import Job, PlayedGame
from saddlepoint.arena.workers.worker import MatchPlayers
from saddlepoint.play.collector import pause_of_collector, short_collections


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the collector is told for games; it stays as it is."""
    told: list[str] = []
    monkeypatch.setattr(short_collections, "_begin", lambda: told.append("freeze"))
    monkeypatch.setattr(short_collections, "_end", lambda: told.append("unfreeze"))
    return told


def test_a_move_is_not_charged_for_collecting_what_was_there_before_the_game(told: list[str]) -> None:
    players = MatchPlayers()
    job = Job(0, 0, ("random", "random"), SMALL.to_text(SMALL.initial_state()), 1)
    try:
        for _ in range(2):
            assert isinstance(players.play(NODES, job, lambda state, actions: told.append("step")), PlayedGame)
    finally:
        players.close()
    first = told.index("unfreeze") + 1
    assert told[:first] == ["freeze", *["step"] * (first - 2), "unfreeze"] and first > 3
    assert told[first:] == told[:first]  # the same game


def test_of_games_side_by_side_the_last_one_ends_it(told: list[str]) -> None:
    one, two = short_collections(), short_collections()
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    assert told == ["freeze"]
    two.__exit__(None, None, None)
    assert told == ["freeze", "unfreeze"]


def test_nothing_is_collected_while_a_player_is_made_whatever_becomes_of_it() -> None:
    with pytest.raises(ValueError, match="no player"), pause_of_collector():
        assert not gc.isenabled()
        raise ValueError("no player")
    assert gc.isenabled()
