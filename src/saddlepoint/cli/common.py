"""What the commands share: options read into objects."""

from typing import TYPE_CHECKING, Any

from ..roster.games import default_game

if TYPE_CHECKING:  # a bot's first answer waits for what is imported here
    from collections.abc import Iterable

    from ..algorithms.limits import Limits
    from ..game import Game
    from ..players.clock import Clock

PAGE_PACKAGES = ("starlette", "uvicorn", "websockets")
"""What the modules of the page import, of the extra `web`."""
GAME_HELP = f"A game such as {default_game()}(width=20), or your own: ./mygame.py:MyGame."
POSITION_HELP = "a file with the position, - for stdin, or the moves that lead there: 'moves: 3/5 2/4'"


def read_game(text: str, size: str | None = None) -> "Game":
    """The game that a text describes, this library's or one in a file, which is then run; `size` is WIDTHxHEIGHT.

    A game in a file plays some random games in plain Python first: raises KernelError for a rule that cannot be right.
    """
    from ..own_games import class_missing, load_game, split_file
    from ..roster.games import game_spec, make_game
    from ..spec import parse_spec

    own = split_file(text)
    if own is None and text.strip().endswith(".py"):
        raise class_missing(text)
    spec = game_spec(text) if own is None else parse_spec(own[1])
    parameters: dict[str, Any] = dict(spec.options)
    if size is not None:
        from ..console.reading import read_pair

        width, height = read_pair(size, "x", "--size", "16x16")
        parameters.update(width=width, height=height)
    if own is None:
        return make_game(spec.name, **parameters)
    from ..testing.first_look import look_at

    return look_at(load_game(own[0], spec.name, parameters))


def check_page_packages() -> None:
    """Raise ValueError, in one sentence, where the page lacks a package."""
    from importlib.util import find_spec

    from .._extras import how_to_install

    if any(find_spec(name) is None for name in PAGE_PACKAGES):
        raise ValueError(f"the page needs a few packages more: {how_to_install('web')}")


def game_text(text: str) -> str:
    """What a text calls a game, with the name that the game has: `My Game(width=20)` is my_game(width=20)."""
    from ..own_games import split_file
    from ..roster.games import game_spec

    return text if split_file(text) else str(game_spec(text))


def read_game_name(text: str | None) -> str | None:
    """The name of the game that a ledger is asked for; one in a file is loaded, for its games to be shown by its rules."""
    from ..own_games import load_class, split_file
    from ..roster.games import find_game
    from ..spec import parse_spec

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
    if start is None and seed is None:
        return game.initial_state()
    import inspect

    takes = inspect.signature(game.initial_state).parameters
    if start is not None:
        if "x" not in takes:
            from ..spec import name_of

            raise ValueError(f"--start is for games whose start is a cell; {name_of(game)} has none")
        from ..console.reading import read_pair

        x, y = read_pair(start, ",", "--start", "4,7")
        return game.initial_state(x, y)  # type: ignore[call-arg]
    return game.initial_state(seed=seed) if "seed" in takes else game.initial_state()  # type: ignore[call-arg]


def read_limits(nodes: int | None, depth: int | None = None, seconds: float | None = None) -> "Limits | None":
    """The limits of a move besides the clock, or None if there are none."""
    from ..algorithms.limits import Limits

    return None if nodes is depth is seconds is None else Limits(depth=depth, nodes=nodes, seconds=seconds)


def memory_in_bytes(megabytes: int | None) -> float:
    """What --memory says; without it half of what is free."""
    import psutil

    return megabytes * 1e6 if megabytes is not None else psutil.virtual_memory().available / 2


def usual_seconds(players: "Iterable[str]") -> float:
    """Seconds a move where nothing is said: a server that is asked over HTTP is used to its contest's."""
    from ..spec import SNAKE, parse_spec

    return SNAKE_SECONDS if any(parse_spec(spec).name == SNAKE for spec in players) else DEFAULT_SECONDS


def read_clock(seconds: float | None, bank: float | None, nodes: int | None, players: "Iterable[str]" = ()) -> "Clock":
    """A fixed time a move, or a bank with that much added; endless if only nodes are limited.

    `players` are those of the match, which decide what is usual.
    """
    from ..players.clock import ENDLESS, Clock

    if seconds is None and (nodes is not None and bank is None):
        return ENDLESS
    seconds = usual_seconds(players) if seconds is None else seconds
    if not (0 < seconds < float("inf")) or (bank is not None and not (0 < bank < float("inf"))):
        raise ValueError("--time and --bank take seconds above 0")
    return Clock(seconds if bank is None else bank, seconds)


DEFAULT_SECONDS, SNAKE_SECONDS = 0.05, 0.5
