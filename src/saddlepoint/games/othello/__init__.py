"""Othello, and what it brings besides its rules: its named players first."""

from .. import interface

PLAYERS = interface.Players("othello")


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large principal variation search, transposition table, history",
    evaluator="on 8x8 a network that `saddlepoint fit` made; else mobility: placements, corners, stable discs, cells next to empty corners",
    summary="perfect where the board is solved before its clock runs; the network scored 80 % against mobility: docs/measurements.md",
)
def othello_best(game, limits, solve: bool = True):
    """The solved game; a board that is too large for that, or with solve=false, is searched as far as the time allows."""
    from ... import PrincipalVariation
    from .evaluators import Mobility, OthelloNetwork

    search = interface.first_that_takes(
        game, PrincipalVariation(OthelloNetwork()), PrincipalVariation(Mobility())
    )
    return interface.solved_or_searched(search, limits, solve)


GAME = interface.Description(
    players=PLAYERS,
    levels=interface.SAMPLING,
    evaluators=("evaluators:Mobility", "evaluators:OthelloNetwork"),
    replay_formats=("game:EPISODE",),
)

__getattr__, __dir__ = interface.attach(__name__, __file__)
