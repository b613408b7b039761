"""The players that have a name."""

from collections.abc import Callable
from dataclasses import dataclass

from .base import Player
from .random_player import RandomPlayer


@dataclass(frozen=True)
class RosterEntry:
    """A named player. `factory(game, limits, **options)` makes it; its keyword parameters are the spec's options."""

    name: str
    game: str
    """The only game it plays, or an empty string for any."""
    origin: str
    """Where it comes from: a program, a paper, this library."""
    algorithm: str
    evaluator: str
    summary: str
    factory: Callable[..., Player]
    """Called with the game and the Limits a move has besides its clock (or None)."""


ROSTER: dict[str, RosterEntry] = {}


def register(entry: RosterEntry) -> None:
    """Give a player its name."""
    if entry.name in ROSTER:
        raise ValueError(f"there is a player {entry.name!r} already")
    ROSTER[entry.name] = entry


def _random(game: object, limits: object) -> Player:
    return RandomPlayer()


register(
    RosterEntry(
        name="random",
        game="",
        origin="this library",
        algorithm="uniform random",
        evaluator="none",
        summary="any move that does not lose at once",
        factory=_random,
    )
)
