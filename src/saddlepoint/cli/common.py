"""The common parts of the commands: options that several share, read into objects, and aliases of players."""

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..algorithms.limits import Limits
from ..game.spec import COMMAND, HUMAN, SNAKE, SpecError, parse_spec
from ..games.catalogue.games import default_game, find_game, game_spec, make_game
from ..players.clock import ENDLESS, Clock
from ..players.programs.isolation import MODES, Isolation
from ..system.files import check_folder, check_output
from ..system.terminal import how_to_install
from ..system.text import read_pair

if TYPE_CHECKING:
    from ..arena.conditions import MatchConditions
    from ..game.base import Game

PAGE_PACKAGES = ("jinja2", "matplotlib", "starlette", "uvicorn", "websockets")
"""The packages of the extra `web` that the modules of the page import."""
GAME_HELP = f"A game such as {default_game()}(width=20), or your own: ./mygame.py:MyGame."
PLAYER_HELP = (
    "A player: a name of `saddlepoint players`, ./FILE.py, cmd:COMMAND, or http://HOST:PORT for a snake."
)
POSITION_HELP = "a file with the position, - for stdin, or the moves that lead there: 'moves: 3/5 2/4'"


def read_game(text: str, size: str | None = None) -> "Game":
    """The game that a text describes, this library's or one in a file, which is then run; `size` is WIDTHxHEIGHT.

    A game in a file plays some random games in plain Python first: raises KernelError for a rule that cannot be right.
    """
    from ..game.own_games import class_missing, load_game, split_file

    own = split_file(text)
    if own is None and text.strip().endswith(".py"):
        raise class_missing(text)
    spec = game_spec(text) if own is None else parse_spec(own[1])
    parameters: dict[str, Any] = dict(spec.options)
    if size is not None:
        width, height = read_pair(size, "x", "--size", "16x16")
        parameters.update(width=width, height=height)
    if own is None:
        return make_game(spec.name, **parameters)
    from ..game.checker import look_at

    return look_at(load_game(own[0], spec.name, parameters))


def check_packages(what: str, extra: str, *packages: str) -> None:
    """Raise ValueError, in one sentence, where a package that something needs is not installed."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise ValueError(f"{what} needs {', '.join(missing)}: {how_to_install(extra)}")


def check_plot(path: str | None) -> None:
    """Raise ValueError, in one sentence, before anything is computed, where no plot can be written into this file."""
    if path is None:
        return
    if not path.endswith(".svg"):
        raise ValueError(f"--plot writes SVG, into a file whose name ends in .svg, not {path!r}")
    check_packages("--plot", "matplotlib", "matplotlib")
    check_output(path)


def game_text(text: str) -> str:
    """The text with the game's own name in place of its title: `My Game(width=20)` is my_game(width=20)."""
    from ..game.own_games import split_file

    return text if split_file(text) else str(game_spec(text))


def read_game_name(text: str | None) -> str | None:
    """The name of the game that a ledger is asked for; one in a file is loaded, for its games to be shown by its rules."""
    from ..game.own_games import load_class, split_file

    if text is None:
        return None
    own = split_file(text)
    if own is None:
        entry = find_game(text)  # a ledger may have games that are not this library's
        return text if entry is None else entry.name
    cls = load_class(own[0], parse_spec(own[1]).name)
    return cls.name or cls.__name__


def start_state(game: "Game", start: str | None, seed: int | None) -> Any:
    """The position to start from: given as x,y, drawn from the seed, or the game's standard start."""
    from ..play.position_text import start_of

    return start_of(game, None if start is None else read_pair(start, ",", "--start", "4,7"), seed, "--start")


def read_limits(nodes: int | None, depth: int | None = None, seconds: float | None = None) -> Limits | None:
    """The limits of a move besides the clock, or None if there are none."""
    return None if nodes is depth is seconds is None else Limits(depth=depth, nodes=nodes, seconds=seconds)


def memory_in_bytes(megabytes: int | None) -> float:
    """The bytes of --memory; without it half of the free memory."""
    import psutil

    return megabytes * 1e6 if megabytes is not None else psutil.virtual_memory().available / 2


def read_clock(
    seconds: float | None, bank: float | None, nodes: int | None, players: Iterable[str] = ()
) -> Clock:
    """A fixed time a move, or a bank with that much added; endless if only nodes are limited.

    `players` are those of the match: a server that is asked over HTTP usually has its contest's time.
    """
    if seconds is None and (nodes is not None and bank is None):
        return ENDLESS
    if seconds is None:
        seconds = 0.5 if any(parse_spec(spec).name == SNAKE for spec in players) else 0.05
    if not (0 < seconds < float("inf")) or (bank is not None and not (0 < bank < float("inf"))):
        raise ValueError("--time and --bank take seconds above 0")
    return Clock(seconds if bank is None else bank, seconds)


# `--alias NAME=SPEC`: short names for players, on the command line and in whatever is printed.


Alias = Annotated[
    list[str] | None,
    typer.Option(
        "--alias",
        metavar="NAME=SPEC",
        help="A short name for a player, here and in the output; may be repeated.",
    ),
]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]*")
_VERSION = re.compile(
    r"(?P<spec>.*)(?P<number> \(\d+\))", re.DOTALL
)  # as `arena.ledger.labels` calls one of several versions


class Aliases:
    """Names for players, each of one spec."""

    def __init__(self, specs: Mapping[str, str]) -> None:
        self.specs = dict(specs)
        """By name, each spec as it is written to the ledger."""
        self._names = {str(parse_spec(spec)): name for name, spec in specs.items()}

    def spec(self, player: str) -> str:
        """The spec of an alias; a text that is no alias as it is."""
        return self.specs.get(player.strip(), player)

    def keyed(self, texts: Iterable[str]) -> list[str]:
        """Options of the form PLAYER=VALUE with what their names stand for."""
        return [
            f"{self.spec(player)}={value}" if mark else text
            for text in texts
            for player, mark, value in (text.rpartition("="),)
        ]

    def name(self, spec: str) -> str:
        """The name of a player, or else its spec; one of several versions of a player keeps its number."""
        if not self._names:
            return spec
        known = self._names.get(_canonical(spec))
        if known is None and (version := _VERSION.fullmatch(spec)):
            known = self._names.get(_canonical(version["spec"]))
            return spec if known is None else known + version["number"]
        return spec if known is None else known

    def shown(self, data: Any) -> Any:
        """Plain data with names in the place of specs, for tables."""
        from ..arena.conditions import renamed

        return renamed(data, self.name) if self._names else data

    def beside(self, data: dict[str, Any]) -> dict[str, Any]:
        """Plain data for --json: specs are unchanged, `names` maps specs to their aliases."""
        names = {spec: name for name, spec in self.specs.items()}
        return self._with_names(data) | {"names": names} if names else data

    def _with_names(self, data: Any) -> Any:
        if isinstance(data, (list, tuple)):
            return [self._with_names(value) for value in data]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(data, dict):
            return data
        copy: dict[str, Any] = {}
        for key, value in data.items():  # pyright: ignore[reportUnknownVariableType]
            copy[str(key)] = self._with_names(value)  # pyright: ignore[reportUnknownArgumentType]
            if (
                key in ("player", "opponent", "a", "b")
                and isinstance(value, str)
                and self.name(value) != value
            ):
                copy["name" if key == "player" else f"{key}_name"] = self.name(value)
        return copy


def read_aliases(texts: Iterable[str]) -> Aliases:
    """The aliases of the option; raises ValueError in one sentence for what is none, or would be ambiguous."""
    specs: dict[str, str] = {}
    for text in texts:
        name, mark, spec = (part.strip() for part in text.partition("="))
        if not mark or not spec or not _NAME.fullmatch(name):
            raise ValueError(
                f"--alias takes NAME=SPEC, such as strong='alphabeta(evaluator=voronoi, depth=6)', not {text!r}"
            )
        if _is_player(name):
            raise ValueError(f"--alias {name}: a player is called {name} already; choose another name")
        if name in specs:
            raise ValueError(f"--alias {name} is there twice; expected one player for each name")
        same = next((other for other, known in specs.items() if parse_spec(known) == parse_spec(spec)), None)
        if same is not None:
            raise ValueError(f"--alias {name} and {same} are the same player; expected one name for each")
        specs[name] = spec
    for name, spec in specs.items():
        if spec in specs:
            raise ValueError(f"--alias {name}: {spec} is an alias itself; expected a player")
    return Aliases(specs)


def _canonical(spec: str) -> str:
    """The same text for specs that differ in blanks only; what is no spec as it is."""

    try:
        return str(parse_spec(spec))
    except SpecError:
        return spec


def _is_player(name: str) -> bool:
    from ..algorithms import ALGORITHMS
    from ..games.catalogue.players import entries_of

    return name in (HUMAN, COMMAND, SNAKE) or bool(entries_of(name)) or name in ALGORITHMS


# The options that several commands share.

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
