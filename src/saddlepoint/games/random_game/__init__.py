"""Random games, and what they bring besides their rules: their named players first."""

from .. import interface

PLAYERS = interface.Players("random_game")


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large saddle pruning, transposition table, and the last rounds solved while the clock "
    "runs; actions drawn from the mixture",
    evaluator="sums: what the path is worth so far",
    summary="cannot be exploited where the game is solved before its clock runs; expects errors beyond: docs/decisions.md",
)
def random_game_best(game, limits, choice: str = "mixture", solve: bool = True, tremble: float = 0.5):
    """An equilibrium of the whole game, solved before the clock runs, drawn from.

    A game that is too large for that is searched as far as the time allows, and its last rounds are solved; with solve=false it always
    searches. There it takes the other's next action to be any action alike with the probability `tremble`, and so gets more where the
    other errs; 0 is the equilibrium.
    """
    from ... import SaddlePruning
    from .game import Sums

    return interface.solved_or_searched(
        SaddlePruning(Sums(), tremble=tremble), limits, solve, choice, interface.SolveRest(tremble)
    )


GAME = interface.Description(players=PLAYERS, evaluators=("game:Sums",))

__getattr__, __dir__ = interface.attach(__name__, __file__)
