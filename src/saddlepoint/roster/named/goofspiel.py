"""The named players of Goofspiel."""

from ...algorithms import Limits, SaddlePruning
from ...game import Game
from ...players.base import Player
from ...players.searching import SearchPlayer, choice_of
from ...players.timing import Adaptive
from ..entry import Players

PLAYERS = Players("goofspiel")


@PLAYERS.named(
    "best",
    algorithm="saddle pruning, iterative deepening, table; cards drawn from the equilibrium",
    evaluator="none: a draw, or the nearest that the points won and left allow",
    summary="exact where the game can be searched out; nobody gains by knowing how it plays",
)
def goofspiel_best(game: Game, limits: Limits | None, choice: str = "mixture") -> Player:
    """The strongest Goofspiel player here: the equilibrium of as many rounds as the time allows, drawn from.

    With choice=best it plays the likeliest card instead, which can be learnt.
    """
    return SearchPlayer(SaddlePruning(), limits=limits, policy=Adaptive(), choice=choice_of(choice))
