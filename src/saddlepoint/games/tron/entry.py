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
    algorithm="the solved game, actions drawn from the equilibrium; where that is too large serialised alpha-beta: null windows, "
    "fractional plies, futility pruning, transposition table, killers, history; the longest path when separated",
    evaluator="prospects: a network over territories, chambers and head positions, fitted to Light Riders; fill bounds when separated",
    summary="cannot be exploited where the game is solved before its clock runs; on larger fields it commits first, expects the other to "
    "know its move, and was by games ahead of the equilibrium searches (docs/strength.md)",
)
def tron_best(game: "Game", limits: "Limits | None", choice: str = "mixture", solve: bool = True) -> "Player":
    """An equilibrium of the whole game, solved before the clock runs, drawn from; with choice=best the likeliest move.

    A field that is too large for that, or with solve=false, is searched as Light Riders is, whose rules differ in little.
    """
    from ...players.filling import FillRoom, trails_search
    from ...players.searching import InOrder, SearchPlayer, choice_of
    from ...players.solving import SolveFirst
    from ...players.timing import Adaptive

    plan = InOrder(SolveFirst(), FillRoom()) if solve else FillRoom()
    return SearchPlayer(trails_search(), limits=limits, policy=Adaptive(), choice=choice_of(choice), endgame=plan)


GAME = Description(players=PLAYERS, solve="command:SOLVER")
