"""A game of an installed package is as good as the library's own: it is listed, played, solved, compared, and offered on the page."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

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
        "from saddlepoint.web.own_weights import OwnWeights; "
        "rows = catalogue_json(KnownGames(), (), OwnWeights(()), {})['games']; "
        "print(json.dumps([row for row in rows if row['name'] == 'take_away']))"
    )
    (row,) = json.loads(there.python("-c", asked))
    assert [level["spec"] for level in row["levels"]] == ["random", "pvs(depth=2)", "heaps", "best"]
    assert {"constant", "heaps"} == {one["name"] for one in row["evaluators"]}
    assert [one["name"] for one in row["parameters"]] == ["stones", "most"]
