"""Once the players are apart: won where the shortest I can live is longer than the longest you can."""

import math
from dataclasses import dataclass

from ...boards.bitboard import free_cells
from ...boards.fill_bounds import fillable_bound, greedy_fill
from ...boards.flood import separated
from ...boards.scratch import scratch
from ...compiled import kernel
from ..linked import Linked
from .voronoi import Voronoi


@dataclass(frozen=True)
class Separated(Linked):
    """Separated: +1 or -1 where bounds prove it, else by the middle of the bounds; in touch: what `inner` says.

    A rider's steps lie between those of a greedy walk and `fillable_bound`. Where both make the same number, the game
    is a draw if they move at once, and lost for who moves next in a game of turns. A limit of rounds is not considered.
    """

    scale: float = 3.0
    inner: Linked = Voronoi()

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return max(1024.0, getattr(self.inner, "largest_raw", 0.0))

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return max(1.0, getattr(self.inner, "bound", 1.0)) if self.scale else self.largest_raw

    @kernel
    def margins(self, game, state):
        """(least, most) steps that player 0 outlives player 1 by; in turns, who moves next has half a step less."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head0, head1 = game.head(state, 0), game.head(state, 1)
        player = game.current_player(state)
        tempo = -0.5 if player == 0 else 0.5 if player == 1 else 0.0
        path = scratch(grid, 1)
        least = greedy_fill(grid, head0, free, path) - fillable_bound(grid, head1, free)
        most = fillable_bound(grid, head0, free) - greedy_fill(grid, head1, free, path)
        return least + tempo, most + tempo

    @kernel
    def apart(self, game, state):
        """Whether no cell can be reached by both players."""
        free = free_cells(game.grid, game.walls(state))
        return separated(game.grid, game.head(state, 0), game.head(state, 1), free)

    @kernel
    def settled(self, game, state):
        """Whether the result is proven."""
        if not self.apart(game, state):
            return False
        least, most = self.margins(game, state)
        return least > 0.0 or most < 0.0 or least == most

    @kernel
    def raw(self, game, state):
        """The middle of the margins, in steps; the inner evaluator's raw number while the players are in touch."""
        if not self.apart(game, state):
            return self.inner.raw(game, state)
        least, most = self.margins(game, state)
        return 0.5 * (least + most)

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        if self.scale == 0.0:
            return self.raw(game, state)
        if not self.apart(game, state):
            return self.inner.evaluate(game, state)
        least, most = self.margins(game, state)
        if least > 0.0:
            return 1.0
        if most < 0.0:
            return -1.0
        return math.tanh(0.5 * (least + most) / self.scale)
