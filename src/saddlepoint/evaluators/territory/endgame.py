"""Where the players are separated: who can fill more of the own region."""

import math
from dataclasses import dataclass

from ...boards.fill_bounds import fillable_bound
from ...compiled import kernel
from ..squashed import Squashed
from .territorial import Territorial
from .voronoi import Voronoi


@dataclass(frozen=True)
class Endgame(Territorial):
    """A fill-bound evaluator. Separated: the difference of the upper bounds of fillable cells; else the value of `inner`.

    The bound takes articulation points and checkerboard colours into account (see `fillable_bound`). It is tight, so
    the default squashing function is steep.
    """

    scale: float = 3.0
    inner: Squashed = Voronoi()

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return max(1024.0, getattr(self.inner, "largest_raw", 0.0))

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return max(1.0, getattr(self.inner, "bound", 1.0)) if self.scale else self.largest_raw

    @kernel
    def separated_lead(self, game, state):
        """Player 0's lead where separated: the difference of the upper bounds of fillable cells."""
        free = self.free(game, state)
        mine = fillable_bound(game.grid, game.head(state, 0), free)
        return float(mine - fillable_bound(game.grid, game.head(state, 1), free))

    @kernel
    def separated_value(self, game, state):
        """Player 0's expected result where separated."""
        return math.tanh(self.separated_lead(game, state) / self.scale)

    @kernel
    def raw(self, game, state):
        """The lead where separated; the inner evaluator's raw number elsewhere."""
        return self.separated_lead(game, state) if self.separated(game, state) else self.inner.raw(game, state)

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions with its own squashing function."""
        if self.scale == 0.0:
            return self.raw(game, state)
        return self.separated_value(game, state) if self.separated(game, state) else self.inner.evaluate(game, state)
