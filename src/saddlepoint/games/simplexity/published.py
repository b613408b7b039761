"""How published players of Simplexity search, where they differ from the usual."""

from dataclasses import dataclass

from ...compiled import kernel
from ...players.published import Manner

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
