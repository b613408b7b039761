"""The help: the usual options first, at 80 columns, and an example of every command, which does what it says."""

import io
import re
import shlex
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer import rich_utils
from typer.testing import CliRunner

from helpers.cli_runs import program
from helpers.commands import COMMANDS
from saddlepoint.cli.program import app

FIRST = ("saddlepoint new game", "saddlepoint new bot")
"""Who meets the program with a game or bot of their own begins here; then the order is that of the help."""
SMALLER = {
    "match": "-n 2 -j 1 --nodes 20",
    "tournament": "-n 2 -j 1 --nodes 20",
    "tune": "-n 4 -j 1 --trial-games 2 --finalists 1 --finalist-games 2 --sprt-games 2 --nodes 20",
    "league run": "-n 2 -j 1",
    "review": "--nodes 50",
    "compare": "--nodes 50",
    "analyze": "--time 0.05",
    "puzzles": "--nodes 20",
    "fit": "--generations 1 --positions 1000 --nodes 5 --games 2 --hours 0.001",
    "literature": "--list",
    "tron41": "-multi_test 1",
    "solve rubiks_flip": "--keep 2",
}
"""What a test adds to the examples of commands that compute long: less of the same. The last of an option given twice counts."""
ANSWERS = {"play light_riders human": "quit\n", "show": "q\n", "ledger show": "q\n", "ledger replay": "y\n"}
NEEDS = {"export": "ziglang", "tune": "optuna"}
"""Packages of an extra."""


def examples(command: Any) -> list[str]:
    """What the help of a command calls an example."""
    return re.findall(r"^Example: (.*)$", command.help, re.MULTILINE)


def shown(path: str) -> str:
    """The help as a terminal of 80 columns shows it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rich_utils, "MAX_WIDTH", 80)
        return CliRunner().invoke(app, [*path.split()[1:], "--help"], env={"TERM": "dumb"}).output


@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_says_in_one_short_sentence_what_it_does_then_gives_an_example(path: str) -> None:
    first, *rest = COMMANDS[path].help.split("\n\n")
    assert len(first) <= 78  # a line of 80 columns
    assert re.fullmatch(r"[A-Z][^.]*\.", first)
    assert rest[-1].startswith("Example: saddlepoint ")
    assert all(
        line.startswith(path.removesuffix(" game").removesuffix(" file")) for line in examples(COMMANDS[path])
    )


@pytest.mark.parametrize("path", COMMANDS)
def test_the_help_fits_80_columns(path: str) -> None:
    out = shown(path)
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out, "a word was cut"
    told = " ".join(re.sub("[│╭╮╰╯─]", " ", out).split())
    for parameter in COMMANDS[path].params:
        for word in (parameter.help or "").split():
            assert word in told, f"{parameter.name}: brackets are read as markup"


@pytest.mark.parametrize("path", ["match", "tournament", "tune"])
def test_the_usual_options_come_first_and_the_others_in_panels(path: str) -> None:
    out = shown(f"saddlepoint {path}")
    usual = out[out.index("─ Options ") : out.index("─ Clock and limits ")]
    for option in ("-n", "--game", "--size", "--time", "--nodes", "--seed", "--ledger", "--json"):
        assert f" {option} " in usual
    for panel, option in (("Programs", "--isolate"), ("Where it runs", "--executor"), ("Files", "--resume")):
        assert option in out[out.index(f"─ {panel} ") :]
        assert option not in usual


@pytest.mark.parametrize("path", COMMANDS)
def test_an_option_takes_its_value_after_a_blank_or_an_equals_sign(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = COMMANDS[path]
    given: dict[str, Any] = {}
    monkeypatch.setattr(command, "invoke", lambda ctx: given.update(ctx.params))
    monkeypatch.setattr(command, "no_args_is_help", False)
    for parameter in command.params:
        monkeypatch.setattr(parameter, "required", False)
    for parameter in command.params:
        if parameter.param_type_name != "option" or parameter.is_flag or parameter.nargs != 1:
            continue
        for option in (one for one in parameter.opts if one.startswith("--")):
            found: list[Any] = []
            least = getattr(parameter, "min", None) or 1
            for words in ([option, f"{least}"], [f"{option}={least}"]):
                given.clear()
                command.main(words, standalone_mode=False)
                found.append(given[parameter.name])
            assert found[0] == found[1]
            assert found[0] in (least, f"{least}", [f"{least}"], Path(f"{least}")), option


def ordered() -> list[str]:
    """Every example once, in the order in which a person meets them."""
    every = dict.fromkeys(line for command in COMMANDS.values() for line in examples(command))
    return sorted(every, key=lambda line: not line.startswith(FIRST))


@pytest.mark.slow
@pytest.mark.compiles_long
def test_every_example_of_the_help_runs(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}", prepend=":")
    for line in ordered():
        words = shlex.split(line)[1:]
        named = [name for name in (words[0], " ".join(words[:2])) if name in SMALLER]
        words += [word for name in named for word in SMALLER[name].split()]
        if words[0] in NEEDS and find_spec(NEEDS[words[0]]) is None:
            continue
        if words[0] == "serve":
            _serves(*words)
            continue
        answer = next(
            (text for start, text in ANSWERS.items() if line.startswith(f"saddlepoint {start}")), ""
        )
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(answer.encode())))
        cli.printed(*words)


def _serves(*words: str) -> None:
    running = program(*words, "--no-browser", "--port", "0")
    assert running.stdout is not None
    assert "http://127.0.0.1:" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
