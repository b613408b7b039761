"""The named players of tic-tac-toe."""

from typing import TYPE_CHECKING

from ..entry import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

PLAYERS = Players("tic_tac_toe")


@PLAYERS.named(
    "best",
    algorithm="the solved game; with solve=false principal variation search, transposition table, history",
    evaluator="none",
    summary="perfect: it never loses, and wins where it can",
)
def tic_tac_toe_best(game: "Game", limits: "Limits | None", solve: bool = True) -> "Player":
    """Perfect play: the whole game is solved in milliseconds."""
    from ...algorithms import PrincipalVariation
    from ...players.searching import SearchPlayer
    from ...players.solving import SolveFirst

    return SearchPlayer(PrincipalVariation(), limits=limits, endgame=SolveFirst() if solve else None)
