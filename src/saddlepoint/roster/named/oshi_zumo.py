"""The named players of Oshi-Zumo."""

from typing import TYPE_CHECKING

from ..entry import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

PLAYERS = Players("oshi_zumo")


@PLAYERS.named(
    "best",
    algorithm="saddle pruning, iterative deepening, transposition table; bids sampled from the equilibrium",
    evaluator="none: a draw, or the nearest result that the coins left allow",
    summary="exact where the search reaches the end; its mixed strategy cannot be exploited",
)
def oshi_zumo_best(game: "Game", limits: "Limits | None", choice: str = "mixture") -> "Player":
    """The equilibrium of as many rounds as the time allows, drawn from; with choice=best the likeliest bid."""
    from ...algorithms import SaddlePruning
    from ...players.searching import SearchPlayer, choice_of
    from ...players.timing import Adaptive

    return SearchPlayer(SaddlePruning(), limits=limits, policy=Adaptive(), choice=choice_of(choice))
