"""What a user gives by mistake, numbers beyond any use, files that are none, a closed stdin, is told in one sentence, with exit code 2."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import cli

__all__ = ["cli"]  # a fixture

pytestmark = pytest.mark.plain
GAME = ("--game", "tic_tac_toe")
ENORMOUS = "9" * 27


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(
            (("analyze", "moves:", *GAME, "--time", number), "--time")
            for number in ("inf", "1e300", "nan", "-inf")
        ),
        *((("analyze", "moves:", *GAME, option, ENORMOUS), option) for option in ("--nodes", "--depth")),
        (("compare", "moves:", *GAME, "--nodes", ENORMOUS), "--nodes"),
        (("match", "random", "random", *GAME, "-n", ENORMOUS), "-n"),
        (("match", "random", "random", *GAME, "--bank", "inf"), "--bank"),
        (("play", "tic_tac_toe", "random", "random", "--delay", "inf"), "--delay"),
        (("solve", "tic_tac_toe", "-j", ENORMOUS), "-j"),
        (("fit", "tic_tac_toe", "-o", "x", "--hours", "inf"), "--hours"),
        (("serve", "--port", ENORMOUS), "--port"),
    ],
)
def test_a_number_that_nothing_can_take_is_told_by_its_option(
    command: tuple[str, ...], option: str, cli: Any
) -> None:
    code, _, errors = cli(*command)
    assert code == 2
    assert "Traceback" not in errors
    assert errors.startswith(f"saddlepoint: Invalid value for '{option}'")


def test_a_limit_within_a_spec_is_bounded_too(cli: Any) -> None:
    code, _, errors = cli("match", f"mcts(nodes={ENORMOUS})", "random", *GAME, "-n", "2")
    assert (code, errors.count("\n")) == (2, 1)
    assert "nodes must be 1,000,000,000,000,000 at most" in errors


def test_a_tournament_of_one_player_is_refused(cli: Any) -> None:
    code, _, errors = cli("tournament", "random", "random", *GAME)
    assert code == 2
    assert errors == (
        "saddlepoint: random is there twice; every player of a tournament plays once, and `match` plays one against itself\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("analyze", "{}", *GAME),
        ("compare", "{}", *GAME),
        ("show", "{}"),
        ("review", "{}"),
        ("solve", "{}"),
        ("solve", "file", "{}"),
        ("solve", "tic_tac_toe", "--position", "{}"),
        ("puzzles", "light_riders", "random", "--set", "{}"),
        ("match", "random", "random", *GAME, "--openings", "{}"),
        ("ledger", "list", "{}"),
        ("report", "{}", "-o", "report.html"),
        ("match", 'solution("{}")', "random", *GAME),
        ("match", 'pvs(evaluator=fitted(file="{}"))', "random", *GAME),
    ],
)
@pytest.mark.parametrize("kind", ["device", "folder", "binary", "packed", "nothing"])
def test_a_file_that_is_none_of_its_kind_is_told_in_a_sentence(
    kind: str, command: tuple[str, ...], cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "given.sol"
    if kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "folder":
        file.mkdir()
    elif kind != "nothing":
        file.write_bytes(b"\x89PNG\0" if kind == "binary" else b"\x1f\x8b of no use")
    code, _, errors = cli(*(word.format(file) for word in command))
    assert (code, errors.count("\n")) == (2, 1)
    assert not any(word in errors for word in ("Traceback", "codec", "Errno"))


def test_a_closed_stdin_is_told(tmp_path: Path) -> None:
    for command, message in [
        (
            "play tic_tac_toe human random",
            "player 0 at fault: stdin was closed before the program began: nobody can answer",
        ),
        ("analyze - --game tic_tac_toe", "saddlepoint: stdin is closed: there is nothing to read from it"),
    ]:
        done = subprocess.run(
            ["sh", "-c", f'exec "$0" -m saddlepoint {command} <&-', sys.executable],
            capture_output=True,
            text=True,
            check=False,
        )
        assert message in done.stdout + done.stderr
