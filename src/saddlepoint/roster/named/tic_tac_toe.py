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
    algorithm="principal variation search to the end, transposition table, history",
    evaluator="none",
    summary="perfect: it never loses, and wins where it can",
)
def tic_tac_toe_best(game: "Game", limits: "Limits | None") -> "Player":
    """Perfect play, by search: the whole game takes milliseconds."""
    from ...algorithms import PrincipalVariation
    from ...players.searching import SearchPlayer

    return SearchPlayer(PrincipalVariation(), limits=limits)
