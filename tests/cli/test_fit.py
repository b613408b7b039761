"""`saddlepoint fit`: from a game to a player, killed in the middle and taken up, refused in one sentence."""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli, program
from helpers.fitted_files import random_weights_file
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.system.terminal import how_to_install

__all__ = ["cli"]  # a fixture
TINY = ("--positions", "1000", "--nodes", "60", "--units", "8", "--gate-nodes", "60", "--games", "120")


@pytest.mark.slow
def test_a_game_is_fitted_and_its_player_plays(cli: Any, tmp_path: Path) -> None:
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
    code, out, err = cli("fit", *asked, "--json")
    data = json.loads(out)
    assert code == 0, err
    assert data["accepted"] in (1, 2)
    assert data["proof"]["against"] == "random"
    assert data["proof"]["verdict"] == "H1"
    assert "generation 1: " in err
    spec = f'pvs(evaluator=fitted("{output}"))'
    code, out, _ = cli(
        "match", spec, "random", "--game", game, "-n", "8", "--nodes", "60", "--json", "--seed", "1"
    )
    assert json.loads(out)["wins"] >= 6
    code, _, err = cli("fit", *asked)
    assert code == 2
    assert "--resume goes on with it" in err


WHOLE: list[Any] = []
"""The generations of the fit below where nothing stops it, once it is known."""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_one_that_is_killed_or_interrupted_goes_on(cli: Any, tmp_path: Path, how: signal.Signals) -> None:
    output = tmp_path / "t.weights"
    command = ("fit", "tic_tac_toe", "-o", str(output), *TINY, "--generations", "3", "--against", "none")
    running = program(*command, start_new_session=True)
    state = tmp_path / "t.weights.fit" / "state.json"
    deadline = time.monotonic() + 300
    while not (state.exists() and json.loads(state.read_text())["generations"]):
        assert running.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(running.pid, how)
    _, err = running.communicate(timeout=60)
    assert how == signal.SIGKILL or (
        running.returncode == 130 and "the same command with --resume goes on" in err
    )
    code, out, err = cli(*command, "--resume", "--json")
    assert code == 0, err
    assert [one["number"] for one in json.loads(out)["generations"]] == [1, 2, 3]
    if not WHOLE:
        whole = (
            "fit",
            "tic_tac_toe",
            "-o",
            str(tmp_path / "w.weights"),
            *TINY,
            "--generations",
            "3",
            "--against",
            "none",
        )
        WHOLE.extend(json.loads(cli(*whole, "--json")[1])["generations"])
    assert json.loads(out)["generations"] == WHOLE
    picture = tmp_path / "t.svg"
    assert cli(*command, "--resume", "--plot", str(picture))[0] == 0  # of a fit that is over already
    assert all(
        f">{label}<" in picture.read_text() for label in ("where fitted", "kept apart", "share of the points")
    )
    code, _, err = cli(*command, "--resume", "--seed", "2")
    assert code == 2
    assert "is a fit of other settings, or another seed" in err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--units", "12"), "--units takes one of 8, 16, 32, 64, 128, not 12"),
        (("--search", "saddel"), "no algorithm is called 'saddel'; did you mean saddle?"),
        (("--search", "pvs(evaluator=constant)"), "the search is given without an evaluator"),
        (("--from", "voronoi"), "the evaluator voronoi is not made for tic_tac_toe"),
        (("--against", "nobody"), "no player is called 'nobody'"),
        (
            ("--evaluator", "constant"),
            "constant has no weights that can be fitted: give fitted, or an evaluator made of FeatureNetwork",
        ),
        (("--evaluator", "prospects"), "the evaluator prospects is not made for tic_tac_toe"),
        (("--resume",), "there is no fit to go on with"),
        (("--trace", "1.5"), "'--trace'"),
        (("--plot", "x.png"), "--plot writes SVG, into a file whose name ends in .svg, not 'x.png'"),
        (
            ("--openings", "no/such.txt"),
            "openings are start, starts, random:PLIES, 'moves: ...' or a file of positions; there is no",
        ),
        (("--openings", "random:0"), "openings are random:PLIES, such as random:4, not 'random:0'"),
        (("--openings", "moves: 9/9"), "--openings: move 1 of 1"),
        (("-o", "/no/such/folder/x.weights"), "/no/such/folder"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_played(
    cli: Any, tmp_path: Path, asked: tuple[str, ...], said: str
) -> None:
    code, out, err = cli("fit", "tic_tac_toe", "-o", str(tmp_path / "x.weights"), *asked)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"nonsense", "position 1: "),
        (b"\n\n", "has no position"),
        (b"\xff", "late.txt' is no text"),
        (b"moves: 0 4 1 5 2", "position 1: the game is over"),
        (b"battlesnake 11x11 round 0", "position 1: "),
    ],
)
def test_bad_files_of_openings_are_refused_in_a_sentence(
    cli: Any, tmp_path: Path, text: bytes, said: str
) -> None:
    file = tmp_path / "late.txt"
    file.write_bytes(text)
    code, out, err = cli("fit", "tic_tac_toe", "-o", str(tmp_path / "x.weights"), "--openings", str(file))
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.slow
def test_a_fit_with_openings_goes_on_with_the_same_ones_alone(cli: Any, tmp_path: Path) -> None:
    file, output = tmp_path / "late.txt", tmp_path / "x.weights"
    file.write_text("moves: 1 4\n\nmoves: 5 1\n")
    command = (
        "fit",
        "tic_tac_toe",
        "-o",
        str(output),
        *TINY,
        "--games",
        "24",
        "--against",
        "none",
        "--openings",
        str(file),
    )
    code, _, err = cli(*command, "--generations", "1", "--json")
    assert code == 0, err
    code, out, err = cli(*command, "--generations", "2", "--resume", "--json")
    assert code == 0, err
    assert len(json.loads(out)["generations"]) == 2
    known = json.loads((tmp_path / "x.weights.fit" / "state.json").read_text())["openings"]
    assert (known["asked"], known["positions"]) == ("late.txt", 2)
    file.write_text("moves: 1 4\n\nmoves: 5 2\n")
    for other in (command, command[:-2]):
        code, _, err = cli(*other, "--resume")
        assert code == 2
        assert "is a fit of other openings, or their file has changed; give the same ones" in err
        assert len(err.strip().splitlines()) == 1


def test_what_an_evaluator_values_without_its_weights_is_not_fitted(cli: Any, tmp_path: Path) -> None:
    game = "battlesnake(mode=constrictor,map=empty)"
    code, out, err = cli("fit", game, "--evaluator", "snake_prospects", "-o", str(tmp_path / "x.weights"))
    assert (code, out) == (2, "")
    assert "snake_prospects values constrictor by the weights of prospects" in err
    assert len(err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_game_is_refused_in_a_sentence(cli: Any, tmp_path: Path) -> None:
    path = random_weights_file(tmp_path / "x.weights", TicTacToe())
    code, _, err = cli("match", f'pvs(evaluator=fitted("{path}"))', "random", "--game", "connect_four")
    assert code == 2
    assert "is fitted to tic_tac_toe with no parameters, not to connect_four" in err


def test_a_plot_without_matplotlib_is_refused_before_anything_is_played(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = cli(
        "fit", "tic_tac_toe", "-o", str(tmp_path / "x.weights"), "--plot", str(tmp_path / "x.svg")
    )
    assert code == 2
    assert f"--plot needs matplotlib: {how_to_install('matplotlib')}" in err
    assert not list(tmp_path.iterdir())
