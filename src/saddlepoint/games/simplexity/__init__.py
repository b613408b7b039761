"""Simplexity (ColorShapeLinks): connect four of a colour or of a shape; shape counts first.

What it brings besides its rules is here: its named players first.
"""

from .. import interface

PLAYERS = interface.Players("simplexity")


@PLAYERS.named(
    "aiden",
    origin="AIDEN, a Simplexity player",
    algorithm="negamax, alpha-beta, fixed depth (depth=4)",
    evaluator="broken runs, along the path",
    summary="columns from the middle, round before square; also its inexact cutoffs are reproduced",
)
def aiden(game, limits, depth: int = 4):
    """AIDEN: negamax with alpha-beta to a fixed depth; its heuristic is added along the path, not at the leaves.

    Kept as described: windows are passed on without regard to what the path has earned, so cut-offs are not exact. Its
    four plies take well under a millisecond here.
    """
    from .evaluators import AlongThePath, BrokenRuns

    return interface.PublishedPlayer(AlongThePath(BrokenRuns()), depth, limits=limits)


@PLAYERS.named(
    "minimax",
    origin="the ColorShapeLinks framework",
    algorithm="minimax, alpha-beta, fixed depth (depth=3)",
    evaluator="distance to the centre, for colour and for shape",
    summary="the example player of the framework",
)
def minimax(game, limits, depth: int = 3):
    """The ColorShapeLinks framework's own player: fixed-depth alpha-beta, nearness to the centre at the leaves."""
    from .evaluators import AtTheLeaves, CentreDistance

    return interface.PublishedPlayer(AtTheLeaves(CentreDistance()), depth, limits=limits)


@PLAYERS.named(
    "best",
    algorithm="forced wins and losses first; principal-variation search, iterative deepening, transposition table, history",
    evaluator="lines: open lines, playable now or later, parity of threats",
    summary="behind nobody in the games played so far: docs/measurements.md",
)
def simplexity_best(game, limits):
    """The player of Simplexity that scores best in games here."""
    from ... import PrincipalVariation
    from .evaluators import Lines
    from .forced import ForcedFirst

    return interface.SearchPlayer(
        PrincipalVariation(Lines()), limits=limits, policy=interface.Adaptive(), plans=[ForcedFirst()]
    )


GAME = interface.Description(
    players=PLAYERS,
    levels=(
        interface.Level("gentle", "minimax(depth=1)", nodes=10_000),
        interface.Level("club", "minimax", nodes=10_000),
        interface.Level("strong", "best", nodes=10_000),
    ),
    evaluators=("evaluators:Lines", "evaluators:CentreDistance", "evaluators:BrokenRuns"),
    protocols=(
        interface.Protocol(
            "csl",
            f"{__package__}",
            "simplexity",
            title="csl 1 of ColorShapeLinks",
            bot="csl_server:run_pipe",
            serve="csl_server:run_tcp",
            quiet=True,
        ),
    ),
    solve="command:SOLVER",
)

__getattr__, __dir__ = interface.attach(__name__, __file__)
