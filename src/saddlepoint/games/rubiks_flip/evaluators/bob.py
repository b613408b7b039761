"""Bob's view of Rubik's Flip: results, and locked pairs on the way to a row."""

from dataclasses import dataclass

from ....boards.square16 import enclosed, has_pair
from ....compiled import kernel
from ....game import TERMINAL
from .ace import Ace


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
        """What a position, finished or not, is worth to the player who searches."""
        if game.current_player(state) == TERMINAL:
            return self.result_for(game, state, player)
        locked = enclosed(state.tiles0 | state.tiles1)
        value = 0.0
        for owner in range(2):
            tiles = (state.tiles0 if owner == 0 else state.tiles1) & locked
            if has_pair(tiles & state.turned) or has_pair(tiles & ~state.turned):
                value += float(self.pair) if owner == player else -float(self.pair)
        return value
