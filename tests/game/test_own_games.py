"""Games in users' own files: found by one text everywhere, identified in ledgers, never run without being asked for."""

import importlib
import json
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from helpers.programs import run_python
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import GameError
from saddlepoint.game.own_games import described, load_class, recorded_game, split_file
from saddlepoint.games.catalogue.games import make_game

UNDERCUT = Path(__file__).resolve().parents[2] / "examples" / "undercut.py"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mygame.py"
    path.write_text(
        UNDERCUT.read_text() + "\n(__import__('pathlib').Path(__file__).parent / 'ran').touch()\n"
    )
    return path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("./mygame.py:MyGame(size=5)", ("./mygame.py", "MyGame(size=5)")),
        ("my game.py:MyGame", ("my game.py", "MyGame")),
        ('/a/b.py:G(file="x.py:Y")', ("/a/b.py", 'G(file="x.py:Y")')),
        ("light_riders(width=20)", None),
        ("./mygame.py", None),
        ("./mygame.py:", None),
        ("best(evaluator=./its.py:Mine)", None),
        ("best(evaluator=./its.py:Mine(scale=1))", None),
    ],
)
def test_the_text_is_parsed(text, expected):
    assert split_file(text) == expected


def test_it_is_made_with_its_parameters(file):
    game = read_game(f"{file}:Undercut(top=4)")
    assert (game.top, game.rounds) == (4, 3)
    assert read_game(f"{file}:Undercut(top=4)") == game


def test_what_it_is_about_is_its_summary_or_the_first_line_of_its_docstring(tmp_path):
    path = tmp_path / "about.py"
    source = UNDERCUT.read_text()
    path.write_text(
        source
        + "\n\nclass Silent(Undercut):\n    pass\n\n\nclass Told(Undercut):\n    'Long.'\n    summary = 'short'\n"
    )
    silent, told = (
        getattr(importlib.import_module(load_class(path, "Undercut").__module__), name)
        for name in ("Silent", "Told")
    )
    assert (
        load_class(path, "Undercut").summary
        == "Undercut with the numbers 1 to `top`; action a names the number a + 1"
    )
    assert silent.summary == load_class(path, "Undercut").summary
    assert told.summary == "short"


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ("mygame.py:Nobody", "has no game 'Nobody', a frozen dataclass made of Game; it has: Undercut"),
        ("mygame.py:State", "mygame.py has no game 'State'"),
        ("mygame.py:Undercut(tip=4)", "Undercut has no parameter 'tip'; it has: top, rounds"),
        ("mygame.py:Undercut(top=four)", "Undercut: top must be of the kind of 5"),
        ("mygame.py:Undercut(top=__import__('os'))", "expected"),
        (
            "broken.py:Game",
            "broken.py cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("gone.py:Game", "there is no file"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(file, named, sentence):
    (file.parent / "broken.py").write_text("import no_such_module\n")
    with pytest.raises(ValueError) as caught:
        read_game(f"{file.parent}/{named}")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_another_process_loads_it_by_its_file(file, tmp_path):
    (tmp_path / "terms").write_bytes(pickle.dumps(MatchConditions(read_game(f"{file}:Undercut(top=4)"))))
    code = f"import pickle; print(pickle.load(open({str(tmp_path / 'terms')!r}, 'rb')).game)"
    done = run_python("-c", code)
    assert done.stdout.strip() == "Undercut(top=4, rounds=3)", done.stderr


@pytest.mark.slow
def test_a_ledger_identifies_it_and_does_not_run_it(file):
    game = read_game(f"{file}:Undercut(top=4)")
    data = json.loads(json.dumps(described(game)))
    assert data["name"] == "undercut"
    assert (data["class"], data["file"]) == ("Undercut", "mygame.py")
    assert recorded_game(data, make_game) == game
    digest = data["digest"]
    assert load_class(file, "Undercut") is type(game)
    with pytest.raises(GameError, match=r"give --game ./other.py:Undercut to run it"):
        recorded_game(data | {"file": "other.py"}, make_game)
    for folder, more in (("elsewhere", ""), ("changed", "# and more\n")):
        copy = file.parent / folder / "mygame.py"
        copy.parent.mkdir()
        copy.write_text(file.read_text() + more)
        assert (described(read_game(f"{copy}:Undercut"))["digest"] == digest) == (more == "")


@pytest.mark.slow
def test_the_digest_follows_what_the_file_imports(tmp_path):
    digests = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "mygame.py").write_text("import helper_of_own\n" + UNDERCUT.read_text())
        (folder / "helper_of_own.py").write_text(f"x = {number}\n")
        code = (
            "from saddlepoint.cli.common import read_game\nfrom saddlepoint.game.own_games import described\n"
            "print(described(read_game('./mygame.py:Undercut'))['digest'])"
        )
        done = run_python("-c", f"import os; os.chdir({str(folder)!r})\n{code}")
        digests.append(done.stdout.strip())
        assert digests[-1], done.stderr
    assert digests[0] != digests[1]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_match_ledger_replay_and_report(file, tmp_path):
    text = "./mygame.py:Undercut(top=3,rounds=2)"
    options = ("--game", text, "-n", "2", "--nodes", "5", "--isolate", "all", "--ledger", "l.db")
    done = run_python("-m", "saddlepoint", "match", "random", "random", *options)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect("l.db")) as connection:
        settings = json.loads(connection.execute("SELECT settings FROM tournaments").fetchone()[0])
    assert settings["terms"]["game"]["parameters"] == {"top": 3, "rounds": 2}
    (tmp_path / "ran").unlink()
    for command in (
        ("ledger", "show", "l.db", "1"),
        ("ledger", "replay", "l.db", "1"),
        ("ledger", "export", "l.db"),
    ):
        refused = run_python("-m", "saddlepoint", *command)
        assert refused.returncode == 2
        assert "give --game ./mygame.py:Undercut to run it" in refused.stderr
        assert not (tmp_path / "ran").exists()
        given = run_python("-m", "saddlepoint", *command, "--game", "./mygame.py:Undercut")
        assert given.returncode == 0, given.stderr
        (tmp_path / "ran").unlink()
    told = run_python("-m", "saddlepoint", "ledger", "list", "l.db").stdout
    assert "None" not in told
    assert "--game ./FILE.py:CLASS gives those" in " ".join(told.split()), "turns are counted by the rules"
    assert run_python("-m", "saddlepoint", "report", "l.db", "-o", "r.html").returncode == 0
    assert not (tmp_path / "ran").exists()
    told = run_python("-m", "saddlepoint", "ledger", "list", "l.db", "--game", "./mygame.py:Undercut").stdout
    assert "--game" not in told


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_game_without_a_name_is_called_by_its_class(cli, tmp_path):
    nameless = UNDERCUT.read_text().replace('    name: ClassVar[str] = "undercut"\n', "")
    (tmp_path / "mygame.py").write_text(nameless)
    text = "./mygame.py:Undercut(top=3,rounds=2)"
    assert (
        cli("league", "add", "league.db", "random", "--game", text)[1]
        == "random is in the league of Undercut; its players: random\n"
    )
    assert cli("play", text, "random", "random", "-o", "game.jsonl")[0] == 0
    assert (
        json.loads(cli("review", "game.jsonl", "--game", text, "--depth", "2", "--json")[1])["game"]
        == "Undercut"
    )


@pytest.mark.parametrize("folder", ["a (old)", "a(b", "~away", "with blank", "comma, 'quote'"])
@pytest.mark.usefixtures("here")
def test_a_game_is_found_in_a_folder_of_any_name(folder, tmp_path):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "its.py").write_bytes(UNDERCUT.read_bytes())
    for file in (
        f"./{folder}/its.py",
        f"{tmp_path}/{folder}/its.py",
        *([f"{folder}/its.py"] if folder != "a(b" else []),
    ):
        assert split_file(f"{file}:Undercut(numbers=3)") == (file, "Undercut(numbers=3)")
        assert load_class(file, "Undercut").__name__ == "Undercut"
