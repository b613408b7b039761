"""The commands: one word here, and a file of that name that has a function, or a group of commands, of that name."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = {
    "Play": ("play", "serve", "show"),
    "Compare": ("match", "tournament", "league", "tune", "report"),
    "Understand": ("analyze", "review", "puzzles", "solve"),
    "Make": ("check",),
    "Connect": ("bot", "referee", "tron41"),
    "Keep": ("ledger", "games", "players", "warm", "literature"),
}
"""By what they are for, in the order of `--help`."""


class InOrder(TyperGroup):
    """The program, with its commands in the order above; typer would put those that have commands of their own last."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands' names."""
        return [name for names in COMMANDS.values() for name in names]


def add_commands(app: typer.Typer) -> None:
    """Add every command, under the heading of its group."""
    for heading, names in COMMANDS.items():
        for name in names:
            found: Any = getattr(import_module(f"{__package__}.{name}"), name)
            if isinstance(found, typer.Typer):
                app.add_typer(found, name=name, rich_help_panel=heading)
            else:
                app.command(rich_help_panel=heading)(found)


def described(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """Of a command of typer's and of those below it: what is typed, and what it does in one sentence."""
    yield path, " ".join((command.help or "").split("\n\n")[0].split())
    for name, inner in getattr(command, "commands", {}).items():
        yield from described(inner, f"{path} {name}")


def table(app: typer.Typer) -> str:
    """All commands as a table in Markdown, for README.md."""
    root: Any = typer.main.get_command(app)
    lines = ["| command | what it does |", "| --- | --- |"]
    for heading, names in COMMANDS.items():
        rows = (row for name in names for row in described(root.commands[name], f"saddlepoint {name}"))
        lines += [f"| **{heading}** | |", *(f"| `{path}` | {said} |" for path, said in rows)]
    return "\n".join(lines)
