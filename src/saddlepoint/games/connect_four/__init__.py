"""Connect Four, and what it brings besides its rules: its named players first."""

from .. import interface

PLAYERS = interface.Players("connect_four")


@PLAYERS.named(
    "best",
    algorithm="the solved game; where that is too large principal variation search, transposition table, history; a proof of its column",
    evaluator="on the usual board a network that `saddlepoint fit` made; else threats: open lines, cells that complete one, their rows",
    summary="perfect where the board is solved before its clock runs, nearly so from 12 discs on: docs/best.md",
)
def connect_four_best(game, limits, solve: bool = True):
    """The solved game; a board that is too large for that, or with solve=false, is searched as far as the time allows."""
    from ... import PrincipalVariation
    from .evaluators import ConnectFourNetwork, Threats
    from .proofs import ProveResult

    search = interface.first_that_takes(
        game, *map(PrincipalVariation, (ConnectFourNetwork(), Threats(), None))
    )
    return interface.solved_or_searched(search, limits, solve, rest=ProveResult())


GAME = interface.Description(
    players=PLAYERS,
    levels=interface.SAMPLING,
    evaluators=("evaluators:Threats", "evaluators:ConnectFourNetwork"),
    replay_formats=("game:EPISODE",),
)

__getattr__, __dir__ = interface.attach(__name__, __file__)
