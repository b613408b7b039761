"""Replays read from files, of every game and in every format that is known here."""

import functools
from pathlib import Path
from typing import Any

from ...play import reading
from ...play.reading import ReplayFormat
from ...play.replay import Replay
from .games import GAMES, left_out_if_broken, make_game


def read_replay(path: str | Path, number: int = 1) -> Replay:
    """The game of that number in a file, checked against the rules; raises ReplayError in one sentence."""
    return reading.read(path, number, make_game, replay_formats())


def game_recognised(first: bytes) -> str | None:
    """The game in whose own format a file with this first line is; None where it is in none of a game's own."""
    return next((name for name, one in _formats() if one.recognises(first)), None)


def replay_formats() -> tuple[ReplayFormat, ...]:
    """The formats of all games."""
    return tuple(one for _, one in _formats())


def replay_of(data: dict[str, Any], where: str = "line 1") -> Replay:
    """The game of a line's data, each field checked, its moves not yet; raises ReplayError in one sentence."""
    return reading.replay_of(data, make_game, where)


@functools.cache
def _formats() -> tuple[tuple[str, ReplayFormat], ...]:
    found: list[tuple[str, ReplayFormat]] = []
    for entry in GAMES.values():
        with left_out_if_broken():
            found += [(entry.name, entry.load(place)) for place in entry.description.replay_formats]
    return tuple(found)
