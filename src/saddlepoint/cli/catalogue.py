"""The commands: as they are typed here, and a file of that name (`_` for `-`) that has a function, or a group of commands, of that name."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from ..roster.games import GAMES, GameEntry, left_out_if_broken

if TYPE_CHECKING:
    from ..players.base import MakePlayer

COMMANDS = {
    "Play": ("play", "serve", "show"),
    "Compare": ("match", "tournament", "league", "tune", "report"),
    "Understand": ("analyze", "compare", "review", "puzzles", "solve", "exploit"),
    "Make": ("new", "check", "fit", "export"),
    "Connect": ("bot", "referee"),
    "Keep": ("ledger", "games", "players", "warm", "doctor", "literature"),
}
"""By what they are for, in the order of `--help`."""
OF_GAMES = "Connect"
"""The group of the commands that games bring: they stand last in it."""


def commands() -> dict[str, list[str]]:
    """All commands by group, those that games bring among them."""
    return {heading: [*names, *(_brought() if heading == OF_GAMES else ())] for heading, names in COMMANDS.items()}


def _brought() -> dict[str, tuple[GameEntry, str]]:
    """The commands that games bring, each with its game and its place; the program's own and the first game's names stay theirs."""
    own = {name for names in COMMANDS.values() for name in names}
    found: dict[str, tuple[GameEntry, str]] = {}
    for entry in GAMES.values():
        found |= {name: (entry, place) for name, place in entry.description.commands.items() if name not in own | found.keys()}
    return found


class CommandsInOrder(TyperGroup):
    """The program, with its commands in the order above; typer would put those that have commands of their own last."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        _fit_help(self)

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands' names."""
        return [name for names in commands().values() for name in names]


_VALUES: dict[Any, str] = {int: "N", float: "NUMBER", str: "TEXT", list[str]: "TEXT", Path: "FILE"}


def _fit_help(command: Any) -> None:
    """Let the help of a command, and of those below it, fit 80 columns.

    Short words for the values of options, and a paragraph's lines joined: typer breaks them anew, and would keep the breaks of the source.
    """
    command.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in (command.help or "").split("\n\n"))
    for parameter in command.params:
        if parameter.param_type_name == "option" and parameter.metavar is None:
            kind = getattr(parameter, "type_descriptor", None)  # older versions of typer keep their own words
            parameter.metavar = "" if parameter.is_flag else _VALUES.get(getattr(kind, "annotation", None))
    for inner in getattr(command, "commands", {}).values():
        _fit_help(inner)


def add_commands(app: typer.Typer) -> None:
    """Add every command, under the heading of its group, and those that games bring."""
    for heading, names in COMMANDS.items():
        for name in names:
            place = name.replace("-", "_")
            found: Any = getattr(import_module(f"{__package__}.{place}"), place)
            if isinstance(found, typer.Typer):
                app.add_typer(found, name=name, rich_help_panel=heading)
            else:
                app.command(name, rich_help_panel=heading)(found)
    for name, (entry, place) in _brought().items():
        with left_out_if_broken():
            app.command(name, rich_help_panel=OF_GAMES)(entry.load(place)(load_maker))


def load_maker() -> "MakePlayer":
    """What makes players, loaded when it is asked for: a bot asks for it in a thread of its own."""
    from ..roster.make import make_player

    return make_player


def described(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """Of a command of typer's and of those below it: what is typed, and what it does in one sentence."""
    yield path, " ".join((command.help or "").split("\n\n")[0].split())
    for name, inner in getattr(command, "commands", {}).items():
        yield from described(inner, f"{path} {name}")


def table(app: typer.Typer) -> str:
    """All commands as a table in Markdown, for docs/commands.md."""
    root: Any = typer.main.get_command(app)
    lines = ["| command | what it does |", "| --- | --- |"]
    for heading, names in COMMANDS.items():
        rows = (row for name in names for row in described(root.commands[name], f"saddlepoint {name}"))
        lines += [f"| **{heading}** | |", *(f"| `{path}` | {said} |" for path, said in rows)]
    return "\n".join(lines)
