"""The named players of Simplexity."""

from dataclasses import dataclass

from ...algorithms import Limits, PrincipalVariation
from ...compiled import kernel
from ...game import Game
from ...players.base import Player
from ...players.published import Manner, PublishedPlayer
from ...players.searching import SearchPlayer
from ...players.timing import Adaptive
from ..entry import Players

_WIN = 1e9
"""More than any heuristic adds up to."""


@dataclass(frozen=True)
class AlongThePath(Manner):
    """AIDEN: columns from the middle, round first; the heuristic of every child is added to the move that leads there."""

    @kernel
    def actions(self, game, state, player, out):
        return game.round_first_actions(state, player, out)

    @kernel
    def end(self, game, state, root):
        return _WIN * (game.returns(state) if root == 0 else -game.returns(state))

    @kernel
    def leaf(self, game, state, root):
        return 0.0

    @kernel
    def step(self, game, child, depth):
        return self.evaluator.along_path(game, child, depth)


@dataclass(frozen=True)
class AtTheLeaves(Manner):
    """The framework's minimax: a win beats every heuristic, a draw is 0, leaves by the evaluator's raw number."""

    @kernel
    def end(self, game, state, root):
        return _WIN * (game.returns(state) if root == 0 else -game.returns(state))

    @kernel
    def leaf(self, game, state, root):
        value = self.evaluator.raw(game, state)
        return value if root == 0 else -value


PLAYERS = Players("simplexity")


@PLAYERS.named(
    "aiden",
    origin="AIDEN, a Simplexity player",
    algorithm="negamax, alpha-beta, fixed depth (depth=4)",
    evaluator="broken runs, along the path",
    summary="columns from the middle, round before square; also its inexact cutoffs are reproduced",
)
def aiden(game: Game, limits: Limits | None, depth: int = 4) -> Player:
    """AIDEN: negamax with alpha-beta to a fixed depth; its heuristic is added along the path, not at the leaves.

    Kept as described: windows are passed on without regard to what the path has earned, so cut-offs are not exact. Its
    four plies take well under a millisecond here.
    """
    from ...evaluators import BrokenRuns

    return PublishedPlayer(AlongThePath(BrokenRuns()), depth, limits=limits)


@PLAYERS.named(
    "minimax",
    origin="the ColorShapeLinks framework",
    algorithm="minimax, alpha-beta, fixed depth (depth=3)",
    evaluator="distance to the centre, for colour and for shape",
    summary="the example player of the framework",
)
def minimax(game: Game, limits: Limits | None, depth: int = 3) -> Player:
    """The ColorShapeLinks framework's own player: fixed-depth alpha-beta, nearness to the centre at the leaves."""
    from ...evaluators import CentreDistance

    return PublishedPlayer(AtTheLeaves(CentreDistance()), depth, limits=limits)


@PLAYERS.named(
    "best",
    algorithm="principal-variation search, iterative deepening, transposition table, history",
    evaluator="lines: open lines, playable now or later, parity of threats",
    summary="our strongest player",
)
def simplexity_best(game: Game, limits: Limits | None) -> Player:
    """The strongest Simplexity player here."""
    from ...evaluators import Lines

    return SearchPlayer(PrincipalVariation(Lines()), limits=limits, policy=Adaptive())
