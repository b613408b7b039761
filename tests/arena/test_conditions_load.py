"""Others that want the cores are noticed while games run, said once, and kept with each game."""

from dataclasses import replace

import pytest

from helpers.arena_games import NODES, TIMED, plan
from saddlepoint.arena import conditions as load, workers
from saddlepoint.arena.conditions import Job, Load, PlayedGame
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.standings import Standings
from saddlepoint.arena.summary import match_summary, tournament_summary
from saddlepoint.arena.tournament import TournamentOutcome, run_tournament
from saddlepoint.cli.tournament import print_match, print_tournament
from saddlepoint.players.base import Fault, FaultKind

CALM, BUSY, STOLEN = Load(1.0, 2, 0.6, 0.0), Load(9.0, 2, 1.0, 0.0), Load(1.0, 2, 0.9, 0.3)


@pytest.mark.parametrize(
    ("found", "games", "problem"),
    [
        (CALM, 2, ""),
        (BUSY, 2, "the load is 9.0 on 2 core(s)"),
        (STOLEN, 2, "virtual machines take 30 %"),
        (Load(8.5, 8, 1.0), 8, ""),  # of so many games at a time it is their own
        (Load(9.0, 8, 0.5), 8, ""),  # waiting for a disk
    ],
)
def test_a_load_is_a_problem_where_others_take_the_cores(found: Load, games: int, problem: str) -> None:
    assert problem in found.problem(games)
    assert bool(found.problem(games)) == bool(problem)


def test_the_system_is_asked_once_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    read = load._Meter().read
    first = read()
    assert first.cores >= 1 and first.average >= 0
    assert read() is first
    monkeypatch.setattr(load, "_WINDOW", 0.0)
    assert read() is not first


def test_what_becomes_of_the_machine_is_said_once_and_kept_with_the_games(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    loads = iter([CALM, CALM, BUSY, CALM, BUSY, STOLEN])
    monkeypatch.setattr(workers, "current_load", lambda: next(loads))
    said: list[str] = []
    outcome = run_tournament(RoundRobin(("random", "random")), plan(6), TIMED, ledger=ledger, say=said.append)
    assert [entry.played.load for entry in ledger.games()] == [CALM, CALM, BUSY, CALM, BUSY, STOLEN]
    assert len(said) == 1
    assert "the load is 9.0 on 2 core(s)" in said[0]
    assert tournament_summary(outcome, ("random",))["busy"] == "the load is 9.0 on 2 core(s)"


def test_without_a_clock_nobody_needs_to_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "current_load", lambda: BUSY)
    said: list[str] = []
    run_tournament(RoundRobin(("random", "random")), plan(2), NODES, say=said.append)
    assert said == []


def test_what_makes_a_result_doubtful_is_its_first_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "current_load", lambda: BUSY)
    monkeypatch.setattr("saddlepoint.arena.conditions.system_tells", lambda: False)
    outcome = run_tournament(RoundRobin(("random", "random")), plan(2), TIMED)
    match, tournament = match_summary(outcome, "random", "random"), tournament_summary(outcome, ("random",))
    for data, shown in ((match, print_match), (tournament, print_tournament)):
        assert data["warnings"] == [
            "this system does not tell how long a player waits for a core: the processor time counts"
        ]
        shown(data)
        assert capsys.readouterr().out.startswith("warning: this system does not tell")


def test_games_lost_by_late_answers_on_a_busy_machine_are_told_above_the_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = TournamentOutcome(Standings(), 2, busy="the load is 9.0 on 2 core(s)")
    for number, fault in enumerate((Fault(FaultKind.LATE, 0, 3, "late"), None)):
        outcome.standings.add(PlayedGame(Job(number, 0, ("a", "b"), "", 0), -1.0, 0.0, "", (fault, None)))
    data = match_summary(outcome, "a", "b")
    assert [sentence.partition(" (")[0] for sentence in data["warnings"]] == [
        "1 game lost by late answers, on a busy machine"
    ]
    print_match(data)
    assert capsys.readouterr().out.startswith("warning: 1 game lost")
    assert match_summary(replace(outcome, busy=""), "a", "b")["warnings"] == []


@pytest.mark.parametrize(
    ("tells", "player", "told"),
    [
        (True, "random", ""),
        (True, "cmd:./bot", ""),
        (True, 'snake(command="./snake")', ""),
        (True, "http://127.0.0.1:8000", "nobody tells how long http://127.0.0.1:8000 waits"),
        (False, "random", "this system does not tell"),
    ],
)
def test_it_is_said_whose_waits_for_a_core_are_not_known(
    monkeypatch: pytest.MonkeyPatch, tells: bool, player: str, told: str
) -> None:
    monkeypatch.setattr("saddlepoint.arena.conditions.system_tells", lambda: tells)
    said = load.unreported((player, "best"))
    assert said.startswith(told) and bool(said) == bool(told)
