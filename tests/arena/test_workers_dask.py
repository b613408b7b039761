"""Tournaments on a Dask cluster of real processes: nothing is lost, whatever happens to its workers and its scheduler."""

import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from helpers.arena_games import NODES, SEARCH, TIMED, interrupt, numbers, once_played, plan, played, resumable
from helpers.bots import command
from helpers.dask_cluster import SOURCES, Cluster, cluster, wait_until
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.schedule import Gauntlet, RoundRobin
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.workers import DaskWorkers, make_workers
from saddlepoint.players.programs.isolation import Isolation

__all__ = ["cluster"]  # a fixture
pytest.importorskip("distributed", reason="the extra `cluster` is not installed")


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One worker with a nanny, which starts it again; games are suspected after the first death."""
    with Cluster(
        tmp_path_factory.mktemp("fragile"), DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0"
    ) as cluster:
        yield cluster


def workers_of(cluster: Cluster) -> Any:
    return make_workers(cluster.executor, 1)


@pytest.mark.slow
def test_the_same_games_as_on_this_machine(cluster: Cluster) -> None:
    said: list[str] = []
    (_, there) = played(SEARCH, "random", games=12, workers=make_workers(cluster.executor, 1, said.append))
    (_, here) = played(SEARCH, "random", games=12)
    assert [game.actions for game in there] == [game.actions for game in here]
    assert [game.job for game in there] == [game.job for game in here]
    assert said[0] == "warming 2 workers ..."


@pytest.mark.slow
def test_the_command_says_that_it_warms_the_workers(
    cluster: Cluster, ledger: Ledger, tmp_path: Path, cli: Any
) -> None:
    match = f"match random random --size 8x6 -n 4 --nodes 10 --executor {cluster.executor} --ledger {tmp_path}/games.db"
    out, err = cli.ended(0, *match.split())
    assert "random against random" in out
    assert "warming 2 workers" in err
    assert sorted(numbers(ledger, 1)) == [0, 1, 2, 3]


@pytest.mark.slow
def test_an_interruption_leaves_no_game_and_no_program_on_the_workers(
    cluster: Cluster, tmp_path: Path
) -> None:
    bot = "cmd:" + command(tmp_path, "good", "up right down left")

    def programs() -> list[str]:
        found: list[str] = []
        for child in (
            child for name in ("first", "second") for child in cluster.process(name).children(recursive=True)
        ):
            with suppress(psutil.Error):  # it has ended since it was listed
                found.append(" ".join(child.cmdline()))
        return [line for line in found if "bot.py" in line]

    def stop() -> None:
        wait_until(programs, 10.0)  # both workers may be between two games, where no program runs
        interrupt()

    outcome, games = played(
        "random",
        bot,
        games=4000,
        conditions=TIMED,
        workers=workers_of(cluster),
        watch=once_played(3, stop),
    )
    assert outcome.interrupted
    assert len(games) == 3
    wait_until(lambda: not programs() and not cluster.tasks(), 10.0)


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_no_game(cluster: Cluster, ledger: Ledger) -> None:
    schedule, games = RoundRobin((SEARCH, "random")), plan(80)
    kill = once_played(10, lambda: cluster.kill("second"))
    outcome = run_tournament(schedule, games, NODES, workers_of(cluster), ledger, on_game=kill)
    assert not outcome.unplayable
    assert (outcome.played, outcome.standings.games) == (80, 80)
    assert sorted(numbers(ledger, 1)) == list(range(80))
    assert all(entry.played.cause == "rules" for entry in ledger.games(Filter()))
    assert ledger.tournaments()[0].finished
    cluster.wait_for("first")


@pytest.mark.slow
def test_a_worker_that_joins_later_plays(cluster: Cluster) -> None:
    def replace() -> None:
        cluster.start_worker("third")
        cluster.wait_for("first", "third")
        cluster.kill("first")  # whatever follows is the third's

    _, games = played("random", SEARCH, games=40, workers=workers_of(cluster), watch=once_played(5, replace))
    assert [game.job.number for game in games] == list(range(40))
    cluster.wait_for("third")


@pytest.mark.slow
def test_workers_of_several_threads_play_the_same_games(cluster: Cluster) -> None:
    cluster.start_worker("threads", threads=2)
    cluster.wait_for("third", "threads")
    cluster.kill("third")
    cluster.wait_for("threads")
    workers = workers_of(cluster)
    _, there = played(SEARCH, "random", games=12, workers=workers)
    assert workers.slots == 2
    _, here = played(SEARCH, "random", games=12)
    assert [game.actions for game in there] == [game.actions for game in here]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of another version: one line more, in a file that no compiled code depends on."""
    copy = tmp_path_factory.mktemp("other") / "src"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "saddlepoint" / "arena" / "game.py").open("a") as file:
        file.write("\nTHESE_RULES_ARE_OTHERS = True\n")
    return copy


@pytest.mark.slow
def test_a_worker_with_another_version_is_refused(cluster: Cluster, other: Path) -> None:
    def join() -> None:
        cluster.start_worker("other", sources=other)
        wait_until(lambda: "other" in cluster.workers())

    version = "has another version of saddlepoint, Numba or Python than this machine: install the same on all machines"
    with pytest.raises(ValueError, match=f"^a worker joined that {version}"):
        played("random", "random", games=40000, workers=workers_of(cluster), watch=once_played(3, join))
    with pytest.raises(ValueError, match=f"^the worker tcp://.* {version}") as error:
        played("random", "random", workers=workers_of(cluster))
    assert cluster.workers()["other"] in str(error.value)
    cluster.kill("other")


@pytest.mark.slow
def test_a_scheduler_with_another_version_is_refused(other: Path, tmp_path: Path) -> None:
    with (
        Cluster(tmp_path, other) as cluster,
        pytest.raises(ValueError, match="^the scheduler at .* has another version"),
    ):
        played("random", "random", workers=workers_of(cluster))


@pytest.mark.slow
def test_a_program_that_a_worker_does_not_have_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    words = command(tmp_path, "good").split()
    name = Path(words[1]).name
    spec = f"cmd:{words[0]} {name}"  # found from the working directory of this process, not from the workers'
    wait_until(lambda: "other" not in cluster.workers())  # which is refused first
    if not cluster.workers():
        cluster.start_worker("threads", threads=2)
        wait_until(lambda: "threads" in cluster.workers())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        with pytest.raises(
            ValueError,
            match="^the worker .* has no or another file for 'cmd:.*: put the same at the same path$",
        ):
            played("random", spec, conditions=TIMED, workers=workers_of(cluster))


def test_no_scheduler_is_said_in_a_sentence() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        said = f"^no Dask scheduler answers at {address}: start one with `dask scheduler`$"
        with pytest.raises(ConnectionError, match=said):
            DaskWorkers(address, patience=0.5)


@pytest.mark.slow
def test_a_scheduler_with_tls_needs_certificates() -> None:
    with pytest.raises(
        ValueError, match="^tls://here:1 needs certificates in Dask's settings, as docs/cluster.md shows$"
    ):
        make_workers("dask://tls://here:1", 1)


@pytest.mark.slow
def test_a_scheduler_without_workers_is_said_in_a_sentence(fragile: Cluster) -> None:
    with pytest.raises(
        ConnectionError, match="has no workers: start some with `dask worker HOST:PORT --nthreads 1`$"
    ):
        played("random", "random", workers=DaskWorkers(fragile.address, patience=0.5))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the worker is found in /proc")
def test_a_player_that_kills_its_worker_ends_no_other_game(fragile: Cluster, tmp_path: Path) -> None:
    killer = tmp_path / "killer.py"
    # Its parent is the supervisor that watches it, and the supervisor's the worker.
    worker = "int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1])"
    killer.write_text(f"import os, signal\ninput()\nos.kill({worker}, signal.SIGKILL)\n")
    fragile.start_worker("watched", nanny=True)
    fragile.wait_for("watched")
    games = Gauntlet(("random", f"cmd:{sys.executable} {killer}", SEARCH))
    supervised = replace(NODES, isolation=Isolation(mode="supervisor", programs_only=True))
    outcome = run_tournament(games, plan(1), supervised, workers_of(fragile))
    assert outcome.unplayable == ["game 0: its process died twice"]
    assert outcome.played == outcome.standings.between("random", SEARCH).score.games == 1
    wait_until(lambda: set(fragile.workers()) == {"watched"})


@pytest.mark.slow
def test_a_cluster_that_has_lost_all_workers_ends_the_run(fragile: Cluster) -> None:
    kill = once_played(3, lambda: fragile.kill("watched"))
    with pytest.raises(ConnectionError, match="has had no workers for 1 s: a ledger has the finished games"):
        played("random", "random", games=40000, workers=DaskWorkers(fragile.address, alone=1.0), watch=kill)


@pytest.mark.slow
def test_what_a_lost_scheduler_left_is_played_afterwards(fragile: Cluster, ledger: Ledger) -> None:
    count = 400  # so many that some are left wherever games are fast
    fragile.start_worker("last")
    fragile.wait_for("last")
    schedule, games = RoundRobin((SEARCH, "random")), plan(count)
    kill = once_played(10, lambda: fragile.kill("scheduler"))
    with pytest.raises(
        ConnectionError, match="is gone: a ledger has the finished games, and --resume plays the others$"
    ):
        run_tournament(schedule, games, NODES, workers_of(fragile), ledger, on_game=kill)
    finished = set(numbers(ledger, 1))
    assert len(finished) >= 10
    assert not ledger.tournaments()[0].finished
    number = resumable(ledger, schedule, games, NODES)
    rest = run_tournament(schedule, games, NODES, ledger=ledger, tournament=number)
    assert rest.played == count - len(finished)
    assert sorted(numbers(ledger, number)) == list(range(count))
