"""Once the players are apart: who can fill more of the own region."""

import math
from dataclasses import dataclass

from ...boards.bitboard import free_cells
from ...boards.fill_bounds import fillable_bound
from ...boards.flood import separated
from ...compiled import kernel
from ..linked import Linked
from .voronoi import Voronoi


@dataclass(frozen=True)
class Endgame(Linked):
    """Separated: the difference of the bounds of fillable space; else what `inner` says.

    The bound knows articulation points and checkerboard colours (see `fillable_bound`), so it is near the truth, and
    the default link is sharp.
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
    def settled(self, game, state):
        """Whether no cell can be reached by both players."""
        free = free_cells(game.grid, game.walls(state))
        return separated(game.grid, game.head(state, 0), game.head(state, 1), free)

    @kernel
    def fill_lead(self, game, state):
        """The difference of the upper bounds of fillable cells."""
        free = free_cells(game.grid, game.walls(state))
        mine = fillable_bound(game.grid, game.head(state, 0), free)
        return float(mine - fillable_bound(game.grid, game.head(state, 1), free))

    @kernel
    def raw(self, game, state):
        """The difference in fillable cells; the inner evaluator's raw number while the players are in touch."""
        if self.settled(game, state):
            return self.fill_lead(game, state)
        return self.inner.raw(game, state)

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions by its own link."""
        if self.scale == 0.0:
            return self.raw(game, state)
        if self.settled(game, state):
            return math.tanh(self.fill_lead(game, state) / self.scale)
        return self.inner.evaluate(game, state)
