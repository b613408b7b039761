"""All players that have a name."""

from ..game import Game
from ..search import Limits
from .base import Player
from .entry import RosterEntry
from .named import flip, goofspiel, riders, simplexity, tron
from .random_player import RandomPlayer


def _random(game: Game, limits: Limits | None) -> Player:
    return RandomPlayer()


RANDOM = RosterEntry(
    name="random",
    game="",
    origin="this library",
    algorithm="uniform random",
    evaluator="none",
    summary="any move that does not lose at once",
    factory=_random,
)

ROSTER: tuple[RosterEntry, ...] = (
    RANDOM, *riders.ENTRIES, *simplexity.ENTRIES, *tron.ENTRIES, *flip.ENTRIES, *goofspiel.ENTRIES,
)  # fmt: skip


def entries_of(name: str) -> list[RosterEntry]:
    """The players of this name: one a game, or one for all games."""
    return [entry for entry in ROSTER if entry.name == name]


def players_of(game: str) -> list[RosterEntry]:
    """The named players of a game."""
    return [entry for entry in ROSTER if entry.game in ("", game)]
