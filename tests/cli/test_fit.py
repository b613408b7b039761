"""`saddlepoint fit`: from a game to a player, killed in the middle and taken up, refused in one sentence."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from helpers.cli_runs import Program, program
from helpers.programs import wait_until
from saddlepoint.cli import fit as command
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue import measured
from saddlepoint.learning.fit import Fit, FitOutcome
from saddlepoint.learning.players import Comparison
from saddlepoint.system.terminal import how_to_install

TINY = ("--positions", "1000", "--nodes", "60", "--units", "8", "--gate-nodes", "60", "--games", "120")


@pytest.mark.slow
def test_a_game_is_fitted_and_its_player_plays(cli: Program, tmp_path: Path) -> None:
    output = tmp_path / "c.weights"
    game = "othello(size=6)"
    asked = (
        game,
        "-o",
        str(output),
        *TINY,
        "--positions",
        "3000",
        "--from",
        "none",
        "--generations",
        "2",
        "--against",
        "random",
    )
    out, err = cli.ended(0, "fit", *asked, "--json")
    data = json.loads(out)
    assert data["accepted"] in (1, 2)
    assert data["proof"]["against"] == "random"
    assert data["proof"]["verdict"] == "H1"
    assert "generation 1: " in err
    spec = f'pvs(evaluator=fitted("{output}"))'
    assert (
        cli.data("match", spec, "random", "--game", game, "-n", "8", "--nodes", "60", "--seed", "1")["wins"]
        >= 6
    )
    assert "--resume goes on with it" in cli.refused("fit", *asked)


def test_the_last_test_is_played_by_the_search_that_makes_most_of_the_weights(
    cli: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Fit, "run", lambda self, resume: FitOutcome([], 1, "enough"))
    monkeypatch.setattr(
        measured, "choice_among", lambda game, specs, nodes: measured.Choice(specs[1], (), f"{nodes} nodes")
    )
    proof = Comparison(9, 0, 1, 3.0, "H1")
    tested: list[str] = []
    monkeypatch.setattr(command, "_proof", lambda game, spec, *rest: tested.append(spec) or proof)
    asked = (
        "fit",
        "tic_tac_toe",
        "-o",
        str(tmp_path / "t.weights"),
        "--generations",
        "1",
        "--against",
        "random",
    )
    shown = cli.printed(*asked)
    cli.printed(*asked, "--search", "pvs(history=false)")
    assert [parse_spec(spec).name for spec in tested] == ["mcts", "pvs"]
    assert tested[0] in shown and "9 won" in shown


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_one_that_is_killed_or_interrupted_goes_on(cli: Program, tmp_path: Path, how: signal.Signals) -> None:
    command = (
        "fit",
        "tic_tac_toe",
        "-o",
        str(tmp_path / "t.weights"),
        *TINY,
        "--generations",
        "3",
        "--against",
        "none",
    )
    running = program(*command, start_new_session=True)
    state = tmp_path / "t.weights.fit" / "state.json"
    wait_until(lambda: state.exists() and json.loads(state.read_text())["generations"], seconds=300)
    os.killpg(running.pid, how)
    _, err = running.communicate(timeout=60)
    assert how == signal.SIGKILL or (
        running.returncode == 130 and "the same command with --resume goes on" in err
    )
    assert [one["number"] for one in cli.data(*command, "--resume")["generations"]] == [1, 2, 3]
    picture = tmp_path / "t.svg"
    assert cli(*command, "--resume", "--plot", str(picture))[0] == 0  # of a fit that is over already
    assert all(
        f">{label}<" in picture.read_text() for label in ("where fitted", "kept apart", "share of the points")
    )


def test_a_plot_without_matplotlib_is_refused_before_anything_is_played(
    cli: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert f"--plot needs matplotlib: {how_to_install('matplotlib')}" in cli.refused(
        "fit", "tic_tac_toe", "-o", str(tmp_path / "x.weights"), "--plot", str(tmp_path / "x.svg")
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "wrong", [("--search", "saddel"), ("--search", "pvs(evaluator=constant)"), ("--openings", "nowhere.txt")]
)
def test_what_is_wrong_is_told_before_best_is_measured(cli, tmp_path, monkeypatch, wrong):
    monkeypatch.setattr(
        "saddlepoint.games.catalogue.players.unfitted_best", lambda game: pytest.fail("it is measured")
    )
    cli.refused("fit", "tic_tac_toe", "-o", str(tmp_path / "x.weights"), *wrong)
