"""What Simplexity brings besides its rules: its named players first."""

from typing import TYPE_CHECKING

from ...description import Description
from ...players.levels import Level
from ...players.named import Players
from ...protocols.protocol import Protocol

if TYPE_CHECKING:  # a list of players is there before their searches are loaded
    from ...algorithms import Limits
    from ...game import Game
    from ...players.base import Player

PLAYERS = Players("simplexity")


@PLAYERS.named(
    "aiden",
    origin="AIDEN, a Simplexity player",
    algorithm="negamax, alpha-beta, fixed depth (depth=4)",
    evaluator="broken runs, along the path",
    summary="columns from the middle, round before square; also its inexact cutoffs are reproduced",
)
def aiden(game: "Game", limits: "Limits | None", depth: int = 4) -> "Player":
    """AIDEN: negamax with alpha-beta to a fixed depth; its heuristic is added along the path, not at the leaves.

    Kept as described: windows are passed on without regard to what the path has earned, so cut-offs are not exact. Its
    four plies take well under a millisecond here.
    """
    from ...players.published import PublishedPlayer
    from .evaluators.broken_runs import BrokenRuns
    from .published import AlongThePath

    return PublishedPlayer(AlongThePath(BrokenRuns()), depth, limits=limits)


@PLAYERS.named(
    "minimax",
    origin="the ColorShapeLinks framework",
    algorithm="minimax, alpha-beta, fixed depth (depth=3)",
    evaluator="distance to the centre, for colour and for shape",
    summary="the example player of the framework",
)
def minimax(game: "Game", limits: "Limits | None", depth: int = 3) -> "Player":
    """The ColorShapeLinks framework's own player: fixed-depth alpha-beta, nearness to the centre at the leaves."""
    from ...players.published import PublishedPlayer
    from .evaluators.centre_distance import CentreDistance
    from .published import AtTheLeaves

    return PublishedPlayer(AtTheLeaves(CentreDistance()), depth, limits=limits)


@PLAYERS.named(
    "best",
    algorithm="principal-variation search, iterative deepening, transposition table, history",
    evaluator="lines: open lines, playable now or later, parity of threats",
    summary="behind nobody in the games played so far: docs/strength.md",
)
def simplexity_best(game: "Game", limits: "Limits | None") -> "Player":
    """What plays best of Simplexity here, by games."""
    from ...algorithms import PrincipalVariation
    from ...players.searching import SearchPlayer
    from ...players.timing import Adaptive
    from .evaluators.lines import Lines

    return SearchPlayer(PrincipalVariation(Lines()), limits=limits, policy=Adaptive())


GAME = Description(
    players=PLAYERS,
    levels=(
        Level("gentle", "minimax(depth=1)", nodes=10_000), Level("club", "minimax", nodes=10_000), Level("strong", "best", nodes=10_000),
    ),
    evaluators=("evaluators.lines:Lines", "evaluators.centre_distance:CentreDistance", "evaluators.broken_runs:BrokenRuns"),
    protocols=(
        Protocol(
            "csl", f"{__package__}.protocol", "simplexity", title="csl 1 of ColorShapeLinks", bot="server:run_pipe",
            serve="server:run_tcp", quiet=True,
        ),
    ),
    solve="command:SOLVER",
)  # fmt: skip
