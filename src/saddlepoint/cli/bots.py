"""Our players in other people's contests and programs: what `bot` does once its words are read."""

import hashlib
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._extras import how_to_install
from ..roster.protocols import protocols, protocols_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..players.base import MakePlayer
    from ..protocols.protocol import Protocol


_NEEDED = ("starlette", "uvicorn")
_INTERRUPTED = 130


def play_for_others(
    game: str, player: str = "", protocol: str = "", tcp: int | None = None, served: "Mapping[str, Any] | None" = None
) -> None:
    """Play until the other side ends it; raises ValueError in one sentence for words that do not fit together.

    `served` is what was said of a server: `port` and `host`, and how the bot looks.
    """
    from .._startup import hurry
    from ..roster.games import find_game
    from ..spec import parse_spec

    hurry()
    entry = find_game(game)
    game = game if entry is None else entry.name
    spoken = {one.name: one for one in _spoken(protocols_of(game))}
    chosen = spoken.get(protocol or next(iter(spoken)))
    if chosen is None:
        raise ValueError(f"{game} is played by {' or '.join(spoken)}, not by {protocol!r}")
    if tcp is not None and not chosen.serve:
        named = " or ".join(one.name for one in _spoken(protocols()) if one.serve)
        raise ValueError(f"--tcp is for {named}: {_way(chosen)}")
    if served and not chosen.http:
        named = " or ".join(one.name for one in _spoken(protocols()) if one.http)
        raise ValueError(f"--{next(iter(served))} is for {named}: {_way(chosen)}")
    if player:
        parse_spec(player)
    os.environ.setdefault("SADDLEPOINT_QUIET", "1" if chosen.quiet else "0")
    if tcp is not None:
        try:
            chosen.load(chosen.serve)(player or "best", _load, tcp)
        except KeyboardInterrupt:
            # Threads may be compiling: while Python ends in the usual way, they end in a segmentation fault.
            sys.stderr.flush()
            os._exit(_INTERRUPTED)
        return
    if chosen.http:
        _serve(chosen, player or "best", dict(served or {}))
        return
    told = [player or "best"] if chosen.game else _told(game, player)
    if not chosen.load(chosen.bot)(told[0], _load, sys.stdin.buffer, sys.stdout.buffer, *told[1:]):
        # A compilation under way cannot be told to stop, and the engine does not wait.
        sys.stderr.flush()
        os._exit(0)


def _spoken(known: "Iterable[Protocol]") -> "list[Protocol]":
    """Those that our players speak; those for one game first."""
    return sorted((one for one in known if one.bot or one.http), key=lambda one: not one.game)


def _way(chosen: "Protocol") -> str:
    """Where a protocol's words go."""
    return f"{chosen.name} goes over HTTP, on --port" if chosen.http else f"{chosen.name} goes over stdin and stdout"


def _serve(chosen: "Protocol", player: str, served: dict[str, Any]) -> None:
    """Answer a referee that asks over HTTP, until Ctrl-C, or until it is known that there is no such player."""
    if any(find_spec(name) is None for name in _NEEDED):
        raise ValueError(f"the server needs a few packages more: {how_to_install('web')}")
    host, port = served.pop("host", "127.0.0.1"), served.pop("port", None)
    looks = chosen.load(chosen.looks)(**served)
    ended = chosen.load(chosen.http)(player, _load, host, port, looks, _version(player), compiles_apart=True)
    sys.stderr.flush()
    if not ended:  # a compilation under way cannot be told to stop
        os._exit(_INTERRUPTED)
    raise KeyboardInterrupt


def _version(player: str) -> str:
    """What tells a player from another one, and from itself after a change: a digest of this package and of the files that it names.

    Without Numba, which takes half a second to import: a referee may wait for it.
    """
    digest = hashlib.blake2b(digest_size=6)
    package = Path(__file__).parents[1]
    named = [Path(word) for word in re.findall(r"[^\s\"'(),=]+", player)]
    for path in (*sorted(package.rglob("*.py")), *(path for path in named if path.is_file())):
        digest.update(path.read_bytes())
    return f"saddlepoint+{digest.hexdigest()} {player}"


def _told(name: str, player: str) -> list[Any]:
    """What the bot of a protocol for every game is told besides: the player's spec, and the game."""
    from ..own_games import split_file
    from ..roster.games import make_game
    from .common import read_game

    rules = read_game(name)
    if split_file(name) is None and rules != make_game(rules.name):
        raise ValueError(f"the other side tells the game's parameters: saddlepoint bot {rules.name}")
    if player == "human":
        raise ValueError("a person cannot play over stdin and stdout; `saddlepoint play` is for people")
    return [player or "best", rules]


def _load() -> "MakePlayer":
    """What makes players; a bot asks for it in a thread of its own."""
    from ..roster.make import make_player

    return make_player
