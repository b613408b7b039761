"""`bot`: our players in other people's contests and programs."""

import os
import sys
from typing import TYPE_CHECKING, Any

import typer

from ..protocols.catalogue import PROTOCOLS

if TYPE_CHECKING:
    from ..players.base import MakePlayer

_OURS = sorted((one for one in PROTOCOLS if one.bot), key=lambda one: not one.game)
_NAMES = ", ".join(f"{one.name} ({one.game or 'every game'})" for one in _OURS)


def bot(
    game: str = typer.Argument(..., help="The game: light_riders, simplexity, or any other one of `saddlepoint games`."),
    player: str = typer.Option("", help="Who plays: best where the game has one, else random."),
    protocol: str = typer.Option("", help=f"{_NAMES}; the contest's own if there is one."),
    tcp: int | None = typer.Option(
        None, min=0, max=65535, metavar="PORT", help="Simplexity: listen on this port of the loopback interface; 0: any free port."
    ),
) -> None:
    """Play for another program: speaks riddles.io's protocol (light_riders), csl 1 of ColorShapeLinks (simplexity), or lines.

    `lines` is this library's own protocol, for every game: docs/protocol.md. Over stdin and stdout, unless a port is given.

    Example: saddlepoint bot light_riders --player best
    """
    from .._startup import hurry
    from ..spec import parse_spec

    hurry()
    spoken = {one.name: one for one in _OURS if one.game in ("", game)}
    chosen = spoken.get(protocol or next(iter(spoken)))
    if chosen is None:
        raise ValueError(f"{game} is played by {' or '.join(spoken)}, not by {protocol!r}")
    if tcp is not None and not chosen.serve:
        named = " or ".join(one.name for one in _OURS if one.serve)
        raise ValueError(f"--tcp is for {named}: the other protocols go over stdin and stdout")
    if player:
        parse_spec(player)
    os.environ.setdefault("SADDLEPOINT_QUIET", "1" if chosen.quiet else "0")
    if tcp is not None:
        chosen.load(chosen.serve)(player or "best", _load, tcp)
        return
    told = [player or "best"] if chosen.game else _told(game, player)
    if not chosen.load(chosen.bot)(told[0], _load, sys.stdin.buffer, sys.stdout.buffer, *told[1:]):
        # A compilation under way cannot be told to stop, and the engine does not wait.
        sys.stderr.flush()
        os._exit(0)


def _told(name: str, player: str) -> list[Any]:
    """What the bot of a protocol for every game is told besides: the player's spec, and the game."""
    from ..games.catalogue import make_game
    from ..games.catalogue.own_games import split_file
    from ..roster.catalogue import entries_of
    from .common import read_game

    rules = read_game(name)
    if split_file(name) is None and rules != make_game(rules.name):
        raise ValueError(f"the other side tells the game's parameters: saddlepoint bot {rules.name}")
    if player == "human":
        raise ValueError("a person cannot play over stdin and stdout; `saddlepoint play` is for people")
    return [player or ("best" if any(one.game == rules.name for one in entries_of("best")) else "random"), rules]


def _load() -> "MakePlayer":
    """What makes players; a bot asks for it in a thread of its own."""
    from ..roster.make import make_player

    return make_player
