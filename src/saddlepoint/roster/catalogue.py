"""All players that have a name."""

from ..algorithms import Limits
from ..game import Game
from ..players.base import Player
from ..players.random_player import RandomPlayer
from .entry import RosterEntry
from .named import goofspiel, light_riders, rubiks_flip, simplexity, tron41


def _random(game: Game, limits: Limits | None) -> Player:
    return RandomPlayer()


RANDOM = RosterEntry(
    name="random",
    game="",
    origin="this library",
    algorithm="uniform random",
    evaluator="none",
    summary="a random move among those that do not lose immediately",
    factory=_random,
)

ROSTER: tuple[RosterEntry, ...] = (
    RANDOM, *light_riders.ENTRIES, *simplexity.ENTRIES, *tron41.ENTRIES, *rubiks_flip.ENTRIES, *goofspiel.ENTRIES,
)  # fmt: skip


def entries_of(name: str) -> list[RosterEntry]:
    """The players of this name: one a game, or one for all games."""
    return [entry for entry in ROSTER if entry.name == name]


def players_of(game: str) -> list[RosterEntry]:
    """The named players of a game."""
    return [entry for entry in ROSTER if entry.game in ("", game)]
