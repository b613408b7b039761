"""Ace's view of Rubik's Flip: nothing but results, and a draw nearly as good as a win."""

from dataclasses import dataclass

from ....compiled import Component, kernel
from ....game import TERMINAL


@dataclass(frozen=True)
class Ace(Component):
    """A win is worth `win`, a loss the negative, a draw `draw`, everything else 0: from the view of either player.

    A draw pleases both players' searches, so one player's view is not the negative of the other's: negamax may not be
    used with it. Of any game whose results are above, at and below 0.
    """

    win: float = 10.0
    draw: float = 7.0

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return max(abs(self.win), abs(self.draw))

    @kernel
    def evaluate_for(self, game, state, player):
        """What a position, finished or not, is worth to the player who searches."""
        return self.result_for(game, state, player) if game.current_player(state) == TERMINAL else 0.0

    @kernel
    def result_for(self, game, state, player):
        """What a finished game is worth to the player."""
        result = game.returns(state) if player == 0 else -game.returns(state)
        if result > 0.0:
            return float(self.win)
        if result < 0.0:
            return -float(self.win)
        return float(self.draw)
