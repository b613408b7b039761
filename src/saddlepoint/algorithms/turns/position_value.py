"""The value of finished and unfinished positions to a search: by the game's results, or in the root player's own view."""

from dataclasses import dataclass
from typing import Any

from ...compiled import Component, jit_inline, kernel
from ..discounting import note_result


@dataclass(frozen=True)
class ResultValue(Component):
    """Ended games by their results, others by the evaluator's `evaluate(game, state)`; both are player 0's."""

    evaluator: Any

    @kernel
    def end(self, game, state, root):
        """The value of a finished game."""
        return float(game.returns(state))

    @kernel
    def estimate(self, game, state, root):
        """The value of an unfinished game."""
        return float(self.evaluator.evaluate(game, state))


@dataclass(frozen=True)
class RootPlayerValue(Component):
    """All positions, finished ones too, by the evaluator's `evaluate_for(game, state, player)` for the root's player.

    The two players' views need not be each other's negatives (a draw may please both), so nothing but the minimax form
    fits: the root's player maximises its view, the other minimises it.
    """

    evaluator: Any

    @kernel
    def end(self, game, state, root):
        """The value of a finished game, turned to player 0's side."""
        value = float(self.evaluator.evaluate_for(game, state, root))
        return value if root == 0 else -value

    @kernel
    def estimate(self, game, state, root):
        """The value of an unfinished game, turned to player 0's side."""
        value = float(self.evaluator.evaluate_for(game, state, root))
        return value if root == 0 else -value


@jit_inline
def static_bounds(game, state, ws):
    """The game's bounds of a value that loses a little with every move to come."""
    floor, ceiling = game.bounds(state)
    note_result(floor, ws)
    note_result(ceiling, ws)
    return (floor if floor < 0.0 else floor * ws.shrunk), (ceiling if ceiling > 0.0 else ceiling * ws.shrunk)
