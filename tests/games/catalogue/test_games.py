"""A game of an installed package is as good as the library's own, and a broken one takes nothing away; every protocol has both sides."""

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from helpers.programs import run_python
from saddlepoint.games.catalogue.games import make_game, protocols, protocols_of
from saddlepoint.games.description import Description

PACKAGE = Path(__file__).parents[3] / "examples" / "take_away"


class Installed:
    """An environment of its own in which the package is installed; what this one has is found there, too."""

    def __init__(self, home: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "venv"], check=True)
        (site,) = (home / "venv").glob("lib/python*/site-packages")
        (site / "here.pth").write_text(
            f"{sysconfig.get_path('purelib')}\n{Path(__file__).parents[3] / 'src'}\n"
        )
        source = shutil.copytree(PACKAGE, home / "source")
        install = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--target",
            site,
            source,
        ]
        subprocess.run([sys.executable, *install], check=True)
        self._home, self._python = home, home / "venv" / "bin" / "python"
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONPATH", "NUMBA_DISABLE_JIT")
        }
        self._environment = kept | {"SADDLEPOINT_QUIET": "1", "COLUMNS": "200"}

    def python(self, *arguments: str) -> str:
        """What Python prints there."""
        told = subprocess.run(
            [self._python, *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=self._home,
            env=self._environment,
            timeout=300,
        )
        assert told.returncode == 0, told.stderr
        return told.stdout

    def saddlepoint(self, *arguments: str) -> str:
        """What the program prints there."""
        return self.python("-m", "saddlepoint", *arguments)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.mark.slow
def test_it_is_listed_with_its_players_and_evaluators(there: Installed) -> None:
    games = {game["name"]: game for game in json.loads(there.saddlepoint("games", "--json"))}
    assert games["take_away"]["parameters"] == {"stones": 21, "most": 3}
    assert games["take_away"]["summary"].startswith("in turn both take")
    players = [
        player["name"] for player in json.loads(there.saddlepoint("players", "--game", "take_away", "--json"))
    ]
    assert {"best", "heaps", "random"} <= set(players)


@pytest.mark.slow
def test_it_is_played_and_kept(there: Installed) -> None:
    told = json.loads(
        there.saddlepoint(
            "match",
            "best",
            "heaps",
            "--game",
            "take_away(stones=8)",
            "-n",
            "4",
            "--swap",
            "--seed",
            "1",
            "--ledger",
            "games.db",
            "--json",
        )
    )
    # 8 stones are lost for whoever begins, and both know it; the other two games are copies
    assert (told["wins"], told["draws"], told["losses"]) == (1, 0, 1)
    assert "take_1" in there.saddlepoint("ledger", "show", "games.db", "1")
    players = ("random", "heaps", "pvs(evaluator=heaps, depth=1)")
    there.saddlepoint(
        "tournament", *players, "--game", "take_away", "-n", "2", "--ledger", "more.db", "--seed", "1"
    )
    assert "take_away" in there.saddlepoint("report", "more.db", "-o", "-")


@pytest.mark.slow
def test_it_is_solved_and_the_file_is_read_again(there: Installed) -> None:
    solved = json.loads(there.saddlepoint("solve", "take_away(stones=9)", "-o", "nine.sol", "--json"))
    assert solved["value"] == 1.0
    assert "value +1" in there.saddlepoint("solve", "nine.sol", "--check")


@pytest.mark.slow
def test_it_is_offered_on_the_page(there: Installed) -> None:
    asked = (
        "import json; from saddlepoint.web.catalogue import catalogue_json; from saddlepoint.web.catalogue import KnownGames; "
        "from saddlepoint.web.catalogue import OwnWeights; "
        "rows = catalogue_json(KnownGames(), (), OwnWeights(()), {})['games']; "
        "print(json.dumps([row for row in rows if row['name'] == 'take_away']))"
    )
    (row,) = json.loads(there.python("-c", asked))
    assert [level["spec"] for level in row["levels"]] == ["random", "pvs(depth=2)", "heaps", "best"]
    assert {"constant", "heaps"} == {one["name"] for one in row["evaluators"]}
    assert [one["name"] for one in row["parameters"]] == ["stones", "most"]


# -- broken packages -----------------------------------------------------------------------------------------------------

_DESCRIBED = "from saddlepoint.games.description import Description\nGAME = Description(rules='entry:Rules', {})\nclass Rules: pass\n"
_SENTENCES = {
    "raise RuntimeError('no licence\\nat all')": "broken.entry:GAME cannot be loaded: RuntimeError: no licence",
    "raise SystemExit(3)": "broken.entry:GAME cannot be loaded: SystemExit: 3",
    "GAME = 5": "broken.entry:GAME is no Description that names its rules",
    _DESCRIBED.format(""): "entry:Rules is no frozen dataclass made of Game",
}


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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("source", _SENTENCES)
def test_who_asks_for_a_broken_game_is_told_what_is_wrong_in_one_sentence(
    tmp_path: Path, source: str
) -> None:
    told = _called(tmp_path, source, "play", "broken", "random", "random")
    assert told.returncode == 2
    sentence = told.stderr.removesuffix("\n").removesuffix("; it is left out")
    assert sentence == f"saddlepoint: the game broken of an installed package: {_SENTENCES[source]}"


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_description_with_a_wrong_field_leaves_the_game_out(tmp_path: Path) -> None:
    told = _called(tmp_path, _DESCRIBED.format("commands=('mine',)"), "--help")
    assert told.returncode == 0
    assert (
        "the game broken of an installed package: broken.entry:GAME cannot be loaded: TypeError: commands of a Desc"
        in told.stderr
    )
    assert "Traceback" not in told.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "shown", "place"),
    [
        (("--help",), "tournament", "none:mine"),
        (("solve", "--help"), "rubiks_flip", "none:SOLVER"),
    ],
)
def test_commands_that_are_missing_leave_the_others(
    arguments, shown: str, place: str, tmp_path: Path
) -> None:
    source = _DESCRIBED.format("commands={'mine': 'none:mine'}, solve='none:SOLVER'")
    told = _called(tmp_path, source, *arguments)
    assert told.returncode == 0
    assert shown in told.stdout
    assert told.stderr.count("cannot be loaded: ModuleNotFoundError") == 1
    assert f"the game broken of an installed package: {place} cannot be loaded" in told.stderr


@pytest.mark.slow
def test_a_game_of_the_library_keeps_its_name(tmp_path: Path) -> None:
    told = _called(tmp_path, _DESCRIBED.format(""), "players", "--json", name="goofspiel")
    assert told.returncode == 0
    assert "the game goofspiel of an installed package: a game of this library has that name" in told.stderr


# -- protocols -----------------------------------------------------------------------------------------------------------


def test_every_side_of_every_protocol_is_there() -> None:
    for one in protocols():
        sides = [
            side
            for side in (
                one.player,
                one.bot,
                one.serve,
                one.client,
                one.http,
                one.looks,
                one.claims,
                one.opening,
                one.version,
            )
            if side
        ]
        assert sides
        assert all(callable(one.load(side)) for side in sides)
        assert not one.game or make_game(one.game).name == one.game
        assert not one.game or one in protocols_of(one.game), "it is brought by its game"


@pytest.mark.parametrize("side", ["player", "bot", "http"])
def test_a_game_has_one_contest_on_either_side(side: str) -> None:
    games = [one.game for one in protocols() if one.game and getattr(one, side)]
    assert len(games) == len(set(games))
