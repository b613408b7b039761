"""What Tron brings besides its rules: its `best`, and the solver that finds its value alone."""

from typing import TYPE_CHECKING

from ...description import Description
from ...players.named import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

PLAYERS = Players("tron")


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large saddle pruning, transposition table; actions drawn from the equilibrium",
    evaluator="voronoi: who is first at how many cells",
    summary="cannot be exploited where the game is solved before its clock runs; else exact where the search reaches the end",
)
def tron_best(game: "Game", limits: "Limits | None", choice: str = "mixture", solve: bool = True) -> "Player":
    """An equilibrium of the whole game, solved before the clock runs, drawn from; with choice=best the likeliest move.

    A field that is too large for that, or with solve=false, is searched as far as the time allows.
    """
    from ...algorithms import SaddlePruning
    from ...evaluators import Voronoi
    from ...players.searching import SearchPlayer, choice_of
    from ...players.solving import SolveFirst
    from ...players.timing import Adaptive

    plan = SolveFirst() if solve else None
    return SearchPlayer(SaddlePruning(Voronoi()), limits=limits, policy=Adaptive(), choice=choice_of(choice), endgame=plan)


GAME = Description(players=PLAYERS, solve="command:SOLVER")
