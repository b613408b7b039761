"""Usual calls are read without typer, and mean what they mean to typer."""

import shlex
import subprocess
import sys
from typing import Any

import pytest
import typer

from cli_runs import cli
from saddlepoint.cli import app
from saddlepoint.cli.fast_calls import USUAL, fast_call

__all__ = ["cli"]  # a fixture

LOADED = """
import sys
sys.argv[1:] = {!r}
from saddlepoint.cli import main
try:
    main()
finally:
    print(sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("line", ["games", "games --json", "players", "players --game tron41", "--version"])
def test_lists_load_neither_numba_nor_typer(line: str) -> None:
    """Nor NumPy: a list is on the screen before they would be loaded."""
    done = subprocess.run([sys.executable, "-c", LOADED.format(shlex.split(line))], capture_output=True, text=True, check=False)
    assert (done.returncode, bool(done.stdout)) == (0, True)
    assert not {"numba", "numpy", "llvmlite", "typer", "rich"} & set(eval(done.stderr))


def test_what_is_imported_first_loads_no_numba() -> None:
    code = "import saddlepoint, saddlepoint.games, saddlepoint.evaluators, sys; print({'numpy', 'numba', 'ast'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize("name", [name for name in USUAL if not name.startswith("-")])
def test_parameters_are_those_of_the_command(name: str) -> None:
    command: Any = typer.main.get_command(app)
    parameters = {one.name: one for one in command.commands[name].params}
    usual = USUAL[name]
    assert list(usual.words) == [key for key, one in parameters.items() if one.param_type_name == "argument"]
    for option, key in (*usual.texts.items(), *usual.flags.items()):
        assert option in parameters[key].opts
        assert bool(parameters[key].is_flag) == (option in usual.flags)


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("games", {}),
        ("games --json", {"as_json": True}),
        ("players --json --game goofspiel", {"as_json": True, "game": "goofspiel"}),
        ("players --game=goofspiel", {"game": "goofspiel"}),
        ("bot light_riders", {"game": "light_riders"}),
        ("bot --player 'riders_nash(choice=mixture)' light_riders", {"game": "light_riders", "player": "riders_nash(choice=mixture)"}),
    ],
)
def test_usual_calls_are_read(line: str, given: dict[str, object]) -> None:
    read: Any = fast_call(shlex.split(line))
    assert read.keywords == given


@pytest.mark.parametrize(
    "line",
    [
        "", "--help", "games --help", "ledger list x.db", "games --jso", "games --json --json", "players light_riders", "bot",
        "players --game", "players --game --json", "bot simplexity --tcp 0", "bot a b", "play light_riders best best", "bot -h",
    ],
)  # fmt: skip
def test_all_else_is_left_to_typer(line: str) -> None:
    assert fast_call(shlex.split(line)) is None


@pytest.mark.parametrize("line", ["games", "games --json", "players --game light_riders", "players --game rubiks_flip --json"])
def test_both_ways_print_the_same(cli: Any, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    usual = cli(*shlex.split(line))
    app(args=shlex.split(line), standalone_mode=False)
    assert usual == (0, capsys.readouterr().out, "")
