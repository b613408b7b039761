"""The common parts of the commands: games, positions and limits as they are typed, and aliases of players."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..algorithms.limits import Limits
from ..game.spec import COMMAND, HUMAN, SNAKE, canonical, parse_spec
from ..games.catalogue.games import default_game, find_game, game_spec, read_game as game_named
from ..players.clock import ENDLESS, Clock
from ..system.files import check_output
from ..system.terminal import how_to_install
from ..system.text import read_pair

if TYPE_CHECKING:
    from ..game.base import Game

PAGE_PACKAGES = ("jinja2", "matplotlib", "starlette", "uvicorn", "websockets")
"""The packages of the extra `web` that the modules of the page import."""
GAME_HELP = f"A game such as {default_game()}(width=20), or your own: ./mygame.py:MyGame."
PLAYER_HELP = (
    "A player: a name of `saddlepoint players`, ./FILE.py, cmd:COMMAND, or http://HOST:PORT for a snake."
)
POSITION_HELP = "a file with the position, - for stdin, or the moves that lead there: 'moves: 3/5 2/4'"


def read_game(text: str, size: str | None = None) -> "Game":
    """The game that a text names, as the catalogue's `read_game`; `size` is WIDTHxHEIGHT."""
    if size is None:
        return game_named(text)
    width, height = read_pair(size, "x", "--size", "16x16")
    return game_named(text, width=width, height=height)


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


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]*")
_VERSION = re.compile(
    r"(?P<spec>.*)(?P<number> \(\d+\))", re.DOTALL
)  # as `arena.ledger.labels` calls one of several versions


@dataclass
class Aliases:
    """Names for players, each of one spec; raises ValueError in one sentence for what is no name, or would be ambiguous."""

    alias: Annotated[
        list[str] | None,
        typer.Option(
            "--alias",
            metavar="NAME=SPEC",
            help="A short name for a player, here and in the output; may be repeated.",
        ),
    ] = None

    def __post_init__(self) -> None:
        self.specs: dict[str, str] = {}
        """By name, each spec as it is written to the ledger."""
        for text in self.alias or ():
            self._add(text)
        for name, spec in self.specs.items():
            if spec in self.specs:
                raise ValueError(f"--alias {name}: {spec} is an alias itself; expected a player")
        self._names = {str(parse_spec(spec)): name for name, spec in self.specs.items()}

    def _add(self, text: str) -> None:
        name, mark, spec = (part.strip() for part in text.partition("="))
        if not mark or not spec or not _NAME.fullmatch(name):
            raise ValueError(
                f"--alias takes NAME=SPEC, such as strong='alphabeta(evaluator=voronoi, depth=6)', not {text!r}"
            )
        if _is_player(name):
            raise ValueError(f"--alias {name}: a player is called {name} already; choose another name")
        if name in self.specs:
            raise ValueError(f"--alias {name} is there twice; expected one player for each name")
        parsed = parse_spec(spec)
        same = next((other for other, known in self.specs.items() if parse_spec(known) == parsed), None)
        if same is not None:
            raise ValueError(f"--alias {name} and {same} are the same player; expected one name for each")
        self.specs[name] = spec

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
        known = self._names.get(canonical(spec))
        if known is None and (version := _VERSION.fullmatch(spec)):
            known = self._names.get(canonical(version["spec"]))
            return spec if known is None else known + version["number"]
        return spec if known is None else known

    def shown(self, data: Any) -> Any:
        """Plain data with names in the place of specs, for tables."""
        from ..arena.conditions import renamed

        return renamed(data, self._said) if self._names else data

    def _said(self, text: str) -> str:
        """A text with names in the place of specs: a spec alone, or the specs in a sentence."""
        if (name := self.name(text)) != text:
            return name
        for spec, name in self._names.items():
            text = re.sub(rf"(?<!\S){re.escape(spec)}(?![^\s.,;:])", name, text)
        return text

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


def _is_player(name: str) -> bool:
    from ..algorithms import ALGORITHMS
    from ..games.catalogue.players import entries_of

    return name in (HUMAN, COMMAND, SNAKE) or bool(entries_of(name)) or name in ALGORITHMS
