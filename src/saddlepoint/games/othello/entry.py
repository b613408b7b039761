"""What Othello brings besides its rules: its named players first."""

from typing import TYPE_CHECKING

from ...description import Description
from ...players.levels import SAMPLING
from ...players.named import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

PLAYERS = Players("othello")


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large principal variation search, transposition table, history",
    evaluator="mobility: placements, corners, stable discs, cells next to empty corners",
    summary="perfect where the board is solved before its clock runs; else behind nobody in the games played so far: docs/strength.md",
)
def othello_best(game: "Game", limits: "Limits | None", solve: bool = True) -> "Player":
    """The solved game; a board that is too large for that, or with solve=false, is searched as far as the time allows."""
    from ...algorithms import PrincipalVariation
    from ...players.solving import solved_or_searched
    from .mobility import Mobility

    return solved_or_searched(PrincipalVariation(Mobility()), limits, solve)


GAME = Description(players=PLAYERS, levels=SAMPLING, evaluators=("mobility:Mobility",))
