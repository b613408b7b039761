"""Players compiled in processes of their own."""

import signal
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from helpers.cli_runs import program
from helpers.dask_cluster import wait_until
from helpers.slow_players import LONG, make
from saddlepoint import LightRiders, TicTacToe
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.play.preparation import BusyError, Need, Preparation, Task

SMALL = "light_riders(width=8, height=6)"


def test_a_need_is_called_by_the_game_its_unusual_parameters_and_the_player():
    assert Need(LightRiders(), "best").task == "light_riders best"
    assert (
        Need(LightRiders(8, 6), "alphabeta(evaluator=voronoi)").task
        == f"{SMALL} alphabeta(evaluator=voronoi)"
    )


@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_every_player_becomes_ready_once_and_nothing_is_under_way_then(processes: int, tmp_path: Path):
    with closing(Preparation(lambda: make, processes)) as preparation:
        waiting = [
            preparation.begin(Need(TicTacToe(), str(tmp_path / f"note{number}"))) for number in range(3)
        ]
        ready: list[Task] = []
        while waiting:
            ready += (done := preparation.wait(waiting))
            waiting = [task for task in waiting if task not in done]
            assert all(Path(task.need.player).exists() for task in ready)
        assert len(ready) == 3
        assert not preparation.is_under_way


@pytest.fixture
def preparation(monkeypatch: pytest.MonkeyPatch) -> Iterator[Preparation]:
    """One that compiles one after the other."""
    monkeypatch.setattr(Need, "is_missing", True)
    with closing(Preparation(lambda: make, most=2)) as made:
        yield made


def test_what_is_missing_is_compiled_once(preparation: Preparation, tmp_path: Path):
    need = Need(TicTacToe(), str(tmp_path / "note"))
    task = preparation.missing(need)
    assert task is not None
    assert preparation.missing(need) in (task, None)
    task.future.result(120)
    assert preparation.missing(need) is None
    assert (tmp_path / "note").read_text() == repr(TicTacToe())
    assert preparation.missing(need) is None
    wait_until(lambda: not preparation.is_under_way)


def test_what_goes_wrong_is_raised_once_and_tried_again(preparation: Preparation):
    need = Need(TicTacToe(), "wrong")
    for _ in range(2):
        assert preparation.missing(need).future.exception(120) is not None
        with pytest.raises(ValueError, match="no such player"):
            preparation.missing(need)


def test_one_waits_for_those_before_it_and_too_many_are_not_begun(preparation: Preparation):
    slow, note = (preparation.missing(Need(TicTacToe(), name)) for name in ("slow", "note"))
    assert slow is not None and note is not None
    assert (preparation.ahead(slow), preparation.ahead(note)) == (0, 1)
    with pytest.raises(BusyError):
        preparation.missing(Need(TicTacToe(), "one more"))


def test_it_ends_at_once_with_all_that_waits_and_who_asks_then_is_told_so(preparation: Preparation):
    needs = [Need(TicTacToe(), name) for name in ("slow", "note", "after the end")]
    tasks = [preparation.missing(need) for need in needs[:2]]
    began = time.monotonic()
    preparation.close()
    for task in tasks:
        with pytest.raises((BrokenProcessPool, CancelledError)):
            task.future.result(60)
    assert time.monotonic() - began < LONG / 10
    for need in needs:
        with pytest.raises(BusyError):
            preparation.missing(need)


@pytest.mark.parametrize("processes", [0, 1])
def test_nothing_is_waited_for_where_nothing_was_asked_for(processes: int):
    with closing(Preparation(lambda: make, processes)) as preparation:
        assert preparation.wait([]) == []


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_ctrl_c_ends_all_processes_and_what_is_finished_stays_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def finished() -> set[Path]:
        return set(tmp_path.rglob("*.nbc"))

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with program("warm", "goofspiel") as run:
        wait_until(lambda: len(finished()) > 1)
        started = psutil.Process(run.pid).children(recursive=True)
        assert any("spawn_main" in " ".join(process.cmdline()) for process in started)
        before = finished()
        run.send_signal(signal.SIGINT)
        assert run.wait(30) == 130
        assert "Traceback" not in run.stderr.read()
    wait_until(
        lambda: (
            not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in started)
        )
    )
    assert before <= finished()
    for file in before:  # whole files: they are read again
        assert file.stat().st_size > 0
