"""A package that is installed and broken takes nothing away from the rest: it is left out, and told in a sentence."""

import ast
import json
import os
import subprocess
from pathlib import Path

import pytest

from helpers.programs import run_python
from saddlepoint.games.description import Description

_DESCRIBED = "from saddlepoint.games.description import Description\nGAME = Description(rules='entry:Rules', {})\nclass Rules: pass\n"
_SENTENCES = {
    "raise RuntimeError('no licence\\nat all')": "broken.entry:GAME cannot be loaded: RuntimeError: no licence",
    "raise SystemExit(3)": "broken.entry:GAME cannot be loaded: SystemExit: 3",
    "GAME = 5": "broken.entry:GAME is no Description that names its rules",
    _DESCRIBED.format(""): "entry:Rules is no frozen dataclass made of Game",
}

pytestmark = pytest.mark.slow


def _called(
    home: Path, source: str, *arguments: str, name: str = "broken"
) -> "subprocess.CompletedProcess[str]":
    files = {
        "broken/__init__.py": "",
        "broken/entry.py": source,
        "broken-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n",
        "broken-1.0.dist-info/entry_points.txt": f"[saddlepoint.games]\n{name} = broken.entry:GAME\n",
    }
    for file, text in files.items():
        (home / file).parent.mkdir(exist_ok=True)
        (home / file).write_text(text)
    path = os.pathsep.join((str(Path(__file__).parents[3] / "src"), str(home)))
    options = {"NUMBA_DISABLE_JIT": "1", "SADDLEPOINT_QUIET": "1"}
    return run_python("-m", "saddlepoint", *arguments, PYTHONPATH=path, **options)


@pytest.mark.parametrize("source", _SENTENCES)
def test_a_package_that_cannot_be_loaded_is_left_out_of_the_list(tmp_path: Path, source: str) -> None:
    told = _called(tmp_path, source, "games", "--json")
    assert told.returncode == 0
    names = {game["name"] for game in json.loads(told.stdout)}
    assert "light_riders" in names
    assert "broken" not in names
    assert (
        told.stderr
        == f"saddlepoint: the game broken of an installed package: {_SENTENCES[source]}; it is left out\n"
    )


@pytest.mark.parametrize("source", _SENTENCES)
def test_who_asks_for_a_broken_game_is_told_what_is_wrong_in_one_sentence(
    tmp_path: Path, source: str
) -> None:
    told = _called(tmp_path, source, "play", "broken", "random", "random")
    assert told.returncode == 2
    sentence = told.stderr.removesuffix("\n").removesuffix("; it is left out")
    assert sentence == f"saddlepoint: the game broken of an installed package: {_SENTENCES[source]}"


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("evaluators='heaps:Heaps'", "a tuple of places such as ('heaps:Heaps',), not 'heaps:Heaps'"),
        ("replay_formats=('replays',)", "a tuple of places such as ('heaps:Heaps',), not ('replays',)"),
        ("solve=5", "a place such as 'game:Mine', not 5"),
        ("players=('best',)", "a list of named players, Players('mine'), not ('best',)"),
        (
            "levels=('best',)",
            "a tuple of levels such as (Level('gentle', 'random', nodes=100),), not ('best',)",
        ),
        ("protocols='lines'", "a tuple of protocols such as (Protocol(...),), not 'lines'"),
        ("commands=('mine',)", "names and their places such as {'mine': 'command:mine'}, not ('mine',)"),
        ("puzzles=None", "the name of a file such as 'puzzles.jsonl', not None"),
        ("is_default='no'", "True or False, not 'no'"),
        ("shown=5", "a spec such as 'mine(width=8)', not 5"),
    ],
)
def test_a_field_that_holds_something_else_is_named_with_the_way_out(field: str, expected: str) -> None:
    name, _, value = field.partition("=")
    with pytest.raises(TypeError) as caught:
        Description(**{name: ast.literal_eval(value)})
    assert str(caught.value) == f"{name} of a Description must be {expected}"


def test_a_description_with_a_wrong_field_leaves_the_game_out(tmp_path: Path) -> None:
    told = _called(tmp_path, _DESCRIBED.format("commands=('mine',)"), "--help")
    assert told.returncode == 0
    assert (
        "the game broken of an installed package: broken.entry:GAME cannot be loaded: TypeError: commands of a Desc"
        in told.stderr
    )
    assert "Traceback" not in told.stderr


def test_commands_that_are_missing_leave_the_others(tmp_path: Path) -> None:
    source = _DESCRIBED.format("commands={'mine': 'none:mine'}, solve='none:SOLVER'")
    for arguments, shown, place in (
        (("--help",), "tournament", "none:mine"),
        (("solve", "--help"), "rubiks_flip", "none:SOLVER"),
    ):
        told = _called(tmp_path, source, *arguments)
        assert told.returncode == 0
        assert shown in told.stdout
        assert told.stderr.count("cannot be loaded: ModuleNotFoundError") == 1
        assert f"the game broken of an installed package: {place} cannot be loaded" in told.stderr


def test_a_game_of_the_library_keeps_its_name(tmp_path: Path) -> None:
    told = _called(tmp_path, _DESCRIBED.format(""), "players", "--json", name="goofspiel")
    assert told.returncode == 0
    assert "the game goofspiel of an installed package: a game of this library has that name" in told.stderr
