"""The named players of Goofspiel."""

from typing import TYPE_CHECKING

from ..entry import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

PLAYERS = Players("goofspiel")


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large saddle pruning, transposition table; cards drawn from the equilibrium",
    evaluator="none: a draw, or the nearest result that the points won and left allow",
    summary="cannot be exploited where the game is solved before its clock runs (up to 6 cards); with 8 and more a bot that "
        "bids the prize itself is ahead of it",
)
def goofspiel_best(game: "Game", limits: "Limits | None", choice: str = "mixture", solve: bool = True) -> "Player":
    """An equilibrium of the whole game, solved before the clock runs, drawn from.

    A game that is too large for that, or with solve=false, is searched as far as the time allows, a draw being expected beyond. With
    choice=best it plays the likeliest card instead, which can be learnt.
    """
    from ...algorithms import SaddlePruning
    from ...players.searching import SearchPlayer, choice_of
    from ...players.solving import SolveFirst
    from ...players.timing import Adaptive

    plan = SolveFirst() if solve else None
    return SearchPlayer(SaddlePruning(), limits=limits, policy=Adaptive(), choice=choice_of(choice), endgame=plan)
