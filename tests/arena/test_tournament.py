"""Tournaments: every opening from both sides, repeatable, on one process or several, whatever happens to them."""

import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from helpers.arena_games import (
    NODES,
    SEARCH,
    TIMED,
    interrupt,
    numbers,
    once_played,
    plan,
    played,
    resumable,
)
from helpers.bots import command
from helpers.programs import worker_processes
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.schedule import Knockout, Ladder, RoundRobin
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.workers import LocalWorkers, make_workers
from saddlepoint.system.processes import _interrupts_held_back


@pytest.mark.slow
def test_the_same_seed_and_nodes_give_the_same_games_however_many_processes() -> None:
    _, alone = played(SEARCH, "random", games=12)
    _, together = played(SEARCH, "random", games=12, workers=LocalWorkers(2))
    _, other = played(SEARCH, "random", games=12, seed=2)
    assert [game.actions for game in alone] == [game.actions for game in together]
    assert [game.actions for game in alone] != [game.actions for game in other]
    assert [game.job.number for game in together] == list(range(12))


def test_the_score_is_each_players_on_either_side(tmp_path: Path) -> None:
    crash = "cmd:" + command(tmp_path, "crash_at_once")
    outcome, games = played("random", crash, conditions=TIMED)
    assert [game.points for game in games] == [1.0, 0.0] * 2
    assert all("exited with code 3" in game.reason and game.cause == "crash" for game in games)
    standings = outcome.standings
    assert (
        standings.between("random", crash).score.wins,
        standings.between(crash, "random").score.losses,
    ) == (4, 4)
    assert standings.players[crash].lost_by == {"crash": 4}
    assert standings.fault_count == len(standings.faults) == 4


def test_a_player_that_cannot_be_made_on_the_day_loses_and_the_others_play_on(tmp_path: Path) -> None:
    gone = f"cmd:{tmp_path}/gone"
    outcome, _ = played("random", gone, SEARCH, games=2)
    assert outcome.standings.players[gone].score.losses == 4
    assert outcome.standings.between("random", SEARCH).score.games == 2
    assert not outcome.unplayable


def test_an_interruption_keeps_what_was_played_and_leaves_no_process() -> None:
    before = set(psutil.Process().children(recursive=True))
    for workers in (None, LocalWorkers(2)):
        outcome, games = played(
            "random", "random", games=4000, workers=workers, watch=once_played(3, interrupt)
        )
        assert outcome.interrupted
        assert len(games) == outcome.standings.games == 3
    left = [child for child in psutil.Process().children(recursive=True) if child not in before]
    assert not [child for child in left if "resource_tracker" not in " ".join(child.cmdline())]


def test_a_test_that_is_decided_ends_the_games() -> None:
    outcome = run_tournament(
        RoundRobin((SEARCH, "random")), plan(100), NODES, decided=lambda standings: standings.games >= 10
    )
    assert outcome.decided
    assert outcome.standings.games == 10


@pytest.mark.slow
def test_a_process_that_is_killed_costs_no_game() -> None:
    def kill() -> None:
        worker_processes()[0].kill()

    workers = LocalWorkers(2)
    outcome, games = played("random", "random", games=100, workers=workers, watch=once_played(20, kill))
    assert [game.job.number for game in games] == list(range(100))
    assert not outcome.unplayable
    assert all(game.cause == "rules" for game in games)


def test_what_was_played_is_not_played_again(ledger: Ledger) -> None:
    schedule, some = RoundRobin(("random", SEARCH, "alphabeta(evaluator=voronoi, depth=1)")), plan(4)
    first = run_tournament(schedule, some, NODES, ledger=ledger, on_game=once_played(5, interrupt))
    assert first.interrupted
    number = resumable(ledger, schedule, some, NODES)
    again = run_tournament(schedule, some, NODES, ledger=ledger, tournament=number)
    assert (again.played, again.standings.games) == (7, 12)
    assert sorted(numbers(ledger, number)) == list(range(12))
    whole = run_tournament(schedule, some, NODES, ledger=ledger)
    one, two = ([e.played for e in ledger.games(Filter(tournament=k))] for k in (number, number + 1))
    key = {game.job.number: game.actions for game in one}
    assert key == {game.job.number: game.actions for game in two}
    assert whole.standings.table() == again.standings.table()


@pytest.mark.parametrize("kind", [Knockout, Ladder])
def test_a_later_stage_depends_on_the_results_of_those_before(
    kind: Any, ledger: Ledger, tmp_path: Path
) -> None:
    crash = "cmd:" + command(tmp_path, "crash_at_once")
    players = (crash, "random", SEARCH)
    outcome = run_tournament(kind(players), plan(2), NODES, ledger=ledger)
    assert outcome.standings.games == kind(players).planned(plan(2)) == 4
    # The crashing one is first seeded, and meets the winner of the other two.
    winner = max(
        ("random", SEARCH),
        key=lambda one: outcome.standings.points(one, "random" if one == SEARCH else SEARCH),
    )
    assert outcome.standings.between(crash, winner).score.losses == 2
    assert ledger.tournaments()[0].finished


@pytest.mark.parametrize(
    "name",
    ["spark://here:1", "dask://", "dask://here", "dask://here:there", "dask://http://here:1", "here:1"],
)
def test_an_executor_is_named_as_a_dask_address(name: str) -> None:
    with pytest.raises(ValueError, match="dask://HOST:PORT"):
        make_workers(name, 1)


def test_ctrl_c_while_a_game_is_handed_out_is_put_off_and_not_lost() -> None:
    handed_out = False
    with pytest.raises(KeyboardInterrupt), _interrupts_held_back():
        signal.raise_signal(signal.SIGINT)
        handed_out = True
    assert handed_out
