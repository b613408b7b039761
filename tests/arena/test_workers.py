"""Processes of this machine that play games, and the players of a match in one of them."""

import gc
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SMALL, plan
from helpers.programs import worker_processes
from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.workers import LocalWorkers, MatchPlayers, close_players
from saddlepoint.players.base import RandomPlayer
from saddlepoint.system.processes import Processes


def test_games_handed_to_processes_that_have_just_ended_are_lost_like_those_that_these_played() -> None:
    workers = LocalWorkers(1)
    schedule, two = RoundRobin(("random", "random")), plan(2)
    jobs = [job for stage in schedule.stages(two, {}) for job in two.jobs(stage)]
    try:
        assert len(workers.submit(NODES, jobs[:1]).result(timeout=120)) == 1
        for process in worker_processes():
            process.kill()
        deadline = time.monotonic() + 30
        while not (lost := workers.submit(NODES, jobs[1:]).exception(timeout=30)):
            assert time.monotonic() < deadline
        assert workers.is_death(lost)
        again = workers.submit(NODES, jobs[1:]).exception(timeout=30)
        assert again is not None
        assert workers.is_death(again), "no error of the arena's own"
        workers.restart()
        assert len(workers.submit(NODES, jobs[1:]).result(timeout=120)) == 1
    finally:
        workers.close(at_once=True)


@pytest.mark.slow
@pytest.mark.parametrize("victim", range(2))
def test_a_process_that_is_killed_at_the_end_does_not_hold_up_the_others(victim: int) -> None:
    """Of two that wait for work one holds the lock of the queue, and cannot give it back."""
    workers = Processes(2, close_players)
    for wait in [workers.run(time.sleep, 0.3) for _ in range(2)]:
        wait.result(timeout=120)
    processes = worker_processes()
    assert len(processes) == 2
    processes[victim].kill()
    closing = threading.Thread(target=workers.close, daemon=True)
    closing.start()
    closing.join(30)
    is_closed = not closing.is_alive()
    for process in processes:
        if process.is_running():
            process.kill()
    assert is_closed


@pytest.mark.slow
def test_closing_one_pool_does_not_wait_for_another() -> None:
    one, other = Processes(1), Processes(1)
    assert other.run(len, "work").result(timeout=120) == one.run(len, "work").result(timeout=120)
    one.close()
    assert other.run(len, "work").result(timeout=30) == 4
    other.close()


@pytest.mark.parametrize(
    ("command", "games_at_once", "players"),
    [("match", "1", 2), pytest.param("match", "2", 1, marks=pytest.mark.slow)],
)
def test_a_match_makes_each_player_once(
    command: str, games_at_once: str, players: int, cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checked, counted and played is the same one, and its copy where it plays itself; processes that play make their own."""
    made: list[RandomPlayer] = []

    def make(player: RandomPlayer) -> None:
        made.append(player)

    monkeypatch.setattr(RandomPlayer, "__init__", make)
    arguments = ("random", "random", "--game", "tic_tac_toe", "-n", "4", "--nodes", "1", "--seed", "1")
    cli.printed(command, *arguments, "-j", games_at_once)
    assert len(made) == players


@pytest.mark.slow
def test_an_evaluator_that_cannot_be_compiled_ends_the_run_at_once(cli: Any, tmp_path: Path) -> None:
    """It fails each time: no game of it is void and played again as if the machine had failed."""
    file = tmp_path / "mine.py"
    file.write_text(_UNKNOWN_FIELD)
    spec = f"saddle(evaluator={file}:Mine, depth=1)"
    code, out, err = cli(
        "match", spec, "random", "--game", "biased_rps", "-n", "2", "--nodes", "10", "--seed", "1", "-j", "1"
    )
    assert code == 2
    assert "Mine.evaluate cannot be compiled: State has no attribute 'coins'" in err
    assert "void" not in out + err


_UNKNOWN_FIELD = """
from dataclasses import dataclass

from saddlepoint.compiled import Component, kernel


@dataclass(frozen=True)
class Mine(Component):
    @kernel
    def evaluate(self, game, state):
        return float(state.coins)
"""


def test_a_move_is_not_charged_for_collecting_what_was_there_before_the_game() -> None:
    frozen: list[int] = []
    job = Job(0, 0, ("random", "random"), SMALL.to_text(SMALL.initial_state()), 1)
    with closing(MatchPlayers()) as players:
        for _ in range(2):
            gc.unfreeze()
            played = players.play(NODES, job, lambda *step: frozen.append(gc.get_freeze_count()))
            assert isinstance(played, PlayedGame)
            assert gc.get_freeze_count() == 0
    assert len(frozen) > 2 and all(frozen)
