"""`new` and `check` of a game: what is written works as it stands, and rules that are broken are told in a sentence."""

import json
import shutil
from pathlib import Path

import pytest

from helpers.programs import run_python
from saddlepoint import check_game
from saddlepoint.cli.doctor import _is_missing
from saddlepoint.game.own_games import games_in, load_game


@pytest.fixture(autouse=True)
def quiet(here, monkeypatch):
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize(
    ("name", "kind", "more"),
    [
        pytest.param("my_game.py", "MyGame", [], marks=pytest.mark.compiles_soon),
        ("my_game.py", "MyGame", ["--turns"]),
        ("state.py", "MyState", []),
        ("game.py", "MyGame", []),
        ("CLASS_1.py", "CLASS1", []),
    ],
)
def test_a_new_game_keeps_what_every_game_promises(cli, name, kind, more):
    """Its class has no name that the file needs for something else."""
    assert f"./{name}:{kind}" in cli.printed("new", "game", name, *more)
    check_game(load_game(name, kind, {}), playouts=5)


@pytest.mark.slow
@pytest.mark.parametrize("what", [["game"], ["game", "--turns"], ["bot"]], ids=" ".join)
def test_the_test_that_comes_with_it_passes(cli, what, tmp_path):
    assert cli("new", what[0], "mine.py", *what[1:])[0] == 0
    done = run_python(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py", PYTHONPATH=str(tmp_path)
    )
    assert done.returncode == 0, done.stdout


def test_a_new_bot_takes_a_win_and_plays_legal_moves(cli):
    assert cli("new", "bot", "mybot.py")[0] == 0
    cli.printed("check", "./mybot.py", "--game", "tic_tac_toe", "-n", "3")


@pytest.mark.plain
@pytest.mark.compiles_long
def test_sound_rules_are_said_to_be_sound(cli):
    cli.printed("new", "game", "mygame.py", "--turns")
    said = "the rules keep what every game promises, in every position of 50 random games\n"
    assert cli.printed("check", "./mygame.py:MyGame(counters=4)") == f"MyGame(counters=4): {said}"


def test_broken_rules_are_told_in_one_sentence_and_end_with_1(cli):
    assert cli("new", "game", "mygame.py", "--turns")[0] == 0
    path = Path("mygame.py")
    path.write_text(path.read_text().replace("return count  #", "return count + 1  #"))
    _, err = cli.ended(1, "check", "./mygame.py:MyGame")
    assert err.startswith(
        "saddlepoint: MyGame(counters=10): legal_actions must give at most max_actions = 3 actions, not 4"
    )
    assert err.count("\n") == 1
    told = json.loads(cli.ended(1, "check", "./mygame.py:MyGame", "--json")[0])
    assert (told["ok"], told["game"]) == (False, "./mygame.py:MyGame")
    assert "at most max_actions" in told["problem"]


def test_the_doctor_says_what_there_is(cli, monkeypatch):
    monkeypatch.setenv("SADDLEPOINT_TRIED", f"{Path.home()}/somewhere")
    found = cli.data("doctor")
    assert str(Path.home()) not in json.dumps(found)
    assert list(found) == [
        "versions",
        "machine",
        "compiled code",
        "clock",
        "isolation of programs",
        "extras",
        "other programs",
        "settings",
    ]
    assert found["versions"]["saddlepoint"]
    assert found["settings"]["SADDLEPOINT_QUIET"] == "1"
    assert found["extras"]["web"] == "installed"
    assert (found["other programs"]["node"] == "not found") == (shutil.which("node") is None)
    assert found["settings"]["SADDLEPOINT_TRIED"] == "~/somewhere"


def test_what_the_doctor_says_fits_a_small_terminal(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = cli("doctor")[1].splitlines()
    assert len(lines) <= 24
    assert [line for line in lines if len(line) > 80 and " " in line.strip()] == []  # a path is not broken
    assert any("numba" in line for line in lines)


@pytest.mark.parametrize(
    ("requirement", "missing"),
    [
        ("numpy", False),
        ("numpy>=1.0", False),
        ("numpy >= 99.1", True),
        ("no-such-package", True),
        ("coverage[toml]>=7.6", False),
    ],
)
def test_a_package_that_is_too_old_is_missing(requirement, missing):
    assert _is_missing(requirement) is missing


@pytest.mark.plain
@pytest.mark.compiles_long
def test_a_file_with_one_game_needs_no_class_and_one_with_two_says_which_there_are(cli):
    assert cli("new", "game", "mygame.py")[0] == 0
    text = Path("mygame.py").read_text()
    Path("two.py").write_text(text + text[text.index("@dataclass") :].replace("class MyGame", "class Other"))
    assert cli.printed("check", "./mygame.py").startswith("MyGame(rounds=3):")
    assert cli("play", "./mygame.py", "random", "random")[0] == 0
    for command in (("check", "./two.py"), ("play", "./two.py", "random", "random")):
        said = cli.refused(*command)
        assert "MyGame and Other" in said and "./two.py:MyGame" in said


def test_a_bots_file_is_no_games_file(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from saddlepoint import Game\nclass Mine(Game): pass\ndef choose(game, state, player, clock): ...\n"
    )
    assert games_in(bot) == []
    bot.write_text("class Mine(")
    assert games_in(bot) == games_in(tmp_path / "nowhere.py") == []
