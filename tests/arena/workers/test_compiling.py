"""Players compiled side by side."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from saddlepoint.arena.workers.compiling import compile_side_by_side, time_left
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.needs import Need

SMALL = "light_riders(width=8, height=6)"


def test_a_need_is_called_by_the_game_its_unusual_parameters_and_the_player():
    assert Need(LightRiders(), "best").task == "light_riders best"
    assert Need(LightRiders(8, 6), "alphabeta(evaluator=voronoi)").task == f"{SMALL} alphabeta(evaluator=voronoi)"


def test_every_player_becomes_ready_once_and_nothing_is_left_then():
    needs = [Need(LightRiders(8, 6), spec) for spec in ("random", "random")]
    standings = list(compile_side_by_side(needs))
    assert [standing.ready for standing in standings if standing.ready] == needs
    assert (standings[-1].under_way, standings[-1].waiting, standings[-1].seconds) == ([], 0, 0.0)


def warming(cache: Path, *arguments: str) -> "subprocess.Popen[str]":
    """The program on a cache of its own."""
    command = [sys.executable, "-m", "saddlepoint", "warm", *arguments]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "SADDLEPOINT_QUIET": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_ctrl_c_ends_all_processes_and_what_is_finished_stays_compiled(tmp_path: Path):
    def finished() -> set[Path]:
        return set(tmp_path.rglob("*.nbc"))

    with warming(tmp_path, "goofspiel") as run:
        until(lambda: len(finished()) > 1)
        started = psutil.Process(run.pid).children(recursive=True)
        assert any("spawn_main" in " ".join(process.cmdline()) for process in started)
        before = finished()
        run.send_signal(signal.SIGINT)
        assert run.wait(30) == 130
        assert run.stderr is not None
        assert "Traceback" not in run.stderr.read()
    until(lambda: not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in started))
    assert before <= finished()
    for file in before:  # whole files: they are read again
        assert file.stat().st_size > 0


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_it_tells_before_and_after_every_player_what_is_left(tmp_path: Path):
    with warming(tmp_path, "rubiks_flip", "--player", "random", "--player", "ace") as run:
        out, err = run.communicate(timeout=300)
    lines = err.splitlines()
    assert lines[0].startswith("2 of 2 players are to be compiled: about ")
    assert [line.split()[0] for line in lines[1:]] == ["[1/2]", "[2/2]"]
    assert " s left: rubiks_flip " in lines[1]
    assert " left: " not in lines[2]
    assert out == "2 players of rubiks_flip are compiled\n"


def test_the_time_left_is_what_is_expected_on_all_cores_and_longer_where_the_machine_is_busy():
    assert time_left(0.0, 2, 0.0, [(20.0, 0.0), (10.0, 0.0)], [10.0, 10.0]) == 25.0
    assert time_left(0.0, 2, 0.0, [(40.0, 0.0), (5.0, 0.0)], [5.0]) == 40.0, "one of them takes longest"
    assert time_left(20.0, 2, 20.0, [(20.0, 18.0)], [10.0]) == pytest.approx(20 * 2 / 38 * 6)
    assert time_left(60.0, 2, 10.0, [(20.0, 50.0)], [10.0]) == pytest.approx(60 * 2 / 28 * 6), "four times as long as expected"
    assert time_left(60.0, 2, 50.0, [], []) == 0.0
