"""All players that have a name."""

from typing import TYPE_CHECKING

from .entry import File, Players, RosterEntry
from .named import (
    battlesnake,
    connect_four,
    goofspiel,
    light_riders,
    literature,
    oshi_zumo,
    othello,
    rubiks_flip,
    simplexity,
    soccer,
    tic_tac_toe,
    tron41,
)

if TYPE_CHECKING:
    from ..algorithms import Limits
    from ..game import Game
    from ..players.base import Player

_ANYWHERE = Players()


@_ANYWHERE.named("random", algorithm="uniform random", summary="a random move among those that do not lose immediately")
def _random(game: "Game", limits: "Limits | None") -> "Player":  # pyright: ignore[reportUnusedFunction]
    from ..players.random_player import RandomPlayer

    return RandomPlayer()


@_ANYWHERE.named(
    "solution", algorithm="the whole game, solved beforehand", summary="an equilibrium from a file that `saddlepoint solve` wrote"
)
def _solution(  # pyright: ignore[reportUnusedFunction]
    game: "Game", limits: "Limits | None", file: File, choice: str = "mixture"
) -> "Player":
    from ..players.searching import choice_of
    from ..players.solution import SolutionPlayer
    from ..solvers.checking import load_checked

    return SolutionPlayer(load_checked(file, game), choice_of(choice))


ROSTER: tuple[RosterEntry, ...] = (
    *_ANYWHERE, *light_riders.PLAYERS, *simplexity.PLAYERS, *tron41.PLAYERS, *rubiks_flip.PLAYERS, *goofspiel.PLAYERS,
    *battlesnake.PLAYERS, *oshi_zumo.PLAYERS, *tic_tac_toe.PLAYERS, *connect_four.PLAYERS, *othello.PLAYERS, *literature.PLAYERS,
    *soccer.PLAYERS,
)  # fmt: skip


def entries_of(name: str) -> list[RosterEntry]:
    """The players of this name: one a game, or one for all games."""
    return [entry for entry in ROSTER if entry.name == name]


def players_of(game: str) -> list[RosterEntry]:
    """The named players of a game."""
    return [entry for entry in ROSTER if entry.game in ("", game)]
