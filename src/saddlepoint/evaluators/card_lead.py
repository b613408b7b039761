"""Goofspiel: the points so far, and of those to come a share by the cards in hand."""

import math
from dataclasses import dataclass

from ..compiled import Component, kernel


@dataclass(frozen=True)
class CardLead(Component):
    """The lead to be expected at the end: what is won, and of the prizes left what the better hand should win of them.

    A hand that sums to a share s of both hands' cards is expected to win `sharpness` times (2 s - 1) of the points left.
    Where the game is won or lost, the lead goes through tanh with the root of the sum of squares of the prizes left,
    times `scale`, as the spread of what is still to come.
    """

    sharpness: float = 2.0
    scale: float = 1.0

    @property
    def bound(self) -> float:
        """Nothing lies outside the range of results: searches keep estimates within a position's bounds."""
        return 0.0

    @kernel
    def raw(self, game, state):
        """The lead in points that is to be expected."""
        left, mine, theirs = self.points_left(game, state), 0, 0
        for card in range(game.cards):
            if state.hand0 >> card & 1:
                mine += card + game.lowest
            if state.hand1 >> card & 1:
                theirs += card + game.lowest
        both = mine + theirs
        share = (mine - theirs) / both if both > 0 else 0.0
        return state.points + left * max(-1.0, min(1.0, self.sharpness * share))

    @kernel
    def points_left(self, game, state):
        """The points that nobody has won yet."""
        left = 0
        for card in range(game.cards):
            if state.deck >> card & 1 or card == state.prize:
                left += card + game.lowest
        return left

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        lead = self.raw(game, state)
        if game.by_points:
            return float(lead)
        squares = 0.0
        for card in range(game.cards):
            if state.deck >> card & 1 or card == state.prize:
                squares += float((card + game.lowest) ** 2)
        return math.tanh(lead / (self.scale * math.sqrt(squares))) if squares > 0.0 else float(int(lead > 0) - int(lead < 0))
