"""All players that have a name."""

from typing import TYPE_CHECKING

from .entry import Players, RosterEntry
from .named import battlesnake, goofspiel, light_riders, rubiks_flip, simplexity, tron41

if TYPE_CHECKING:
    from ..algorithms import Limits
    from ..game import Game
    from ..players.base import Player

_ANYWHERE = Players()


@_ANYWHERE.named("random", algorithm="uniform random", summary="a random move among those that do not lose immediately")
def _random(game: "Game", limits: "Limits | None") -> "Player":  # pyright: ignore[reportUnusedFunction]
    from ..players.random_player import RandomPlayer

    return RandomPlayer()


ROSTER: tuple[RosterEntry, ...] = (
    *_ANYWHERE, *light_riders.PLAYERS, *simplexity.PLAYERS, *tron41.PLAYERS, *rubiks_flip.PLAYERS, *goofspiel.PLAYERS,
    *battlesnake.PLAYERS,
)  # fmt: skip


def entries_of(name: str) -> list[RosterEntry]:
    """The players of this name: one a game, or one for all games."""
    return [entry for entry in ROSTER if entry.name == name]


def players_of(game: str) -> list[RosterEntry]:
    """The named players of a game."""
    return [entry for entry in ROSTER if entry.game in ("", game)]
