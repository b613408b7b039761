"""A game solved on a Dask cluster of real processes: the same file, whatever happens to its workers and its scheduler."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.dask_cluster import Cluster, wait_until
from saddlepoint.cli.common import read_game
from saddlepoint.solvers import whole_game
from saddlepoint.solvers.shared.solve import SharedInduction
from saddlepoint.solvers.shared.tasks import pack_rules, warm_rules
from saddlepoint.system.cluster import connect

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytestmark = pytest.mark.slow
GAME = "goofspiel(cards=6, utility=points)"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    game = read_game(GAME)
    warm_rules(
        pack_rules(game, game.initial_state()), True, True
    )  # a scheduler of the tests ends when it has long had nothing to do
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        for name in ("first", "second"):
            cluster.start_worker(name)
        cluster.wait_for("first", "second")
        yield cluster


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is sent to the workers, however small, in chunks of few positions."""
    monkeypatch.setattr("saddlepoint.solvers.shared.solve._HERE", 0.0)
    monkeypatch.setattr("saddlepoint.solvers.shared.chunks._MOST", 400)


def watched(monkeypatch: pytest.MonkeyPatch, watch: Any) -> None:
    """Have `watch` called with every standing of a run."""
    show = whole_game.SharedRun._show_standing

    def shown(run: Any, standing: SharedInduction) -> None:
        show(run, standing)
        watch(standing)

    monkeypatch.setattr(whole_game.SharedRun, "_show_standing", shown)


def test_a_worker_that_is_killed_loses_nothing(
    cluster: Cluster, sent: None, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two is killed while positions are solved, another joins."""
    killed: list[int] = []

    def kill(standing: SharedInduction) -> None:
        if standing.is_found and standing.solved > standing.positions.used // 3 and not killed:
            killed.append(standing.solved)
            cluster.kill("second")

    watched(monkeypatch, kill)
    alone, together = tmp_path / "alone.sol", tmp_path / "together.sol"
    out, err = cli.ended(0, "solve", GAME, "-o", str(together), "--executor", cluster.executor)
    assert killed
    assert "warming 2 workers" in err
    assert "positions in " in out
    cluster.wait_for("first")
    assert cli("solve", GAME, "-o", str(alone), "-j", "1")[0] == 0
    assert alone.read_bytes() == together.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone.sol", "together.sol"]
    cluster.start_worker("second")
    cluster.wait_for("first", "second")


def test_results_come_straight_from_the_workers_only_if_all_of_them_can_be_reached(cluster: Cluster) -> None:
    pool = connect(cluster.executor, lambda text: None, "start it again", large=True)
    with contextlib.closing(pool):
        workers = set(pool._client.nthreads())
        pool._reach(workers)
        assert pool._client.direct_to_workers
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        pool._reach({*workers, f"tcp://127.0.0.1:{port}"})
        assert not pool._client.direct_to_workers
        pool._reach(workers)
        assert pool._client.direct_to_workers
        assert pool.submit(isinstance, object).result()
        assert workers & set(pool._client.rpc.available)  # Dask's client has a connection to a worker
    small = connect(cluster.executor, lambda text: None, "start it again")
    with contextlib.closing(small):
        small._reach(workers)
        assert not small._client.direct_to_workers
        assert small.submit(isinstance, object).result()
        assert not workers & set(small._client.rpc.available)


def test_an_interruption_leaves_what_is_solved_and_nothing_on_the_workers(
    cluster: Cluster, sent: None, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(standing: SharedInduction) -> None:
        if standing.solved:
            raise KeyboardInterrupt

    alone, together = tmp_path / "alone.sol", tmp_path / "together.sol"
    with monkeypatch.context() as patch:
        watched(patch, interrupt)
        code, _, err = cli("solve", GAME, "-o", str(together), "--no-check", "--executor", cluster.executor)
    assert code == 130
    assert "interrupted; the same command with --resume and without --executor goes on: " in err
    wait_until(lambda: not cluster.tasks(), 10.0)
    assert not together.exists()
    assert cli("solve", GAME, "-o", str(together), "--no-check", "--resume", "-j", "1")[0] == 0
    assert cli("solve", GAME, "-o", str(alone), "--no-check", "-j", "1")[0] == 0
    assert alone.read_bytes() == together.read_bytes()


def test_a_game_of_ones_own_must_be_the_same_on_the_workers(
    cluster: Cluster, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = (
        "from dataclasses import dataclass\nfrom typing import NamedTuple\n"
        "from saddlepoint.game.base import SIMULTANEOUS, TERMINAL, Game, kernel\n\n\n"
        "class State(NamedTuple):\n    moves: int\n    sum: int\n\n\n"
        "@dataclass(frozen=True)\nclass Sums(Game):\n    name = 'sums'\n    max_actions = 3\n    max_depth = 5\n\n"
        "    def initial_state(self):\n        return State(0, 0)\n\n"
        "    @kernel\n    def current_player(self, state):\n        return TERMINAL if state.moves == 5 else SIMULTANEOUS\n\n"
        "    @kernel\n    def legal_actions(self, state, player, out):\n        out[0], out[1], out[2] = 0, 1, 2\n        return 3\n\n"
        "    @kernel\n    def next_state(self, state, action0, action1):\n"
        "        return State(state.moves + 1, state.sum + action0 * (2 - action1))\n\n"
        "    @kernel\n    def returns(self, state):\n        return 1.0 if state.sum % 3 == 0 else -1.0\n"
    )
    file = tmp_path / "sums.py"
    file.write_text(rules)
    alone, together = tmp_path / "alone.sol", tmp_path / "together.sol"
    assert cli("solve", f"{file}:Sums", "-o", str(together), "--executor", cluster.executor)[0] == 0
    assert cli("solve", f"{file}:Sums", "-o", str(alone), "-j", "1")[0] == 0
    assert alone.read_bytes() == together.read_bytes()
    other = SharedInduction.__init__

    def changed(self: Any, *args: Any, **options: Any) -> None:
        other(self, *args, **options)
        self.rules = self.rules.replace(
            b"sums.py", b"diff.py"
        )  # a file that is not there, as on another machine

    monkeypatch.setattr(SharedInduction, "__init__", changed)
    _, err = cli.ended(2, "solve", f"{file}:Sums", "--executor", cluster.executor)
    assert "has no or another file for Sums() (GameError: there is no file " in err
    assert "put the same at the same path" in err


def test_a_lost_scheduler_is_said_in_a_sentence_and_costs_nothing(
    cluster: Cluster, sent: None, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last test: nobody is left."""

    killed: list[int] = []

    def kill(standing: SharedInduction) -> None:
        if standing.solved and not killed:  # its end may be seen only after another look
            killed.append(standing.solved)
            cluster.kill("scheduler")

    watched(monkeypatch, kill)
    output = tmp_path / "g.sol"
    code, _, err = cli("solve", GAME, "-o", str(output), "--no-check", "--executor", cluster.executor)
    assert code != 0
    assert (
        f" is gone: solve it again; if {output}.part is there, the same command with --resume and without --executor goes on"
        in err
    )
    assert [path.name for path in tmp_path.iterdir()] == ["g.sol.part"]
