"""The options that several commands of the arena share, read into objects."""

import functools
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..games.catalogue.games import default_game
from ..players.programs.isolation import MODES, Isolation
from ..system.files import check_folder
from .common import GAME_HELP, read_clock, read_game, read_game_name, read_limits

if TYPE_CHECKING:
    from ..arena.conditions import MatchConditions


CLOCK, PROGRAMS, FILES, PLACE, STATISTICS = (
    "Clock and limits",
    "Programs",
    "Files",
    "Where it runs",
    "Statistics",
)
"""The panels of `--help` below the usual options."""

Isolate = Annotated[
    str,
    typer.Option(
        "--isolate",
        metavar="HOW",
        rich_help_panel=PROGRAMS,
        help="Isolate programs by namespaces or supervisor; auto: namespaces where the system allows them; all: every player gets "
        "a process, too.",
    ),
]
Sandbox = Annotated[
    str,
    typer.Option(
        "--sandbox",
        metavar="COMMAND",
        rich_help_panel=PROGRAMS,
        help="Starts every program: 'firejail --quiet'.",
    ),
]
Show = Annotated[
    list[str],
    typer.Option(
        "--show",
        metavar="PATH",
        rich_help_panel=PROGRAMS,
        help="Programs in namespaces may read this, too; may be repeated.",
    ),
]
Logs = Annotated[
    str | None,
    typer.Option(
        "--logs",
        metavar="FOLDER",
        rich_help_panel=PROGRAMS,
        help="Write the dialogue with programs into this folder.",
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", help="Fixes every random choice; random by default.")]
Openings = Annotated[
    str,
    typer.Option(
        "--openings",
        help="start, starts (the contest's), random:PLIES, 'moves: 3 5', or a file of positions.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
LedgerArgument = Annotated[str, typer.Argument(help="The ledger, as written by --ledger.")]
GameOption = Annotated[str, typer.Option("--game", metavar="GAME", help=GAME_HELP)]
Rules = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        callback=read_game_name,
        help="Your own game, ./mygame.py:MyGame; that file is run.",
    ),
]
Size = Annotated[str | None, typer.Option("--size", metavar="WxH", help="The size of the board: 16x16.")]
Executor = Annotated[
    str | None,
    typer.Option(
        "--executor", metavar="ADDRESS", rich_help_panel=PLACE, help="dask://HOST:PORT: on a Dask cluster."
    ),
]

EVERYBODY = "all"
"""The value of --isolate that is for players of this library too."""
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_BYTES_FROM = 1 << 20  # a bare number below this is megabytes, from here on bytes
_LEAST_MEMORY = 1 << 20


@dataclass(frozen=True)
class GameOptions:
    game: GameOption = default_game()


@dataclass(frozen=True)
class MoveOptions:
    """The options that bound a player's moves, and isolate players."""

    size: Size = None
    seconds: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="For each move (0.05; snakes by address: 0.5)."),
    ] = None
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Nodes for each move: the same play on any machine.")
    ] = None
    bank: Annotated[
        float | None,
        typer.Option(
            "--bank",
            metavar="SECONDS",
            rich_help_panel=CLOCK,
            help="Base time of a game; each move adds --time.",
        ),
    ] = None
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance", metavar="SECONDS", rich_help_panel=CLOCK, min=0.0, help="How late a move may be."
        ),
    ] = 0.02
    sequential: Annotated[
        bool,
        typer.Option(
            "--sequential", rich_help_panel=CLOCK, help="Ask snakes by address one after the other."
        ),
    ] = False
    isolate: Isolate = "auto"
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory",
            metavar="SIZE",
            rich_help_panel=PROGRAMS,
            help="Memory of a player's processes together: 512M, 2G.",
        ),
    ] = None
    sandbox: Sandbox = ""
    show: Show = field(default_factory=list[str])

    def isolation(self) -> Isolation:
        everybody = (
            self.isolate == EVERYBODY or self.memory is not None
        )  # only a process of its own can be limited
        return Isolation(
            read_bytes(self.memory),
            mode=read_mode(self.isolate),
            programs_only=not everybody,
            sandbox=self.sandbox,
            shown=read_shown(self.show),
        )


@dataclass(frozen=True)
class ConditionOptions(MoveOptions, GameOptions):
    """The options that become the conditions of a match."""

    def conditions(
        self,
        logs: str | None = None,
        players: tuple[str, ...] = (),
        time_of: Sequence[str] = (),
        bank_of: Sequence[str] = (),
    ) -> "MatchConditions":
        """The conditions for these players, whom `time_of` and `bank_of` may name."""
        from ..arena.conditions import MatchConditions

        form = "PLAYER=SECONDS, such as best=0.5"
        times = dict(number_of_player("--time-of", form, text, players) for text in time_of)
        banks = dict(number_of_player("--bank-of", form, text, players) for text in bank_of)
        clocks = tuple(
            (
                player,
                read_clock(
                    times.get(player, self.seconds), banks.get(player, self.bank), self.nodes, players
                ),
            )
            for player in dict.fromkeys(players)
            if player in times or player in banks
        )
        return MatchConditions(
            read_game(self.game, self.size),
            read_clock(self.seconds, self.bank, self.nodes, players),
            read_limits(self.nodes),
            self.tolerance,
            self.isolation(),
            read_logs(logs),
            clocks,
            self.sequential,
        )


@dataclass(frozen=True)
class ScheduleOptions:
    """The options of `match` and `tournament` that say what is played, and what goes on with games of a ledger."""

    seed: Seed = None
    openings: Openings = "starts"
    time_of: Annotated[
        list[str],
        typer.Option(
            "--time-of",
            metavar="PLAYER=SECONDS",
            rich_help_panel=CLOCK,
            help="Another --time for this player; may be repeated.",
        ),
    ] = field(default_factory=list[str])
    bank_of: Annotated[
        list[str],
        typer.Option(
            "--bank-of",
            metavar="PLAYER=SECONDS",
            rich_help_panel=CLOCK,
            help="Another --bank for this player; may be repeated.",
        ),
    ] = field(default_factory=list[str])
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", rich_help_panel=FILES, help="Play what is missing of the same run in --ledger."
        ),
    ] = False
    extend: Annotated[
        bool,
        typer.Option(
            "--extend", rich_help_panel=FILES, help="Add games or players to the last run in --ledger."
        ),
    ] = False


@dataclass(frozen=True)
class PlaceOptions:
    concurrency: Annotated[
        int,
        typer.Option(
            "-j",
            "--concurrency",
            min=0,
            rich_help_panel=PLACE,
            help="Games at a time; 0: as the cores allow.",
        ),
    ] = 0
    executor: Executor = None
    logs: Logs = None


@dataclass(frozen=True)
class RunOptions(PlaceOptions):
    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="FILE", help="Keep every finished game in this file (SQLite)."),
    ] = None


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of a group in the place of each parameter whose type is a group, a
    dataclass.
    """
    parameters: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for one in inspect.signature(command).parameters.values():
        if is_dataclass(one.annotation):
            groups[one.name] = one.annotation
            for option in fields(one.annotation):
                parameters.append(
                    one.replace(
                        name=option.name,
                        kind=one.KEYWORD_ONLY,
                        default=option.default
                        if option.default_factory is MISSING
                        else option.default_factory(),
                        annotation=option.type,
                    )
                )
        else:
            parameters.append(one.replace(kind=one.KEYWORD_ONLY))

    @functools.wraps(command)
    def called(**given: Any) -> None:
        made = {
            name: group(**{one.name: given.pop(one.name) for one in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def read_bytes(text: str | None) -> int | None:
    """The bytes of a size like 512M, 1.5G or 512 (megabytes)."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:i?B)?)?", text.strip(), re.IGNORECASE)
    if not match:
        raise ValueError(f"--memory takes a size such as 512M or 2G, not {text!r}")
    number = float(match[1])
    size = (
        number * _UNITS[match[2].upper()]
        if match[2]
        else number
        if number >= _BYTES_FROM
        else number * _UNITS["M"]
    )
    if not _LEAST_MEMORY <= size < 1 << 60:
        raise ValueError(f"--memory takes a size of 1M or more, such as 512M or 2G, not {text!r}")
    return int(size)


def read_mode(isolate: str) -> str:
    """The mode of programs' isolation, by an option that may be for every player."""
    if isolate not in (*MODES, EVERYBODY):
        raise ValueError(f"--isolate takes {', '.join(MODES)} or {EVERYBODY}, not {isolate!r}")
    return "auto" if isolate == EVERYBODY else isolate


def read_logs(folder: str | None) -> str | None:
    """The folder for logs, made if need be, as an absolute path."""
    if folder is None:
        return None
    path = Path(folder).absolute()
    check_folder(path)
    return str(path)


def read_shown(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths of --show as absolute paths."""
    return tuple(str(Path(path).expanduser().absolute()) for path in paths)


def number_of_player(option: str, form: str, text: str, players: tuple[str, ...]) -> tuple[str, float]:
    """A player of these and its number, of an option of the form PLAYER=NUMBER."""
    player, mark, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        mark, value = "", 0.0
    if not mark:
        raise ValueError(f"{option} takes {form}, not {text!r}")
    if player not in players:
        raise ValueError(
            f"{option} names {player!r}, who does not play: the players are {', '.join(players)}"
        )
    return player, value
