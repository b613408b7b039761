"""The gate: what is better is accepted, what is not is refused; the same seed decides alike, however many processes play."""

from pathlib import Path

import pytest

from saddlepoint.arena.statistics.sprt import Sprt
from saddlepoint.arena.workers import HereWorkers, LocalWorkers
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.learning.players import Comparison, GateSettings, compare

SETTINGS = GateSettings(None, 2000, 96, Sprt(0.0, 100.0))


def compared(new: str, old: str, workers: object = None, seed: int = 1) -> Comparison:
    return compare(TicTacToe(), new, old, SETTINGS, workers or HereWorkers(), seed)  # type: ignore[arg-type]


def test_what_is_better_is_accepted() -> None:
    found = compared("pvs", "random")
    assert found.is_better
    assert found.wins > found.losses
    assert (found.wins + found.draws + found.losses) % 24 == 0  # whole looks


def test_what_is_worse_or_the_same_is_not_accepted() -> None:
    assert compared("random", "pvs").verdict == "H0"
    assert not compared("pvs", "pvs(depth=9)").is_better


@pytest.mark.slow
def test_games_that_a_fault_decides_prove_nothing(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(game, state, clock, player):\n    return 99\n")
    with pytest.raises(
        ValueError, match=r"a game was decided by a fault, which says nothing of strength: game \d+: "
    ):
        compared("pvs", f"{tmp_path}/bot.py")


@pytest.mark.slow
def test_the_decision_does_not_depend_on_the_processes() -> None:
    found = []
    for workers in (HereWorkers(), LocalWorkers(2)):
        found.append(compared("pvs(depth=2)", "random", workers))
        workers.close()
    assert found[0] == found[1]
