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
    algorithm="the solved game; where that is too large saddle pruning, transposition table; bids drawn from the equilibrium",
    evaluator="none: a draw, or the nearest result that the coins left allow",
    summary="cannot be exploited where the game is solved before its clock runs (100 coins and some more); else it expects a draw "
        "beyond what it sees",
)
def oshi_zumo_best(game: "Game", limits: "Limits | None", choice: str = "mixture", solve: bool = True) -> "Player":
    """An equilibrium of the whole game, solved before the clock runs, drawn from; with choice=best the likeliest bid.

    A game that is too large for that, or with solve=false, is searched as far as the time allows.
    """
    from ...algorithms import SaddlePruning
    from ...players.searching import SearchPlayer, choice_of
    from ...players.solving import SolveFirst
    from ...players.timing import Adaptive

    plan = SolveFirst() if solve else None
    return SearchPlayer(SaddlePruning(), limits=limits, policy=Adaptive(), choice=choice_of(choice), endgame=plan)
