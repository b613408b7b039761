"""Players of a fit: the gate accepts what is better and nothing else, and of small games it is told how far one is from an equilibrium."""

import pickle
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.dask_cluster import Cluster, cluster
from saddlepoint import Goofspiel, LightRiders, TicTacToe
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.arena.statistics.sprt import Sprt
from saddlepoint.arena.workers import HereWorkers, LocalWorkers, Workers
from saddlepoint.game.own_games import described
from saddlepoint.games.othello import Othello
from saddlepoint.learning.games import Plan, Task
from saddlepoint.learning.players import (
    Comparison,
    GateSettings,
    _inspect,
    _packed,
    _play_remotely,
    compare,
    nash_conv_of,
)
from saddlepoint.solvers.general.reached import Walks

__all__ = ["cluster"]  # a fixture
SETTINGS = GateSettings(None, 2000, 96, Sprt(0.0, 100.0))
LIMIT = 20_000
SOON = 3.0  # seconds, on a busy machine


def compared(new: str, old: str, workers: Workers | None = None) -> Comparison:
    return compare(TicTacToe(), new, old, SETTINGS, workers or HereWorkers(), 1)


@pytest.mark.plain
@pytest.mark.compiles_long
def test_what_is_better_is_accepted() -> None:
    found = compared("pvs", "random")
    assert found.is_better
    assert found.wins > found.losses
    assert (found.wins + found.draws + found.losses) % 24 == 0  # whole looks


@pytest.mark.plain
@pytest.mark.compiles_long
def test_what_is_worse_or_the_same_is_not_accepted() -> None:
    assert compared("random", "pvs").verdict == "H0"
    assert not compared("pvs", "pvs(depth=9)").is_better


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_test_that_the_time_ends_is_passed_where_the_new_one_is_likely_better() -> None:
    slow = GateSettings(None, 2000, 96, Sprt(0.0, 5.0))  # which would need many more games

    def ended(new: str, old: str) -> Comparison:
        return compare(TicTacToe(), new, old, slow, HereWorkers(), 1, until=0.0)

    found = ended("pvs", "random")
    assert (found.verdict, found.wins + found.draws + found.losses) == ("ahead", 24)
    assert found.is_better
    assert ended("pvs", "pvs(depth=9)").verdict == "continue"


@pytest.mark.slow
def test_games_that_a_fault_decides_prove_nothing(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(game, state, clock, player):\n    return 99\n")
    with pytest.raises(
        ValueError, match=r"a game was decided by a fault, which says nothing of strength: game \d+: "
    ):
        compared("pvs", f"{tmp_path}/bot.py")


@pytest.mark.slow
def test_the_decision_does_not_depend_on_the_processes() -> None:
    with closing(LocalWorkers(2)) as workers:
        found = compared("pvs(depth=2)", "random", workers)
    assert found == compared("pvs(depth=2)", "random")


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 8])
def test_a_large_game_in_which_random_players_soon_lose_ends_it_soon(size: int) -> None:
    """Its random walks say that it is small: all its positions would take a gigabyte and half a minute."""
    game = LightRiders(size, size)
    assert Walks(game, game.initial_state(), fold=False).size(256).positions < LIMIT
    assert nash_conv_of(game, "saddle", 10, LIMIT, 1) is None  # compiled now
    began = time.monotonic()
    assert nash_conv_of(game, "saddle", 10, LIMIT, 1) is None
    assert time.monotonic() - began < SOON


@pytest.mark.slow
def test_a_small_game_is_told_and_one_of_more_positions_than_asked_for_is_not() -> None:
    game = Goofspiel(4, order="descending")
    assert 0.0 <= nash_conv_of(game, "saddle(choice=mixture)", 30, LIMIT, 1) <= 2.0
    assert nash_conv_of(game, "saddle(choice=mixture)", 30, 10, 1) is None
    assert nash_conv_of(TicTacToe(), "pvs", 30, LIMIT, 1) is None


# -- on a cluster --------------------------------------------------------------------------------------------------------

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
OWN = Path(__file__).parents[2] / "examples" / "enclosure.py"
TINY = [
    "--positions",
    "1000",
    "--nodes",
    "60",
    "--units",
    "8",
    "--gate-nodes",
    "60",
    "--games",
    "24",
    "--against",
    "none",
]


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_worker_with_other_rules_plays_no_game() -> None:
    game, version = Othello(4), player_version("pvs")
    task = _packed(Task(Plan(game, "pvs", None, 10, 0, 1.0, 0.5), None, None, 1, (1,)))
    same = (described(game), (version,))
    assert len(_play_remotely(lambda: None, same, ("pvs",), task).targets) > 0
    for known, sent, said in (
        ((described(Othello(6)), (version,)), task, r"a worker has another file for Othello\(size=4"),
        ((described(game), ("another",)), task, r"a worker has another file for Othello\(size=4"),
        (same, b"", "a worker cannot load the game or the search"),
    ):
        with pytest.raises(ValueError, match=said):
            _play_remotely(lambda: None, known, ("pvs",), sent)


def test_what_a_worker_cannot_load_is_told_as_it_is() -> None:
    assert _inspect(b"", ())[1].startswith("EOFError")
    assert _inspect(pickle.dumps(Othello(4)), ("pvs",))[1][0] == described(Othello(4))


@pytest.mark.slow
def test_a_cluster_gives_the_file_that_this_machine_gives_also_if_a_worker_is_killed(
    cluster: Cluster, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules are in a file of one's own, which the workers load from the same path."""
    killed: list[int] = []
    packed = _packed

    def kill(task: Task) -> bytes:
        if task.seed[1] == 2 and not killed:  # in the second generation
            killed.append(1)
            cluster.kill("second")
        return packed(task)

    monkeypatch.setattr("saddlepoint.learning.players._packed", kill)
    asked = (f"{OWN}:Enclosure", *TINY, "--generations", "2")
    together = ("-o", str(tmp_path / "together.weights"), "--executor", cluster.executor)
    _, err = cli.ended(0, "fit", *asked, *together)
    assert killed and "warming 2 workers" in err
    cli.printed("fit", *asked, "-o", str(tmp_path / "alone.weights"))
    for number in (1, 2):
        one, two = (
            tmp_path / f"{name}.weights.fit" / f"generation-{number}.weights"
            for name in ("together", "alone")
        )
        assert one.read_bytes() == two.read_bytes()
