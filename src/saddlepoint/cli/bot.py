"""`bot`: our players in other people's contests and programs."""

import hashlib
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from ..game.spec import parse_spec
from ..games.catalogue.games import find_game, make_game, protocols, protocols_of
from ..players.protocols.protocol import Protocol
from .common import check_packages, read_game
from .program import load_maker

_INTERRUPTED = 130


def _spoken(known: Iterable[Protocol]) -> list[Protocol]:
    """The protocols that our players speak; those for one game first."""
    return sorted((one for one in known if one.bot or one.http), key=lambda one: not one.game)


_SPOKEN = _spoken(protocols())
_NAMES = ", ".join(f"{one.name} ({one.game or 'every game'})" for one in _SPOKEN)
_CONTESTS = ", ".join(f"{one.game} ({one.title})" for one in _SPOKEN if one.game)
_TCP, _HTTP = (" and ".join(one.game for one in _SPOKEN if getattr(one, side)) for side in ("serve", "http"))
_SNAKE = f"For {_HTTP}"


def bot(
    game: str = typer.Argument(..., help=f"Any game; with a contest's protocol: {_CONTESTS}."),
    player: str = typer.Option("", help="Who plays: best where the game has one, else random."),
    protocol: str = typer.Option("", help=f"{_NAMES}; the contest's own if there is one."),
    tcp: int | None = typer.Option(
        None,
        min=0,
        max=65535,
        metavar="PORT",
        rich_help_panel=f"For {_TCP}",
        help="Listen on this port of this machine; 0: any free port.",
    ),
    port: int | None = typer.Option(
        None, min=0, max=65535, rich_help_panel=_SNAKE, help="8000, or the next free one; 0: any."
    ),
    host: str | None = typer.Option(
        None, rich_help_panel=_SNAKE, help="Where to listen: 127.0.0.1, or 0.0.0.0 for other machines."
    ),
    colour: str | None = typer.Option(None, "--colour", "--color", rich_help_panel=_SNAKE, help="#3355aa."),
    head: str | None = typer.Option(None, rich_help_panel=_SNAKE, help="By its official name."),
    tail: str | None = typer.Option(None, rich_help_panel=_SNAKE, help="By its official name."),
    author: str | None = typer.Option(None, rich_help_panel=_SNAKE, help="A name on the contest's site."),
) -> None:
    """Play for another program, in the protocol of the game's contest, or by lines.

    `lines` is this library's own protocol, for every game: docs/protocol.md. Over stdin and stdout, unless a port is given. Where the
    contest's referee asks over HTTP, the player is a server.

    Example: saddlepoint bot light_riders --player best
    """
    said = {"port": port, "host": host, "colour": colour, "head": head, "tail": tail, "author": author}
    served = {name: value for name, value in said.items() if value is not None}
    entry = find_game(game)
    game = game if entry is None else entry.name
    spoken = {one.name: one for one in _spoken(protocols_of(game))}
    chosen = spoken.get(protocol or next(iter(spoken)))
    if chosen is None:
        raise ValueError(f"{game} is played by {' or '.join(spoken)}, not by {protocol!r}")
    if tcp is not None and not chosen.serve:
        raise ValueError(f"--tcp is for {_named('serve')}: {_way(chosen)}")
    if served and not chosen.http:
        raise ValueError(f"--{next(iter(served))} is for {_named('http')}: {_way(chosen)}")
    if player:
        parse_spec(player)
    os.environ.setdefault("SADDLEPOINT_QUIET", "1" if chosen.quiet else "0")
    if tcp is not None:
        try:
            chosen.load(chosen.serve)(player or "best", load_maker, tcp)
        except KeyboardInterrupt:
            # Threads may be compiling: while Python ends in the usual way, they end in a segmentation fault.
            sys.stderr.flush()
            os._exit(_INTERRUPTED)
        return
    if chosen.http:
        _serve(chosen, player or "best", served)
        return
    told = () if chosen.game else (_told(game, player),)
    if not chosen.load(chosen.bot)(player or "best", load_maker, sys.stdin.buffer, sys.stdout.buffer, *told):
        # A compilation under way cannot be stopped, and the engine does not wait.
        sys.stderr.flush()
        os._exit(0)


def _named(side: str) -> str:
    return " or ".join(one.name for one in _SPOKEN if getattr(one, side))


def _way(chosen: Protocol) -> str:
    """The place that a protocol's words go to."""
    return (
        f"{chosen.name} goes over HTTP, on --port"
        if chosen.http
        else f"{chosen.name} goes over stdin and stdout"
    )


def _serve(chosen: Protocol, player: str, served: dict[str, Any]) -> None:
    """Answer a referee's requests over HTTP, until Ctrl-C, or until the player turns out not to exist."""
    check_packages("the server", "web", "starlette", "uvicorn")
    host, port = served.pop("host", "127.0.0.1"), served.pop("port", None)
    ended = chosen.load(chosen.http)(
        player,
        load_maker,
        host,
        port,
        chosen.load(chosen.looks)(**served),
        _version(player),
        compiles_apart=True,
    )
    sys.stderr.flush()
    if not ended:  # a compilation under way cannot be stopped
        os._exit(_INTERRUPTED)
    raise KeyboardInterrupt


def _version(player: str) -> str:
    """The version of a player: a digest of this package and of the files that the player's spec names.

    Without Numba, which takes half a second to import: a referee may wait for it.
    """
    digest = hashlib.blake2b(digest_size=6)
    package = Path(__file__).parents[1]
    named = [Path(word) for word in re.findall(r"[^\s\"'(),=]+", player)]
    for path in (*sorted(package.rglob("*.py")), *(path for path in named if path.is_file())):
        digest.update(path.read_bytes())
    return f"saddlepoint+{digest.hexdigest()} {player}"


def _told(name: str, player: str) -> Any:
    """The game of a bot whose protocol is for every game."""
    from ..game.own_games import split_file

    rules = read_game(name)
    if split_file(name) is None and rules != make_game(rules.name):
        raise ValueError(f"the other side tells the game's parameters: saddlepoint bot {rules.name}")
    if player == "human":
        raise ValueError("a person cannot play over stdin and stdout; `saddlepoint play` is for people")
    return rules
