"""The `best` players of the literature's games that have no evaluator, or one of territory: exact where the search reaches the end."""

from typing import TYPE_CHECKING

from ..entry import Players

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

_EQUILIBRIUM = "saddle pruning, iterative deepening, transposition table; actions sampled from the equilibrium"
_EXACT = "exact where the search reaches the end; its mixed strategy cannot be exploited there"
_TURNS = "principal variation search, transposition table, history"

TRON, PURSUIT_EVASION, BIASED_RPS, RANDOM_GAME = (Players(game) for game in ("tron", "pursuit_evasion", "biased_rps", "random_game"))
CONNECT_FOUR, OTHELLO = Players("connect_four"), Players("othello")


@TRON.named("best", algorithm=_EQUILIBRIUM, evaluator="voronoi: who is first at how many cells", summary=_EXACT)
def tron_best(game: "Game", limits: "Limits | None", choice: str = "mixture") -> "Player":
    """The equilibrium of as many moves as the time allows, drawn from; with choice=best the likeliest move."""
    from ...algorithms import SaddlePruning
    from ...evaluators import Voronoi
    from ...players.searching import SearchPlayer, choice_of
    from ...players.timing import Adaptive

    return SearchPlayer(SaddlePruning(Voronoi()), limits=limits, policy=Adaptive(), choice=choice_of(choice))


@PURSUIT_EVASION.named("best", algorithm=_EQUILIBRIUM, summary=_EXACT)
@BIASED_RPS.named("best", algorithm=_EQUILIBRIUM, summary="exact: the equilibrium's hand, drawn")
@RANDOM_GAME.named("best", algorithm=_EQUILIBRIUM, summary=_EXACT)
def equilibrium_best(game: "Game", limits: "Limits | None", choice: str = "mixture") -> "Player":
    """The equilibrium of as many moves as the time allows, drawn from; with choice=best the likeliest action."""
    from ...algorithms import SaddlePruning
    from ...players.searching import SearchPlayer, choice_of
    from ...players.timing import Adaptive

    return SearchPlayer(SaddlePruning(), limits=limits, policy=Adaptive(), choice=choice_of(choice))


@CONNECT_FOUR.named("best", algorithm=_TURNS, summary="exact where the search reaches the end; a draw beyond")
@OTHELLO.named("best", algorithm=_TURNS, summary="exact where the search reaches the end; it knows nothing of what is beyond")
def turns_best(game: "Game", limits: "Limits | None") -> "Player":
    """As many moves ahead as the time allows, without an evaluator."""
    from ...algorithms import PrincipalVariation
    from ...players.searching import SearchPlayer

    return SearchPlayer(PrincipalVariation(), limits=limits)


PLAYERS = (*TRON, *PURSUIT_EVASION, *BIASED_RPS, *RANDOM_GAME, *CONNECT_FOUR, *OTHELLO)
