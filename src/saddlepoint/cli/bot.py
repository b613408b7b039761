"""`bot`: our players in other people's contests and programs."""

import os
import sys
from typing import TYPE_CHECKING

import typer

from ..protocols.catalogue import PROTOCOLS

if TYPE_CHECKING:
    from ..players.base import MakePlayer

_CONTESTS = {one.game: one for one in PROTOCOLS if one.bot}
_NAMES = ", ".join(f"{one.name} ({game})" for game, one in _CONTESTS.items())


def bot(
    game: str = typer.Argument(..., help="The game: light_riders, simplexity, or any other one of `saddlepoint games`."),
    player: str = typer.Option("", help="Who plays: best where the game has one, else random."),
    protocol: str = typer.Option(
        "", help=f"{_NAMES} or lines (every game); the contest's own if there is one."
    ),
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
    contest = _CONTESTS.get(game)
    usual = "lines" if contest is None else contest.name
    chosen = contest if protocol in ("", usual) else None
    if protocol not in ("", usual, "lines"):
        raise ValueError(f"{game} is played by {' or '.join(dict.fromkeys((usual, 'lines')))}, not by {protocol!r}")
    if tcp is not None and (chosen is None or not chosen.serve):
        named = " or ".join(one.name for one in _CONTESTS.values() if one.serve)
        raise ValueError(f"--tcp is for {named}: the other protocols go over stdin and stdout")
    if player:
        parse_spec(player)
    os.environ.setdefault("SADDLEPOINT_QUIET", "1" if chosen is not None and chosen.quiet else "0")
    if chosen is None:
        _run_lines(game, player)
        return
    if tcp is not None:
        chosen.load(chosen.serve)(player or "best", _load, tcp)
    elif not chosen.load(chosen.bot)(player or "best", _load, sys.stdin.buffer, sys.stdout.buffer):
        # A compilation under way cannot be told to stop, and the engine does not wait.
        sys.stderr.flush()
        os._exit(0)


def _run_lines(name: str, player: str) -> None:
    from ..game import Game
    from ..games.catalogue import make_game
    from ..games.catalogue.own_games import split_file
    from ..players.base import Player
    from ..protocols.lines.bot import LinesBot
    from ..roster.catalogue import entries_of
    from ..roster.make import make_player
    from .common import read_game

    rules, own = read_game(name), split_file(name) is not None
    if own or rules == make_game(rules.name):
        spec = player or ("best" if any(one.game == rules.name for one in entries_of("best")) else "random")
    else:
        raise ValueError(f"the other side tells the game's parameters: saddlepoint bot {rules.name}")
    if spec == "human":
        raise ValueError("a person cannot play over stdin and stdout; `saddlepoint play` is for people")
    make_player(spec, rules).close()

    def make(game: Game) -> Player:
        return make_player(spec, game)

    def send(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    LinesBot(make, send, only=None if own else rules, fixed=rules if own else None).run(sys.stdin.buffer)


def _load() -> "MakePlayer":
    """What makes players; a bot asks for it in a thread of its own."""
    from ..roster.make import make_player

    return make_player
