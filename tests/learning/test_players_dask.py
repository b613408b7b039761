"""A fit whose games a Dask cluster of real processes plays: the same file, whatever happens to its workers."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from helpers.dask_cluster import Cluster, cluster
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.game.own_games import described
from saddlepoint.games.othello import Othello
from saddlepoint.learning.games import Plan, Task
from saddlepoint.learning.players import _inspect, _packed, _play_remotely

__all__ = ["cluster"]  # a fixture
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
