"""Others that want the cores are noticed while games run, said once, and kept with each game."""

from pathlib import Path

import pytest

from arena_games import NODES, TIMED, plan
from saddlepoint.arena import load
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.load import Load, current_load
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.summary import tournament_summary
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.workers import worker

CALM, BUSY, STOLEN = Load(1.0, 2, 0.6, 0.0), Load(9.0, 2, 1.0, 0.0), Load(1.0, 2, 0.9, 0.3)


@pytest.mark.parametrize(("found", "problem"), [(CALM, ""), (BUSY, "the load is 9.0 on 2 core(s)"), (STOLEN, "virtual machines take 30 %")])
def test_a_load_is_a_problem_where_others_take_the_cores(found: Load, problem: str) -> None:
    assert problem in found.problem(2)
    assert bool(found.problem(2)) == bool(problem)
    assert Load.from_json(found.to_json()) == found


def test_a_load_of_many_games_at_a_time_is_their_own() -> None:
    assert Load(8.5, 8, 1.0).problem(8) == ""
    assert Load(9.0, 8, 0.5).problem(8) == ""  # waiting for a disk


def test_the_system_is_asked_once_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_meter", load._Meter())
    first = current_load()
    assert current_load() is first
    monkeypatch.setattr(load, "_WINDOW", 0.0)
    assert current_load() is not first


def test_what_becomes_of_the_machine_is_said_once_and_kept_with_the_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loads = iter([CALM, CALM, BUSY, CALM, BUSY, STOLEN])
    monkeypatch.setattr(worker, "current_load", lambda: next(loads))
    said: list[str] = []
    with Ledger(tmp_path / "games.db") as ledger:
        outcome = run_tournament(RoundRobin(("random", "random")), plan(6), TIMED, ledger=ledger, say=said.append)
        assert [entry.played.load for entry in ledger.games()] == [CALM, CALM, BUSY, CALM, BUSY, STOLEN]
    assert len(said) == 1
    assert "the load is 9.0 on 2 core(s)" in said[0]
    assert tournament_summary(outcome, ("random",))["busy"] == "the load is 9.0 on 2 core(s)"


def test_without_a_clock_nobody_needs_to_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "current_load", lambda: BUSY)
    said: list[str] = []
    run_tournament(RoundRobin(("random", "random")), plan(2), NODES, say=said.append)
    assert said == []
