"""Evaluators of Rubik's Flip: those of two published players."""

from dataclasses import dataclass

from ..interface import TERMINAL, Component, kernel
from .patterns import enclosed, has_pair


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
        """The value of a position, finished or not, for the searching player."""
        return self.result_for(game, state, player) if game.current_player(state) == TERMINAL else 0.0

    @kernel
    def result_for(self, game, state, player):
        """The value of a finished game for the player."""
        result = game.returns(state) if player == 0 else -game.returns(state)
        return float(self.win if result > 0.0 else -self.win if result < 0.0 else self.draw)


@dataclass(frozen=True)
class Bob(Ace):
    """As Ace, but a draw is worth 2, and before the end an own pair `pair`, the opponent's the negative, both 0.

    A pair: two adjacent tiles of one owner that show the same face, both locked, on a line of three squares (so not one
    of the four diagonal pairs that cut a corner).
    """

    draw: float = 2.0
    pair: float = 3.0

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return max(abs(self.win), abs(self.draw), abs(self.pair))

    @kernel
    def evaluate_for(self, game, state, player):
        """The value of a position, finished or not, for the searching player."""
        if game.current_player(state) == TERMINAL:
            return self.result_for(game, state, player)
        locked = enclosed(state.tiles0 | state.tiles1)
        value = 0.0
        for owner in range(2):
            tiles = (state.tiles0 if owner == 0 else state.tiles1) & locked
            if has_pair(tiles & state.turned) or has_pair(tiles & ~state.turned):
                value += float(self.pair) if owner == player else -float(self.pair)
        return value
