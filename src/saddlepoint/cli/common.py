"""What the commands share: options read into objects."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..game.spec import SNAKE, parse_spec
from ..games.catalogue.games import default_game, find_game, game_spec, make_game
from ..system.files import check_output
from ..system.terminal import how_to_install
from ..system.text import read_pair

if TYPE_CHECKING:  # a bot's first answer waits for what is imported here
    from collections.abc import Iterable

    from ..algorithms.limits import Limits
    from ..game.base import Game
    from ..players.base import MakePlayer
    from ..players.clock import Clock

PAGE_PACKAGES = ("jinja2", "matplotlib", "starlette", "uvicorn", "websockets")
"""What the modules of the page import, of the extra `web`."""
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


def load_maker() -> "MakePlayer":
    """What makes players, loaded when it is asked for: a bot asks for it in a thread of its own."""
    from ..games.catalogue.make import make_player

    return make_player


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
    """What a text calls a game, with the name that the game has: `My Game(width=20)` is my_game(width=20)."""
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


def read_limits(nodes: int | None, depth: int | None = None, seconds: float | None = None) -> "Limits | None":
    """The limits of a move besides the clock, or None if there are none."""
    from ..algorithms.limits import Limits

    return None if nodes is depth is seconds is None else Limits(depth=depth, nodes=nodes, seconds=seconds)


def memory_in_bytes(megabytes: int | None) -> float:
    """What --memory says; without it half of what is free."""
    import psutil

    return megabytes * 1e6 if megabytes is not None else psutil.virtual_memory().available / 2


def read_clock(
    seconds: float | None, bank: float | None, nodes: int | None, players: "Iterable[str]" = ()
) -> "Clock":
    """A fixed time a move, or a bank with that much added; endless if only nodes are limited.

    `players` are those of the match: a server that is asked over HTTP usually has its contest's time.
    """
    from ..players.clock import ENDLESS, Clock

    if seconds is None and (nodes is not None and bank is None):
        return ENDLESS
    if seconds is None:
        seconds = 0.5 if any(parse_spec(spec).name == SNAKE for spec in players) else 0.05
    if not (0 < seconds < float("inf")) or (bank is not None and not (0 < bank < float("inf"))):
        raise ValueError("--time and --bank take seconds above 0")
    return Clock(seconds if bank is None else bank, seconds)
