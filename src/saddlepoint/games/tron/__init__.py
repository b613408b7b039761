"""Tron, and what it brings besides its rules: its `best`, and the solver that finds its value alone."""

from .. import interface

PLAYERS = interface.Players("tron")


@PLAYERS.named(
    "best",
    algorithm="the solved game, actions drawn from the equilibrium; where that is too large serialised alpha-beta: null windows, "
    "fractional plies, futility pruning, transposition table, killers, history; the longest path when separated",
    evaluator="prospects: a network over territories, chambers and head positions, fitted to Light Riders; fill bounds when separated",
    summary="cannot be exploited where the game is solved before its clock runs; on larger fields it commits first, expects the other to "
    "know its move, and was by games ahead of the equilibrium searches (docs/measurements.md)",
)
def tron_best(game, limits, choice: str = "mixture", solve: bool = True):
    """A player that solves the whole game before its clock runs, and draws from the equilibrium.

    With choice=best it plays the most probable move.

    A field that is too large for that, or with solve=false, is searched as Light Riders is, whose rules differ in little.
    """
    search, rest = interface.trails_search(), interface.FillRoom()
    return interface.solved_or_searched(search, limits, solve, choice, rest, always=True)


GAME = interface.Description(players=PLAYERS, solve="command:SOLVER")

__getattr__, __dir__ = interface.attach(__name__, __file__)
