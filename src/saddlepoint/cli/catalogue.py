"""The commands: one word here, and a file of that name that has a function, or a group of commands, of that name."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer

from ..roster.games import GAMES

if TYPE_CHECKING:
    from ..players.base import MakePlayer

COMMANDS = (
    "play", "match", "tournament", "check", "tune", "report", "analyze", "review", "bot", "referee", "show", "players", "warm",
    "league", "serve", "puzzles", "literature", "games", "solve",
)  # fmt: skip
"""In the order of `--help`; groups come last."""


def add_commands(app: typer.Typer) -> None:
    """Add every command and group, and those that games bring."""
    for name in COMMANDS:
        found: Any = getattr(import_module(f"{__package__}.{name}"), name)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command()(found)
    for entry in GAMES.values():
        for name, place in entry.description.commands.items():
            app.command(name)(entry.load(place)(load_maker))


def load_maker() -> "MakePlayer":
    """What makes players, loaded when it is asked for: a bot asks for it in a thread of its own."""
    from ..roster.make import make_player

    return make_player


def described(command: Any, path: str = "saddlepoint") -> Iterator[tuple[str, str]]:
    """Of a command of typer's and of those below it: what is typed, and what it does in one sentence."""
    below = getattr(command, "commands", {})
    for name, inner in below.items():
        if inner.hidden:  # a former name
            continue
        yield f"{path} {name}", " ".join((inner.help or "").split("\n\n")[0].split())
        yield from described(inner, f"{path} {name}")


def table(app: typer.Typer) -> str:
    """All commands as a table in Markdown, for README.md."""
    rows = described(typer.main.get_command(app))
    return "\n".join(["| command | what it does |", "| --- | --- |", *(f"| `{path}` | {said} |" for path, said in rows)])
