"""The `best` players of the literature's games: exact where the game is solved before its clock runs, or the search reaches the end."""

from typing import TYPE_CHECKING

from ..entry import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

_EQUILIBRIUM = "the solved game; where that is too large saddle pruning, transposition table; actions drawn from the equilibrium"
_EXACT = "cannot be exploited where the game is solved before its clock runs; else exact where the search reaches the end"

TRON, PURSUIT_EVASION, BIASED_RPS, RANDOM_GAME = (Players(game) for game in ("tron", "pursuit_evasion", "biased_rps", "random_game"))


@TRON.named(
    "best",
    algorithm="the solved game, actions drawn from the equilibrium; where that is too large the serialised alpha-beta of Light Riders' "
    "best, the longest path when separated",
    evaluator="prospects: a network over territories, chambers and head positions, fitted to Light Riders; fill bounds when separated",
    summary="cannot be exploited where the game is solved before its clock runs; on larger fields it commits first, expects the other to "
    "know its move, and was by games ahead of the equilibrium searches (docs/strength.md)",
)
def tron_best(game: "Game", limits: "Limits | None", choice: str = "mixture", solve: bool = True) -> "Player":
    """An equilibrium of the whole game, solved before the clock runs, drawn from; with choice=best the likeliest move.

    A field that is too large for that, or with solve=false, is searched as Light Riders is, whose rules differ in little.
    """
    from ...players.filling import FillRoom
    from ...players.searching import InOrder, SearchPlayer, choice_of
    from ...players.solving import SolveFirst
    from ...players.timing import Adaptive
    from .light_riders import best_search

    plan = InOrder(SolveFirst(), FillRoom()) if solve else FillRoom()
    return SearchPlayer(best_search(), limits=limits, policy=Adaptive(), choice=choice_of(choice), endgame=plan)


@PURSUIT_EVASION.named("best", algorithm=_EQUILIBRIUM, summary=_EXACT)
@BIASED_RPS.named("best", algorithm=_EQUILIBRIUM, summary="exact: the equilibrium's hand, drawn")
@RANDOM_GAME.named("best", algorithm=_EQUILIBRIUM, summary=_EXACT)
def equilibrium_best(game: "Game", limits: "Limits | None", choice: str = "mixture", solve: bool = True) -> "Player":
    """An equilibrium of the whole game, solved before the clock runs, drawn from; with choice=best the likeliest action.

    A game that is too large for that, or with solve=false, is searched as far as the time allows.
    """
    from ...algorithms import SaddlePruning
    from ...players.searching import SearchPlayer, choice_of
    from ...players.solving import SolveFirst
    from ...players.timing import Adaptive

    plan = SolveFirst() if solve else None
    return SearchPlayer(SaddlePruning(), limits=limits, policy=Adaptive(), choice=choice_of(choice), endgame=plan)


PLAYERS = (*TRON, *PURSUIT_EVASION, *BIASED_RPS, *RANDOM_GAME)
