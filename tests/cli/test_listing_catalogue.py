"""The catalogue of commands: what `--help` and docs/commands.md say comes from it."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from saddlepoint.cli import program as catalogue
from saddlepoint.cli.program import app


def test_the_docs_have_the_table_of_commands() -> None:
    """If it has not: `python -c "from saddlepoint.cli import program; print(program.table(program.app))"` prints it."""
    assert catalogue.table(app) in (Path(__file__).parents[2] / "docs" / "commands.md").read_text(
        encoding="utf-8"
    )


def test_the_help_groups_the_commands_by_what_they_are_for() -> None:
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200", "TERMINAL_WIDTH": "200"}).output
    groups: dict[str, list[str]] = {}
    for line in shown.splitlines():
        if heading := re.match(r"╭─ (\w+) ─", line):
            groups[heading[1]] = []
        elif name := re.match(r"│ ([a-z][\w-]*) ", line):
            groups[list(groups)[-1]].append(name[1])
    groups.pop("Options")
    assert groups == catalogue.commands()
    assert list(groups) == ["Play", "Compare", "Understand", "Make", "Connect", "Keep"]
    assert groups["Connect"][:3] == ["bot", "referee", "tron41"]  # what games bring is last


def test_a_command_of_two_words_is_a_file_with_an_underscore(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_words() -> None:
        """Say nothing."""

    monkeypatch.setitem(
        sys.modules, f"{catalogue.__package__}.two_words", SimpleNamespace(two_words=two_words)
    )
    monkeypatch.setattr(catalogue, "COMMANDS", {"Make": {"two-words": "Say nothing.", "check": ""}})
    made = typer.Typer(cls=catalogue.Commands)
    made.callback()(lambda: None)
    assert "| `saddlepoint two-words` | Say nothing. |" in catalogue.table(made)
    assert CliRunner().invoke(made, ["two-words"]).exit_code == 0


def test_the_help_of_the_program_has_the_first_sentence_of_each_command() -> None:
    root: Any = typer.main.get_command(app)
    for names in catalogue.COMMANDS.values():
        for name, said in names.items():
            assert next(catalogue.described(root.commands[name], name)) == (name, said)


def test_games_lists_games_and_ledger_has_what_was_played() -> None:
    root: Any = typer.main.get_command(app)
    assert not hasattr(root.commands["games"], "commands")
    assert set(root.commands["ledger"].commands) == {
        "list",
        "show",
        "replay",
        "export",
        "merge",
        "merge-versions",
    }
