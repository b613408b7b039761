"""Where the players are separated: won if the own lower bound of moves exceeds the opponent's upper bound."""

import math
from dataclasses import dataclass

from ...boards.fill_bounds import fillable_bound, greedy_fill
from ...boards.scratch import scratch
from ...compiled import kernel
from .endgame import Endgame


@dataclass(frozen=True)
class Separated(Endgame):
    """A provable-separation evaluator. Separated: +1 or -1 where bounds prove it, else by the middle of the bounds.

    Not separated: the value of `inner`.

    A rider's steps lie between those of a greedy walk and `fillable_bound`. Where both make the same number, the game
    is a draw if they move at once, and in a turn-based game lost for the player who moves next. A limit of rounds is not
    considered.
    """

    @kernel
    def margins(self, game, state):
        """(least, most) steps that player 0 outlives player 1 by; in turn-based games half a step less for who moves next."""
        grid = game.grid
        free = self.free(game, state)
        head0, head1 = game.head(state, 0), game.head(state, 1)
        player = game.current_player(state)
        tempo = -0.5 if player == 0 else 0.5 if player == 1 else 0.0
        path = scratch(grid, 1)
        least = greedy_fill(grid, head0, free, path) - fillable_bound(grid, head1, free)
        most = fillable_bound(grid, head0, free) - greedy_fill(grid, head1, free, path)
        return least + tempo, most + tempo

    @kernel
    def is_decided(self, game, state):
        """Whether the result is proven."""
        if not self.separated(game, state):
            return False
        least, most = self.margins(game, state)
        return least > 0.0 or most < 0.0 or least == most

    @kernel
    def separated_lead(self, game, state):
        """The middle of the margins, in steps."""
        least, most = self.margins(game, state)
        return 0.5 * (least + most)

    @kernel
    def separated_value(self, game, state):
        """Player 0's expected result where separated."""
        least, most = self.margins(game, state)
        if least > 0.0:
            return 1.0
        if most < 0.0:
            return -1.0
        return math.tanh(0.5 * (least + most) / self.scale)
