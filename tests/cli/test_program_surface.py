"""The command line's surface: its commands and options, the keys of what `--json` prints, exit codes.

`tests/data/cli_surface.json` holds all of it; what changes there is told in CHANGELOG.md.
"""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers.bots import command
from helpers.commands import COMMANDS
from saddlepoint.games.light_riders import LightRiders

SURFACE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "cli_surface.json").read_text())
TINY = "--game goofspiel(cards=3) --nodes 50 --seed 1"


def described(parameter: Any) -> str:
    """What a user can know of an option or argument, but for its help."""
    words = ["/".join([*parameter.opts, *parameter.secondary_opts])]
    words += ["required"] if parameter.required else []
    words += ["repeated"] if getattr(parameter, "multiple", False) or parameter.nargs == -1 else []
    words += [
        f"{name} {value}" for name in ("min", "max") if (value := getattr(parameter, name, None)) is not None
    ]
    return ", ".join([*words, f"default {parameter.default!r}"])


def test_commands_and_options_are_the_recorded_ones() -> None:
    known = SURFACE["options"]
    assert sorted(COMMANDS) == sorted(known)
    for path, found in COMMANDS.items():
        assert sorted(map(described, found.params)) == known[path], path


def keys(text: str) -> list[str]:
    """The keys of an object, or of the first of several."""
    data = json.JSONDecoder().raw_decode(text)[0]
    return sorted(data[0] if isinstance(data, list) else data)


@pytest.fixture
def folder(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ledger, a league, a position and a bot."""
    monkeypatch.chdir(tmp_path)
    cli(*shlex.split(f"match random best -n 2 {TINY} --ledger games.db -j 1"))
    for player in ("random", "best"):
        cli(*shlex.split(f"league add league.db {player} {TINY}"))
    Path("position.txt").write_text(LightRiders(8, 6).to_text(LightRiders(8, 6).initial_state()))
    command(tmp_path, "good")
    return tmp_path


@pytest.mark.slow
def test_json_has_the_recorded_keys(cli: Any, folder: Path) -> None:
    for line, known in SURFACE["json"].items():
        words = [
            word.replace("python3", sys.executable) for word in shlex.split(line)
        ]  # which may be a script that looks for it
        assert keys(cli.printed(*words)) == known, line


@pytest.mark.slow
def test_wrong_uses_end_with_the_recorded_codes(cli: Any, folder: Path) -> None:
    for line, code in SURFACE["wrong"].items():
        out, err = cli.ended(code, *shlex.split(line))
        assert not out and err.startswith("saddlepoint: "), line
