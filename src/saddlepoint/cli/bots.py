"""Our players in other people's contests and programs: what `bot` does once its words are read."""

import os
import sys
from typing import TYPE_CHECKING, Any

from ..protocols.catalogue import PROTOCOLS

if TYPE_CHECKING:
    from ..players.base import MakePlayer

SPOKEN = sorted((one for one in PROTOCOLS if one.bot), key=lambda one: not one.game)
"""The protocols that our players speak; those for one game first."""


def play_for_others(game: str, player: str = "", protocol: str = "", tcp: int | None = None) -> None:
    """Play until the other side ends it; raises ValueError in one sentence for words that do not fit together."""
    from .._startup import hurry
    from ..spec import parse_spec

    hurry()
    spoken = {one.name: one for one in SPOKEN if one.game in ("", game)}
    chosen = spoken.get(protocol or next(iter(spoken)))
    if chosen is None:
        raise ValueError(f"{game} is played by {' or '.join(spoken)}, not by {protocol!r}")
    if tcp is not None and not chosen.serve:
        named = " or ".join(one.name for one in SPOKEN if one.serve)
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
