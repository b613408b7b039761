"""All players that have a name."""

import functools
from typing import TYPE_CHECKING

from ...players.named import File, NamedPlayer, Players, choice_of
from .games import GAMES

if TYPE_CHECKING:
    from ...algorithms import Algorithm, Limits
    from ...game.base import Game
    from ...players.base import Player

_ANYWHERE = Players()


@_ANYWHERE.named(
    "random", algorithm="uniform random", summary="a random move among those that do not lose immediately"
)
def _random(game: "Game", limits: "Limits | None") -> "Player":  # pyright: ignore[reportUnusedFunction]
    from ...players.base import RandomPlayer

    return RandomPlayer()


@_ANYWHERE.named(
    "solution",
    algorithm="the whole game, solved beforehand",
    summary="an equilibrium from a file that `saddlepoint solve` wrote",
)
def _solution(  # pyright: ignore[reportUnusedFunction]
    game: "Game", limits: "Limits | None", file: File, choice: str = "mixture"
) -> "Player":
    from ...players.solving import SolutionPlayer
    from ...solvers.checking import load_checked

    return SolutionPlayer(load_checked(file, game), choice_of(choice))


def _search_of_best(game: "Game") -> "Algorithm":
    from .measured import chosen_search, kept_choice

    return chosen_search(game, kept_choice(game))


@_ANYWHERE.named(
    "best",
    search=_search_of_best,
    algorithm="the solved game; where that is too large the search that won games against others on this machine",
    summary="cannot be exploited where the game is solved before its clock runs; else the search that measurement chose, and in games of "
    "moves at the same time the solution of the rest as soon as that fits a move's time",
)
def _best(  # pyright: ignore[reportUnusedFunction]
    game: "Game",
    limits: "Limits | None",
    choice: str = "mixture",
    solve: bool = True,
    measured_at: float = 0.02,
) -> "Player":
    """An equilibrium of the whole game, solved before the clock runs, drawn from; with choice=best the likeliest action.

    A game that is too large for that, or with solve=false, is searched as far as the time allows: by the search that won games against
    other candidates, which are played at the first use, with `measured_at` seconds a move, and kept (see `measured`). Games in turn take
    the best action, whatever `choice` says. Where both may move at once, unless solve=false, the rest is solved as soon as that fits a
    move's time. Games that bring a `best` of their own do not use this one.
    """
    from ...players.searching import LEAST_SECONDS
    from ...players.solving import SolveRest, solved_or_searched
    from .measured import chosen_search, measured_choice
    from .solved_games import is_solved

    if measured_at < LEAST_SECONDS:
        raise ValueError(f"measured_at is a number of seconds from {LEAST_SECONDS:g} on, not {measured_at:g}")
    nodes = limits.nodes if limits is not None and limits.seconds is None else None

    def search_of(game: "Game") -> "Algorithm":
        if solve and is_solved(game):
            return chosen_search(game, None)
        return chosen_search(game, measured_choice(game, nodes, seconds=measured_at))

    rest = None if game.turn_based else SolveRest()
    choice = "best" if game.turn_based else choice
    return solved_or_searched(_search_of_best(game), limits, solve, choice, rest, search_of=search_of)


def unfitted_best(game: "Game") -> str:
    """The player `best` as it is without weights beside the game's file: what a fit must beat.

    It is measured where it is not known.
    """
    from .measured import measured_choice
    from .solved_games import is_solved

    entry = player_of("best", game.name)
    if entry is None or entry.game or is_solved(game):
        return "best"
    return measured_choice(game, with_fitted=False).spec


def players_of(game: str) -> list[NamedPlayer]:
    """The named players of a game: its own, and those for all games whose names it does not use.

    `game` may be unknown.
    """
    entry = GAMES.get(game)
    own = [] if entry is None else list(entry.description.players)
    taken = {one.name for one in own}
    return [*(one for one in _ANYWHERE if one.name not in taken), *own]


def player_of(name: str, game: str) -> NamedPlayer | None:
    """The player of this name that plays a game; None where there is none."""
    return next((one for one in players_of(game) if one.name == name), None)


@functools.cache
def roster() -> tuple[NamedPlayer, ...]:
    """All players that have a name, those of every game first."""
    return (*_ANYWHERE, *(one for entry in GAMES.values() for one in entry.description.players))


def entries_of(name: str) -> list[NamedPlayer]:
    """The players of this name: one a game, or one for all games."""
    return [entry for entry in roster() if entry.name == name]
