"""`saddlepoint solve`: solvers of single games, search in games in turn, whole games; and what is done with the files that it writes."""

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

from helpers.cli_runs import Program, interrupted, program
from helpers.programs import wait_until
from helpers.solution_files import rewritten, set_values, without_position
from saddlepoint import ConnectFour, RubiksFlip, Simplexity
from saddlepoint.games.rubiks_flip.database import write_database
from saddlepoint.games.rubiks_flip.patterns import Layer
from saddlepoint.games.rubiks_flip.sweep import SolvedLayer, solve_layers
from saddlepoint.solvers.general.checkpoint import TimeLeft
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


@pytest.mark.compiles_long
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


@pytest.mark.compiles_long
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
            "Red wins by force within 13 plies",
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


# -- whole games ---------------------------------------------------------------------------------------------------------

GAME = "goofspiel(cards=3)"


@pytest.fixture
def solved(cli: Program, tmp_path: Path) -> Path:
    path = tmp_path / "goofspiel3.sol"
    assert cli("solve", GAME, "-o", str(path))[0] == 0
    return path


def test_a_game_is_solved_into_a_file_that_says_what_is_played(cli: Program, tmp_path: Path) -> None:
    path = tmp_path / "descending.sol"
    out = cli.printed("solve", "goofspiel(cards=3, order=descending)", "-o", str(path))
    assert "9 positions in " in out
    assert "; folded: of those that are worth the same, one" in out
    assert "best responses gain 0 from the start" in out
    assert f"{path}: " in out
    assert [p.name for p in tmp_path.iterdir()] == ["descending.sol"]
    again = cli.printed("solve", str(path))
    assert "Goofspiel(cards=3, order='descending', utility='win', lowest=1): 9 positions; folded" in again
    *stage, certificate = out.split("\n\n")[1].splitlines()[:-1]
    assert again.split("\n\n")[1].splitlines() == [
        *stage,
        f"the file claims, not checked, that {certificate}",
    ]


def test_json_tells_the_same_of_the_game_and_of_its_file(
    cli: Program, solved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By another test, perhaps.
    monkeypatch.setattr("saddlepoint.solvers.checking.is_checked", lambda path, game: False)
    game, file = cli.data("solve", GAME), cli.data("solve", str(solved))
    assert game["positions"] == game["chance_positions"] == file["positions"] == 28
    assert game["stages"] == 42  # in positions that follow chance and are not kept
    assert game["folded"] is file["folded"] is True
    for key in ("value", "position", "start", "certificate", "rules", "strategies"):
        assert game[key] == file[key], key
    assert not file["checked"]


def test_without_folding_all_distinct_positions_are_solved(
    cli: Program, solved: Path, tmp_path: Path
) -> None:
    whole, target = tmp_path / "whole.sol", tmp_path / "all.json"
    data = cli.data("solve", GAME, "--no-fold", "-o", str(whole))
    assert data["positions"] == data["stages"] + data["chance_positions"] == 263
    assert data["folded"] is False
    values = []
    for source, kept in ((solved, 28), (whole, 263)):
        cli.printed("solve", str(source), "--export", str(target))
        told = json.loads(target.read_text())
        assert (len(told["positions"]), told["certificate"]["positions"]) == (263, kept)
        values.append({row["position"]: row["value"] for row in told["positions"]})
    assert values[0] == pytest.approx(values[1], abs=1e-12)
    assert len(values[0]) == 263


def test_a_file_is_checked_by_best_responses_and_in_fractions(cli: Program, solved: Path) -> None:
    data = cli.data("solve", str(solved), "--check", "--exact")
    assert data["checked"]
    assert data["certificate"]["worst_gap"] < 1e-9
    assert data["exact"]["value"] == "0"
    assert data["exact"]["largest_error"] < 1e-12


def test_a_file_in_which_a_value_was_changed_is_damaged_and_unchecked_ones_only_claim(
    cli: Program, solved: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.sol"
    wrong.write_bytes(
        rewritten(solved.read_bytes(), set_values(lambda values: np.where(values, values, 0.25)))
    )
    for way in ("--check", "--exact"):
        assert "is damaged: " in cli.refused("solve", str(wrong), way)
    out = cli.printed("solve", str(wrong))
    assert "what the file claims, not checked (--check compares every value with the rules):" in out
    assert "the file claims, not checked, that best responses gain" in out
    for way in (("--check",), ()):  # the second time it was checked here before
        out = cli.printed("solve", str(solved), *way)
        assert "claims" not in out
        assert "checked: every position and value follows from the rules\n" in out
    assert cli.data("solve", str(solved))["checked"]


RULES = """
from dataclasses import dataclass
from typing import NamedTuple
from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel

class State(NamedTuple):
    round: int
    lead: int

@dataclass(frozen=True)
class Pennies(Game):
    rounds: int = 3
    max_actions = 2
    max_depth = 9
    max_utility = 9.0
    min_utility = -9.0

    def initial_state(self):
        return State(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        out[1] = 1
        return 2

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, state.lead + (1 + action0 if action0 == action1 else -1))

    @kernel
    def returns(self, state):
        return float(state.lead)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_game_of_ones_own_is_solved_and_its_file_runs_nothing_by_itself(cli: Program) -> None:
    Path("pennies.py").write_text(RULES)
    game = "./pennies.py:Pennies(rounds=2)"
    assert cli.data("solve", game, "-o", "pennies.sol")["positions"] == 1 + 3
    alone = subprocess.run(
        [sys.executable, "-m", "saddlepoint", "solve", "pennies.sol"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert alone.returncode == 2
    assert "give --game ./pennies.py:Pennies to run it" in alone.stderr
    assert cli.data("solve", "pennies.sol", "--game", game, "--exact")["exact"]["value"] == "2/5"


@pytest.mark.slow
def test_games_with_cycles_are_solved_and_their_files_asked_and_checked(cli: Program, tmp_path: Path) -> None:
    path = str(tmp_path / "soccer.sol")
    game = "soccer(width=2, height=2)"
    data = cli.data("solve", game, "--discount", "0.9", "-o", path)
    known = {"positions": 157, "folded": True, "discount": 0.9, "proven": True, "interval": None}
    assert {key: data[key] for key in known} == known
    rules = "Soccer(width=2, height=2, draw=0.1, max_moves=1000, ball='given')"
    subject = f"{rules}, without its limit of moves, with the discount 0.9 for each move"
    out = cli.printed("solve", path, "--check")
    assert out.startswith(f"{subject}: 157 positions")
    assert cli.printed("solve", game, "--discount", "0.9").startswith(f"{subject}: 157 positions")
    told = cli.data("solve", path, "--check")
    assert (told["discount"], told["clock_left_out"], told["folded"]) == (0.9, True, True)
    assert "best responses gain" in out
    out = cli.printed("solve", game, "--method", "values")
    assert "an endless play counts 0; by value iteration the value is in [" in out
    assert "; proven to " in out


@pytest.mark.slow
def test_with_no_cycles_the_limit_counts(cli: Program) -> None:
    asked = ("solve", "soccer(width=2, height=2, max_moves=2)", "--no-cycles")
    kept, whole = cli.data(*asked), cli.data(*asked, "--no-fold")
    assert whole["positions"] == 417
    assert kept["positions"] < whole["positions"]
    assert kept["value"] == pytest.approx(whole["value"], abs=1e-9) == pytest.approx(0.0, abs=1e-9)


def ended_in_the_middle(words: list[str], part: Path, number: signal.Signals) -> tuple[int, str]:
    """Start a run, and end it as soon as it has written a checkpoint: its exit code, and what it said."""
    before = part.stat().st_mtime_ns if part.exists() else 0
    running = program("solve", *words)
    while running.poll() is None and (not part.exists() or part.stat().st_mtime_ns == before):
        time.sleep(0.002)
    running.send_signal(number)
    _, err = running.communicate(timeout=60)
    return running.returncode, err


@pytest.mark.slow
def test_killed_and_interrupted_it_goes_on_to_the_same_file(cli: Program, tmp_path: Path) -> None:
    """By SIGKILL twice, and by Ctrl-C; with other threads, and with a table in a file."""
    whole, output, part = (tmp_path / name for name in ("whole.sol", "a.sol", "a.sol.part"))
    words = ["goofspiel(cards=6)", "--no-fold", "--no-check", "--checkpoint", "0"]
    assert cli("solve", *words, "-o", str(whole))[0] == 0
    again = [*words, "-o", str(output), "--resume"]
    for run in ([*words, "-o", str(output), "-j", "1"], [*again, "-j", "3"]):
        assert ended_in_the_middle(run, part, signal.SIGKILL)[0] == -signal.SIGKILL
    code, err = ended_in_the_middle([*again, "--memory", "1"], part, signal.SIGINT)
    assert code == 130
    assert "interrupted; the same command with --resume goes on: " in err
    assert f"{part} has " in err
    assert not output.exists()
    assert (
        f"{part} is what an interrupted run has found: --resume goes on with it; to begin anew, delete it"
        in cli.refused("solve", *words, "-o", str(output))
    )
    assert cli("solve", *again)[0] == 0
    assert output.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sol", "whole.sol"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "begun", "said"),
    [
        (("goofspiel(cards=9)", "--memory", "1"), "the table goes into a file now", "nothing was written"),
        (("simplexity", "--memory", "16"), "nothing forced within", "neither side wins by force within"),
    ],
)
def test_interrupted_without_a_file_it_says_how_far_it_came(
    words: tuple[str, ...], begun: str, said: str
) -> None:
    running = program("solve", *words)
    assert begun in running.stderr.readline()
    assert f"interrupted; {said}" in interrupted(running)[1]


def test_resume_goes_on_with_a_checkpoint_alone(cli: Program, tmp_path: Path, solved: Path) -> None:
    _, err = cli.ended(0, "solve", GAME, "-o", str(tmp_path / "new.sol"), "--resume")
    assert "new.sol.part: the game is solved from its start" in err
    assert (tmp_path / "new.sol").read_bytes() == solved.read_bytes()


def test_the_time_left_is_told_where_branches_end_at_a_steady_pace() -> None:
    steady, slowing, early = TimeLeft(), TimeLeft(), TimeLeft()
    assert [steady.total(t, 100 * t, t / 40) for t in (2, 4, 8, 16, 20, 39)] == [
        None,
        None,
        None,
        4000,
        4000,
        4000,
    ]
    assert [slowing.total(t, 100 * t, (t / 40) ** 2) for t in (6, 12, 24, 39)] == [None] * 4
    assert early.total(30, 100, 0.0) is None


@pytest.mark.parametrize("form", [(), ("--no-fold",)], ids=["folded", "whole"])
def test_a_file_without_a_position_is_refused_before_it_is_checked_or_exported(
    cli: Program, tmp_path: Path, form: tuple[str, ...]
) -> None:
    path = tmp_path / "made_up.sol"
    cli.printed("solve", GAME, *form, "-o", str(path))
    path.write_bytes(rewritten(path.read_bytes(), without_position))
    for option in ("--check", "--export=-"):
        said = cli.refused("solve", "file", str(path), option)
        assert "made_up.sol' is damaged: position " in said and "writes it anew" in said
