"""`saddlepoint solve` by the solvers of single games and by search in games in turn, and `analyze` from what it wrote."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.cli_runs import Program, interrupted, program
from helpers.programs import wait_until
from saddlepoint.games import ConnectFour
from saddlepoint.games.rubiks_flip import RubiksFlip
from saddlepoint.games.rubiks_flip.database import write_database
from saddlepoint.games.rubiks_flip.patterns import Layer
from saddlepoint.games.rubiks_flip.sweep import SolvedLayer, solve_layers
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.solvers.turns import METHODS, bounds_in_words

LAST = "BBYW/RWWB/RY.B/WRBY\n"
BOARD = ("simplexity", "--rows", "3", "--cols", "3", "--win", "3", "--round", "2", "--square", "3")


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


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_it_says_layer_by_layer_what_it_found_and_where_it_is(cli: Program, tmp_path: Path) -> None:
    path = tmp_path / "flip.solved"
    out, err = cli.ended(0, "solve", "rubiks_flip", "--double-lock", "opponent", "-o", str(path))
    assert (
        "5 tiles:     1,397,760 positions, for the side to move 0.0 % won, 100.0 % drawn, 0.0 % lost" in err
    )
    assert "the empty board, for the first player: a draw" in out
    assert str(path) in out
    assert [p.name for p in tmp_path.iterdir()] == ["flip.solved"]


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_by_default_the_file_goes_where_the_players_look_and_json_tells_all(
    cli: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    out, err = cli.ended(0, "solve", "rubiks_flip", "--double-lock", "opponent", "--json")
    data = json.loads(out)
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
    running = program("solve", "rubiks_flip", "-o", str(tmp_path / "flip.solved"))
    wait_until(lambda: list(tmp_path.iterdir()))
    assert "interrupted; nothing was written" in interrupted(running)[1]
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The last layer of Rubik's Flip."""
    path = tmp_path / "last.solved"
    write_database(path, "draw", solve_layers(0, lowest=16), highest=16)
    return path


def looked_up(database: Path) -> tuple[str, ...]:
    """`analyze` of a position with one empty square, from this database."""
    position = database.with_name("position.txt")
    position.write_text(LAST)
    return ("analyze", str(position), "--game", "rubiks_flip", "--algorithm", f'database(file="{database}")')


def test_analyze_shows_every_turn_of_a_database(cli: Program, database: Path) -> None:
    game = RubiksFlip()
    state = game.from_text(LAST)
    turns = [game.action_to_string(state, 1, action) for action in game.legal_actions(state, 1)]
    lines = cli.printed(*looked_up(database)).splitlines()
    assert [turn for turn in turns if not any(line.startswith(turn) for line in lines)] == []
    data = cli.data(*looked_up(database))
    assert {row["turn"] for row in data["turns"]} == set(turns)
    assert all(row["plies"] == (1 if row["value"] else None) for row in data["turns"])
    assert (data["player"], data["value"], data["exact"]) == (
        1,
        max(row["value"] for row in data["turns"]),
        True,
    )


DAMAGED = "is damaged: what it says of positions with "
NONE = "is no database of Rubik's Flip"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"values": [-64, 0, 64]', b'"values": [64, 0, -64]', DAMAGED),
        (b'"double_lock": "draw"', b'"double_lock": "mover"', "solves double_lock=mover, the game is draw"),
        (b'"16"', b'"15"', DAMAGED),
        (b'"bits": 4', b'"bits": 7', NONE),
        (b'"at": 65536', b'"at": -5536', NONE),
        (b"[-64, 0, 64]", b"[-64, 0, 6e9]", NONE),
        (b"", b"", DAMAGED),  # a bit of the last byte
    ],
)
def test_a_database_that_somebody_changed_is_refused(
    cli: Program, database: Path, old: bytes, new: bytes, said: str
) -> None:
    whole = database.read_bytes()
    changed = whole.replace(old, new) if old else whole[:-1] + bytes([whole[-1] ^ 1])
    assert changed != whole
    database.write_bytes(changed)
    assert said in cli.refused(*looked_up(database))


@pytest.mark.compiles_long
def test_a_board_of_simplexity_is_solved_and_shown_with_its_line(cli: Program) -> None:
    out = cli.printed("solve", *BOARD)
    assert "Red wins by force in 8 plies" in out
    data = cli.data("solve", *BOARD)
    assert (data["value"], data["value_for_white"], data["plies"], data["exact"]) == (-1, -1, 8, True)
    game = Simplexity(3, 3, 3, 2, 3)
    assert f"line: {','.join(data['line'])}" in out
    assert game.returns(game.after(",".join(data["line"]))) == -1


@pytest.mark.parametrize(
    ("moves", "words", "sentence", "known"),
    [
        pytest.param(
            "4s,4s,3s",
            ("--plies", "2"),
            "open: neither side wins by force within 2 plies",
            {"to_move": "red"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "4s,4s,3s",
            ("--plies", "13"),
            "Red wins by force in 3 plies",
            {"to_move": "red", "value": 1, "value_for_white": -1, "plies": 3},
            marks=pytest.mark.slow,
        ),
        (
            "4s,4s,3s",
            ("--only", "win", "--plies", "2"),
            "open: Red does not win by force within 2 plies",
            {"to_move": "red", "asked": "win", "is_forced": False, "exact": False},
        ),
        (
            "4s,4s,3s",
            ("--only", "win", "--plies", "13"),
            "Red wins by force within 12 plies",
            {"to_move": "red", "asked": "win", "is_forced": True, "exact": True},
        ),
        (
            "4s,4s,3s",
            ("--only", "loss", "--plies", "13"),
            "open: Red does not lose by force within 13 plies",
            {"to_move": "red", "asked": "loss", "is_forced": False, "exact": False},
        ),
        ("0r,1s,0r,1s,0r,1s,0r", ("--only", "win"), "Red cannot force a win", {"is_forced": False}),
        (
            "0r,1s,0r,1s,0r,1s,0r",
            ("--only", "loss"),
            "White has won",
            {"is_forced": True, "exact": True, "plies": 0},
        ),
        (
            "moves:",
            ("--only", "win", "--time", "0.2"),
            "open: time was up; White does not win by force within",
            {"is_forced": None, "exact": False},
        ),
    ],
)
def test_a_question_of_a_position_of_simplexity_has_an_answer_or_is_open(
    cli: Program, tmp_path: Path, moves: str, words: tuple[str, ...], sentence: str, known: dict[str, Any]
) -> None:
    """Whether either side wins, or only whether the side to move wins, or loses, as far as wanted."""
    position = tmp_path / "position.txt"
    position.write_text(moves)
    asked = ("solve", "simplexity", "--memory", "8", "--position", str(position), *words)
    assert sentence in cli.printed(*asked)
    found = cli.data(*asked)
    assert {key: found[key] for key in known} == known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("only", "sentence"),
    [("loss", "Red wins by force within 9 plies"), ("win", "White cannot force a win")],
)
def test_a_question_of_a_board_that_is_searched_to_the_end_has_an_answer(
    cli: Program, only: str, sentence: str
) -> None:
    assert sentence in cli.printed("solve", *BOARD, "--only", only)


@pytest.mark.slow
def test_interrupted_it_says_how_far_it_came() -> None:
    running = program("solve", "simplexity", "--memory", "16")
    assert running.stderr is not None
    assert "nothing forced within" in running.stderr.readline()
    assert "interrupted; neither side wins by force within" in interrupted(running)[1]


@pytest.mark.slow
def test_a_start_is_solved_for_its_value(cli: Program) -> None:
    board = ("solve", "tron", "--width", "5", "--height", "4")
    assert cli.printed(*board, "--no-symmetry").startswith(
        "0....\n.....\n.....\n....1\n\nvalue 0 for player 0: a draw\n"
    )
    data = cli.data(*board)
    assert (data["value"], data["fraction"], data["by_symmetry"], data["positions"]) == (0.0, "0", True, 1)
    data = cli.data(*board, "--no-symmetry")
    assert (data["value"], data["positions"] > 1) == (0.0, True)


def test_a_position_is_solved_wherever_its_heads_are(cli: Program, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("0x.\nxx.\n..1\n")
    data = cli.data("solve", "tron", "--position", str(path))
    assert (data["value"], data["width"], data["height"], data["position"]) == (-1.0, 3, 3, "0x.\nxx.\n..1")
    assert "value 1/2 for player 0\n" in cli.printed(
        "solve", "tron", "--width", "3", "--height", "3", "--heads", "1,1 0,0"
    )


def test_every_start_is_counted(cli: Program) -> None:
    asked = ("solve", "tron", "--width", "3", "--height", "4", "--every-start")
    assert "132 pairs of cells" in cli.printed(*asked)
    assert {row["fraction"]: row["starts"] for row in cli.data(*asked)["values"]} == {
        "1": 22,
        "1/3": 4,
        "0": 80,
        "-1/3": 4,
        "-1": 22,
    }


@pytest.mark.compiles_long
def test_a_position_is_solved_with_its_best_first_moves(cli: Program) -> None:
    asked = ("solve", "tic_tac_toe", "--position", "moves: 0 4 2 1 7 3")
    value = cli.data(*asked)["value"]
    for method in METHODS:
        data = cli.data(*asked, "--method", method, "--all-moves")
        assert (data["value"], data["bounds"]) == (value, [value] * 2)
        assert data["proven"] and data["all_moves"]
        out = cli.printed(*asked, "--method", method)
        assert f"value {value:+.9g} for player 0, proven" in out
        assert "best first move" in out


def test_bounds_are_told_in_words() -> None:
    game = ConnectFour()
    assert bounds_in_words(game, -1.0, 1.0) == "not known"
    assert bounds_in_words(game, 0.0, 0.0) == "+0"
    assert bounds_in_words(game, 0.0, 1.0) == "at least +0"
    assert bounds_in_words(game, -1.0 + 1e-16, 1.0 - 1e-16) == "above -1 and below +1"


def test_rubiks_flip_with_parameters_is_solved_by_its_own_solver(
    cli: Program, monkeypatch: Any, tmp_path: Path
) -> None:
    asked: list[Any] = []

    def solved(path: Path, rule: str, **options: Any) -> None:
        asked.append((path, rule, options["workers"]))

    monkeypatch.setattr("saddlepoint.games.rubiks_flip.database.solve_to_file", solved)
    cli("solve", "rubiks_flip(double_lock=opponent)", "-o", str(tmp_path / "flip.solved"), "-j", "2")
    assert asked == [(tmp_path / "flip.solved", "opponent", 2)]


@pytest.mark.compiles_long
def test_simplexity_is_solved_by_its_own_solver_in_the_same_form(cli: Program) -> None:
    data = cli.data("solve", "simplexity(rows=3, cols=3, win=3, round=2, square=3)", "--method", "own")
    assert (data["value_for_white"], data["plies"], data["exact"]) == (-1, 8, True)
