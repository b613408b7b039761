"""`saddlepoint solve`, and `analyze` from what it wrote."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import saddlepoint.cli
from saddlepoint.games.rubiks_flip import RubiksFlip
from saddlepoint.games.rubiks_flip.database import write_database
from saddlepoint.games.rubiks_flip.patterns import Layer
from saddlepoint.games.rubiks_flip.sweep import SolvedLayer, solve_layers
from saddlepoint.games.simplexity import Simplexity

SIMPLEXITY = ("solve", "simplexity", "--memory", "8")
"""With a small table: the usual one takes a second to be made."""


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(*arguments: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of the program, run in this process."""
        monkeypatch.setattr(sys, "argv", ["saddlepoint", *arguments])
        with pytest.raises(SystemExit) as left:
            saddlepoint.cli.main()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep begins below five tiles, where every position is made up to be a draw."""

    def from_five(double_lock_for_mover: int, **options: Any) -> Any:
        assert double_lock_for_mover == -1
        layer = Layer(5)
        values = np.zeros(layer.entries, np.int8)
        yield SolvedLayer(layer, values, {0: 1_397_760})
        yield from solve_layers(double_lock_for_mover, after=(layer, values), **options)

    monkeypatch.setattr("saddlepoint.games.rubiks_flip.database.solve_layers", from_five)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "no game is called 'chess'"),
        (["goofspiel(cards=99)"], "cards must be 1 to 13, not 99"),
        (["goofspiel", "-o", "."], "'.' is a folder; expected the name of a file"),
        (["./nowhere.py:Game"], "there is no file './nowhere.py'"),
        (["nowhere.sol"], "'nowhere.sol' cannot be read: No such file or directory"),
        (["rubiks_flip", "--double-lock", "both"], "double_lock must be draw, opponent or mover, not 'both'"),
        (["rubiks_flip", "-o", "."], "'.' is a folder; expected the name of a file"),
        (["rubiks_flip", "--workers", "0"], "Invalid value for '--workers'"),
    ],
)
def test_what_cannot_be_solved_is_one_sentence_and_leaves_nothing(
    cli, arguments, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    code, out, err = cli("solve", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_it_says_layer_by_layer_what_it_found_and_where_it_is(cli, tmp_path):
    path = tmp_path / "flip.solved"
    code, out, err = cli("solve", "rubiks_flip", "--double-lock", "opponent", "-o", str(path))
    assert code == 0
    assert (
        "5 tiles:     1,397,760 positions, for the side to move 0.0 % won, 100.0 % drawn, 0.0 % lost" in err
    )
    assert "the empty board, for the first player: a draw" in out
    assert str(path) in out
    assert [p.name for p in tmp_path.iterdir()] == ["flip.solved"]


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_by_default_the_file_goes_where_the_players_look_and_json_tells_all(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, out, err = cli("solve", "rubiks_flip", "--double-lock", "opponent", "--json")
    data = json.loads(out)
    assert code == 0
    assert (
        f"this writes about 113 MB to {data['file']}, where the players look for it; -o FILE writes elsewhere"
        in err
    )
    assert data["file"] == str(tmp_path / "saddlepoint" / "rubiks_flip-opponent.solved")
    assert data["bytes"] == os.path.getsize(data["file"])
    assert (data["value"], data["double_lock"]) == ("D", "opponent")
    assert [layer["positions"] for layer in data["layers"]] == [1_397_760, 174_720, 13_440, 960, 32, 1]
    assert data["positions"] == sum(layer["won"] + layer["drawn"] + layer["lost"] for layer in data["layers"])


@pytest.mark.slow
def test_interrupted_it_leaves_nothing_behind(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", "solve", "rubiks_flip", "-o", str(tmp_path / "flip.solved")],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SADDLEPOINT_QUIET": "1", "PYTHONFAULTHANDLER": "1"},
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert "interrupted; nothing was written" in err
    assert list(tmp_path.iterdir()) == []


def test_analyze_shows_every_turn_of_a_database(cli, tmp_path):
    path, position = tmp_path / "last.solved", tmp_path / "position.txt"
    write_database(path, "draw", solve_layers(0, lowest=16), highest=16)
    position.write_text("BBYW/RWWB/RY.B/WRBY\n")
    algorithm = f'database(file="{path}")'
    code, out, _ = cli("analyze", str(position), "--game", "rubiks_flip", "--algorithm", algorithm)
    game = RubiksFlip()
    state = game.from_text(position.read_text())
    turns = [game.action_to_string(state, 1, action) for action in game.legal_actions(state, 1)]
    assert code == 0
    assert sum(any(line.startswith(turn) for line in out.splitlines()) for turn in turns) == len(turns)
    data = json.loads(
        cli("analyze", str(position), "--game", "rubiks_flip", "--algorithm", algorithm, "--json")[1]
    )
    assert {row["turn"] for row in data["turns"]} == set(turns)
    for row in data["turns"]:
        after = game.next_state(state, game.string_to_action(state, 1, row["turn"]))
        assert row["value"] == -game.returns(after)
        assert row["plies"] == (1 if row["value"] else None)
    assert (data["player"], data["value"], data["exact"]) == (
        1,
        max(row["value"] for row in data["turns"]),
        True,
    )


def test_a_database_in_which_a_value_was_changed_is_damaged(cli, tmp_path):
    path, position = tmp_path / "last.solved", tmp_path / "position.txt"
    write_database(path, "draw", solve_layers(0, lowest=16), highest=16)
    position.write_text("BBYW/RWWB/RY.B/WRBY\n")
    asked = "analyze", str(position), "--game", "rubiks_flip", "--algorithm", f'database(file="{path}")'
    whole = path.read_bytes()
    for changed in (
        whole[:-1] + bytes([whole[-1] ^ 1]),
        whole.replace(b'"values": [-64, 0, 64]', b'"values": [64, 0, -64]'),
        whole.replace(b'"double_lock": "draw"', b'"double_lock": "mover"'),
        whole.replace(b'"16"', b'"15"'),
    ):
        assert changed != whole
        path.write_bytes(changed)
        code, out, err = cli(*asked)
        assert (code, out) == (2, "")
        assert (
            "is damaged: what it says of positions with " in err
            or "solves double_lock=mover, the game is draw" in err
        )
    for key, value in (
        (b'"bits": 4', b'"bits": 7'),
        (b'"at": 65536', b'"at": -5536'),
        (b"[-64, 0, 64]", b"[-64, 0, 6e9]"),
    ):
        path.write_bytes(whole.replace(key, value))
        code, out, err = cli(*asked)
        assert (code, out) == (2, "")
        assert "is no database of Rubik's Flip" in err


@pytest.mark.compiles_long
def test_a_board_of_simplexity_is_solved_and_shown_with_its_line(cli):
    board = ["simplexity", "--rows", "3", "--cols", "3", "--win", "3", "--round", "2", "--square", "3"]
    code, out, _ = cli("solve", *board)
    assert code == 0
    assert "Red wins by force in 8 plies" in out
    data = json.loads(cli("solve", *board, "--json")[1])
    assert (data["value"], data["value_for_white"], data["plies"], data["exact"]) == (-1, -1, 8, True)
    game = Simplexity(3, 3, 3, 2, 3)
    assert f"line: {','.join(data['line'])}" in out
    assert game.returns(game.after(",".join(data["line"]))) == -1


@pytest.mark.slow
def test_a_position_of_simplexity_is_looked_into_as_far_as_wanted(cli, tmp_path):
    position = tmp_path / "position.txt"
    position.write_text("4s,4s,3s\n")
    found = json.loads(cli(*SIMPLEXITY, "--position", str(position), "--plies", "13", "--json")[1])
    assert (found["to_move"], found["value"], found["value_for_white"], found["plies"]) == ("red", 1, -1, 3)
    near = cli(*SIMPLEXITY, "--position", str(position), "--plies", "2")[1]
    assert "open: neither side wins by force within 2 plies" in near


@pytest.mark.parametrize(
    ("only", "plies", "is_forced", "exact", "sentence"),
    [
        ("win", "2", False, False, "open: Red does not win by force within 2 plies"),
        ("win", "13", True, True, "Red wins by force within 12 plies"),
        ("loss", "13", False, False, "open: Red does not lose by force within 13 plies"),
    ],
)
def test_only_one_question_may_be_asked_of_a_position(cli, tmp_path, only, plies, is_forced, exact, sentence):
    position = tmp_path / "position.txt"
    position.write_text("4s,4s,3s\n")
    asked = [*SIMPLEXITY, "--position", str(position), "--only", only, "--plies", plies]
    assert sentence in cli(*asked)[1]
    found = json.loads(cli(*asked, "--json")[1])
    assert (found["to_move"], found["asked"], found["is_forced"], found["exact"]) == (
        "red",
        only,
        is_forced,
        exact,
    )


def test_a_position_that_is_over_has_its_answer(cli, tmp_path):
    position = tmp_path / "position.txt"
    position.write_text("0r,1s,0r,1s,0r,1s,0r\n")
    asked = [*SIMPLEXITY, "--position", str(position), "--only"]
    assert "Red cannot force a win" in cli(*asked, "win")[1]
    assert "White has won" in cli(*asked, "loss")[1]
    found = json.loads(cli(*asked, "loss", "--json")[1])
    assert (found["is_forced"], found["exact"], found["plies"]) == (True, True, 0)


def test_a_question_for_which_time_was_too_short_is_open(cli):
    asked = [*SIMPLEXITY, "--only", "win", "--time", "0.2"]
    assert "open: time was up; White does not win by force within" in cli(*asked)[1]
    found = json.loads(cli(*asked, "--json")[1])
    assert (found["is_forced"], found["exact"]) == (None, False)


@pytest.mark.slow
def test_a_question_of_a_board_that_is_searched_to_the_end_has_an_answer(cli):
    board = ["simplexity", "--rows", "3", "--cols", "3", "--win", "3", "--round", "2", "--square", "3"]
    assert "Red wins by force within 9 plies" in cli("solve", *board, "--only", "loss")[1]
    assert "White cannot force a win" in cli("solve", *board, "--only", "win")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "draw"], "--only takes win or loss, not 'draw'"),
        (["--rows", "8", "--cols", "13"], "on boards of at most 64 bits, (rows + 1) x cols, not 8x13"),
        (["--rows", "3", "--cols", "3"], "no line of 4 fits on a board of 3x3"),
        (["--position", "nowhere.txt"], "there is no file"),
        (["--time", "0"], "--time takes seconds above 0"),
        (["--plies", "0"], "Invalid value for '--plies'"),
    ],
)
def test_what_is_no_board_or_position_of_simplexity_is_one_sentence(cli, arguments, message):
    code, out, err = cli("solve", "simplexity", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_interrupted_it_says_how_far_it_came() -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", "solve", "simplexity", "--memory", "16"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )
    assert running.stderr is not None
    assert "nothing forced within" in running.stderr.readline()
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=10)
    assert running.returncode == 130
    assert "interrupted; neither side wins by force within" in err
