"""The named players of soccer."""

from typing import TYPE_CHECKING

from ..entry import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

PLAYERS = Players("soccer")


@PLAYERS.named(
    "best",
    algorithm="saddle pruning, iterative deepening, transposition table; steps sampled from the equilibrium",
    evaluator="none: a draw where the search stops",
    summary="the equilibrium of the next moves; from a solution's file the player `solution` plays the whole game's",
)
def soccer_best(game: "Game", limits: "Limits | None", choice: str = "mixture") -> "Player":
    """The equilibrium of as many moves as the time allows, drawn from; with choice=best the likeliest step."""
    from ...algorithms import SaddlePruning
    from ...players.searching import SearchPlayer, choice_of
    from ...players.timing import Adaptive

    return SearchPlayer(SaddlePruning(), limits=limits, policy=Adaptive(), choice=choice_of(choice))
