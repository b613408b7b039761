"""The program as typer reads it, and its commands, each imported when it is asked for from the file of its name (`_` for `-`)."""

import functools
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ..games.catalogue.games import GAMES, GameEntry, left_out_if_broken
from ..system.terminal import installed_version, print

if TYPE_CHECKING:
    from ..players.base import MakePlayer

COMMANDS = {
    "Play": {
        "play": "Play one game and show it.",
        "serve": "Open a page in the browser to play, watch and analyse games.",
        "show": "Step through a replay.",
    },
    "Compare": {
        "match": "Play many games between two players: the score, with a 95 % interval.",
        "tournament": "Play a tournament: ratings with error bars, and who beats whom.",
        "league": "Play a tournament without an end: players may join and leave while it runs.",
        "tune": "Tune the numbers in a player's spec by games, then test the result.",
        "report": "Write a ledger as one HTML page: ratings, who beats whom, replays.",
    },
    "Understand": {
        "analyze": "Analyse a position: its value, both players' strategies, the best line.",
        "compare": "Compare searches on one position: value, proof, strategies, nodes, time.",
        "review": "Say who lost a finished game, where and of what.",
        "puzzles": "Test players on positions where one move is good, proven by exact search.",
        "solve": "Solve a game, or a position of it, exactly.",
        "exploit": "Say how far players are from an equilibrium (NashConv).",
    },
    "Make": {
        "new": "Write a small game or bot that works, and its test, to begin with.",
        "check": "Find out what is wrong with a bot, or with the rules of your own game.",
        "fit": "Fit an evaluator to a game by games of its own search, and test it by games.",
        "export": "Write a player that needs no Python, or the page without a server.",
    },
    "Connect": {
        "bot": "Play for another program, in the protocol of the game's contest, or by lines.",
        "referee": "Let two programs play by the contest's rules, clock and error handling.",
    },
    "Keep": {
        "ledger": "Look at the finished games of a ledger, play them again, export and merge.",
        "games": "List the games that can be played.",
        "players": "List the named players.",
        "warm": "Compile the players' searches now, so that the next game starts at once.",
        "doctor": "Say what this machine and this installation have, and what is missing.",
        "literature": "Redo published exact computations of simultaneous games, and compare times.",
    },
}
"""By what they are for, in the order of `--help`, with the first sentence of each: `--help` imports no command."""
_MOST_COUNTED, _MOST_SECONDS = 2**63 - 1, 10**9
"""Of an option that takes a whole number, and of one that takes a float: most are seconds."""
_FILES = {
    "export": "serve",
    "games": "listing",
    "literature": "listing",
    "match": "tournament",
    "new": "check",
    "players": "listing",
    "referee": "play",
    "report": "show",
    "warm": "starting",
}
"""The commands that are not in a file of their own name."""
OF_GAMES = "Connect"
"""The group of the commands that games bring: they stand last in it."""


def commands() -> dict[str, list[str]]:
    """All commands by group, those that games bring among them."""
    return {
        heading: [*names, *(_brought() if heading == OF_GAMES else ())] for heading, names in COMMANDS.items()
    }


def _brought() -> dict[str, tuple[GameEntry, str]]:
    """The commands that games bring, each with its game and its place; the program's own and the first game's names stay theirs."""
    own = {name for names in COMMANDS.values() for name in names}
    found: dict[str, tuple[GameEntry, str]] = {}
    for entry in GAMES.values():
        found |= {
            name: (entry, place)
            for name, place in entry.description.commands.items()
            if name not in own | found.keys()
        }
    return found


class Commands(TyperGroup):
    """The program, with its commands in the order above; each is imported when it is asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        fit_help(self, {})

    @property
    def commands(self) -> dict[str, Any]:  # type: ignore[override]
        """All commands by name; this imports them."""
        for name in self.list_commands(None):
            self.get_command(None, name)
        return self._loaded

    @commands.setter
    def commands(self, given: dict[str, Any]) -> None:
        self._loaded = given

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for names in commands().values() for name in names]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help with the commands' first sentences."""
        before = self._loaded
        self._loaded = before | {
            name: TyperCommand(name, help=said, rich_help_panel=heading)
            for heading, names in COMMANDS.items()
            for name, said in names.items()
        }
        super().format_help(ctx, formatter)
        self._loaded = before

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None where there is none, or the game that brings it is broken."""
        heading = next((heading for heading, names in COMMANDS.items() if cmd_name in names), OF_GAMES)
        # Games are asked for no command of the program's own.
        is_known = cmd_name in COMMANDS[heading] or cmd_name in _brought()
        if cmd_name not in self._loaded and is_known:
            with left_out_if_broken():
                self._loaded[cmd_name] = _made(cmd_name, heading)
        return self._loaded.get(cmd_name)


def load_maker() -> "MakePlayer":
    """The function that makes players; imported at the call, which a bot makes in a thread of its own."""
    from ..games.catalogue.make import make_player

    return make_player


def _made(name: str, heading: str) -> Any:
    place = name.replace("-", "_")
    found: Any
    if name in COMMANDS[heading]:
        found = getattr(import_module(f"{__package__}.{_FILES.get(place, place)}"), place)
    else:
        entry, place = _brought()[name]
        found = entry.load(place)(load_maker)
    app = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False)
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name, rich_help_panel=heading)
    else:
        app.command(name, rich_help_panel=heading)(found)
    command = typer.main.get_group(app).commands[name]
    fit_help(command, getattr(command, "commands", {}))
    bound_numbers(command)
    return command


def bound_numbers(command: Any) -> None:
    """Let every number that a command takes be finite, and one that clocks, threads and compiled code can have."""
    for parameter in command.params:
        if "seed" not in (parameter.name or ""):  # Python draws from a seed of any size
            parameter.callback = functools.partial(_bounded, parameter.callback)
    for inner in getattr(command, "commands", {}).values():
        bound_numbers(inner)


def _bounded(further: Any, ctx: Any, parameter: Any, value: Any) -> Any:
    for number in value if isinstance(value, (list, tuple)) else (value,):
        most = _MOST_SECONDS if isinstance(number, float) else _MOST_COUNTED
        if isinstance(number, (int, float)) and not -most <= number <= most:
            raise typer.BadParameter(f"expected a number up to {most:,}", ctx, parameter)
    return value if further is None else further(ctx, parameter, value)


_VALUES: dict[Any, str] = {int: "N", float: "NUMBER", str: "TEXT", list[str]: "TEXT", Path: "FILE"}


def fit_help(command: Any, inner: dict[str, Any]) -> None:
    """Let the help of a command, and of those `inner` ones below it, fit 80 columns.

    Short words for the values of options, and a paragraph's lines joined: typer breaks them anew, and would keep the breaks of the source.
    """
    command.help = "\n\n".join(
        " ".join(paragraph.split()) for paragraph in (command.help or "").split("\n\n")
    )
    for parameter in command.params:
        if parameter.param_type_name == "option" and parameter.metavar is None:
            kind = getattr(parameter, "type_descriptor", None)  # older versions of typer keep their own words
            parameter.metavar = "" if parameter.is_flag else _VALUES.get(getattr(kind, "annotation", None))
    for one in inner.values():
        fit_help(one, getattr(one, "commands", {}))


def described(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """Of a command of typer's and of those below it: what is typed, and what it does in one sentence."""
    yield path, " ".join((command.help or "").split("\n\n")[0].split())
    for name, inner in getattr(command, "commands", {}).items():
        yield from described(inner, f"{path} {name}")


def table(app: typer.Typer) -> str:
    """All commands as a table in Markdown, for docs/commands.md."""
    root: Any = typer.main.get_command(app)
    lines = ["| command | what it does |", "| --- | --- |"]
    for heading, names in commands().items():
        rows = (row for name in names for row in described(root.commands[name], f"saddlepoint {name}"))
        lines += [f"| **{heading}** | |", *(f"| `{path}` | {said} |" for path, said in rows)]
    return "\n".join(lines)


# The program.


def _version(wanted: bool) -> None:
    if wanted:
        print(f"saddlepoint {installed_version() or '(not installed)'}")
        raise typer.Exit


app = typer.Typer(
    name="saddlepoint",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _saddlepoint(  # pyright: ignore[reportUnusedFunction]
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Play, compare and analyse two-player games, simultaneous-move or turn-based.

    Example: saddlepoint play light_riders human best
    """


def call(arguments: Sequence[str]) -> object:
    """Run the command that the words say; raises KeyboardInterrupt where the user gave up at a question."""
    try:
        return typer.main.get_command(app)(
            args=list(arguments), prog_name="saddlepoint", standalone_mode=False
        )
    except typer.Abort:
        raise KeyboardInterrupt from None
