"""The evaluator of the strongest Light Riders player: chambers, shape and place; fill bounds once separated."""

import math
from dataclasses import dataclass

from ..boards.bitboard import count, free_cells, neighbours, single
from ..boards.chambers import best_way
from ..boards.fill_bounds import fillable_bound
from ..boards.flood import separated, voronoi
from ..boards.regions import choke_points, narrow_cells, open_cells
from ..compiled import jit_inline, kernel
from .linked import Linked, ties_by_turn

_CHAMBERS = 0.0312
_CELLS = 0.062, -0.138, 0.0
_OPEN = 0.0, 0.12, -0.0465
_NARROW = -0.018, -0.325, 0.4325
_OFF_CENTRE = -0.09, 0.393, -0.514


@jit_inline
def _at(weights, share):
    """A weight while that share of the field is free: constant, linear and square term."""
    return weights[0] + share * (weights[1] + share * weights[2])


@dataclass(frozen=True)
class Prospects(Linked):
    """What is likely to become of a position.

    Separated: the difference of the bounds of what each can fill; it has the right sign nearly always, so a lead d is
    worth d / (|d| + `fill_doubt`).

    In touch: own less the opponent's of the best way through the chambers, counted in cells as in `Chambers`, and with
    `shape` of the territory's cells, of those with four free neighbours, of those with at most two, and of the steps
    from the head to the middle of the field. What each weighs depends on the share s of the field that is free: the
    chambers 0.0312 / s^2, because the same lead says more the less is left, the others a polynomial of s each. The sum
    is about the logarithm of the odds of winning; `scale` 2 would make it the expected result.

    The weights were fitted to the results of 1,340 games between strong players on 16x16.
    """

    scale: float = 1.6
    shape: bool = True
    fill_doubt: float = 0.1

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return 0.04 * 1024.0**2

    @kernel
    def settled(self, game, state):
        """Whether no cell can be reached by both players."""
        free = free_cells(game.grid, game.walls(state))
        return separated(game.grid, game.head(state, 0), game.head(state, 1), free)

    @kernel
    def raw(self, game, state):
        """The difference in fillable cells where separated; else of chambers, shape and place."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head0, head1 = game.head(state, 0), game.head(state, 1)
        found = voronoi(grid, head0, head1, free, ties_by_turn(game, state))
        if not found.touching:
            return self.fill_lead(grid, head0, head1, found.territory0, found.territory1)
        return self.lead_in_touch(grid, head0, head1, found.territory0, found.territory1, found.contested, free)

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions by its own link."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head0, head1 = game.head(state, 0), game.head(state, 1)
        found = voronoi(grid, head0, head1, free, ties_by_turn(game, state))
        if not found.touching:
            lead = self.fill_lead(grid, head0, head1, found.territory0, found.territory1)
            return lead / (abs(lead) + self.fill_doubt) if self.scale > 0.0 else lead
        lead = self.lead_in_touch(grid, head0, head1, found.territory0, found.territory1, found.contested, free)
        return math.tanh(lead / self.scale) if self.scale > 0.0 else lead

    @kernel
    def fill_lead(self, grid, head0, head1, own0, own1):
        """The difference of the upper bounds of fillable cells."""
        return float(fillable_bound(grid, head0, own0) - fillable_bound(grid, head1, own1))

    @kernel
    def lead_in_touch(self, grid, head0, head1, own0, own1, contested, free):
        """The difference of two territories in touch, about the logarithm of the odds."""
        share = count(free) / float(grid.width * grid.height)
        front0 = own0 & neighbours(grid, own1 | contested | single(grid, head1))
        front1 = own1 & neighbours(grid, own0 | contested | single(grid, head0))
        chokes = choke_points(grid, own0 | own1, free)
        ways = best_way(grid, head0, own0, chokes & own0, front0, free, 1.0, 0.0, 1.0)
        ways -= best_way(grid, head1, own1, chokes & own1, front1, free, 1.0, 0.0, 1.0)
        lead = _CHAMBERS * ways / (share * share)
        if self.shape:
            lead += _at(_CELLS, share) * (count(own0) - count(own1))
            lead += _at(_OPEN, share) * (count(open_cells(grid, own0, free)) - count(open_cells(grid, own1, free)))
            narrow = count(narrow_cells(grid, own0, free)) - count(narrow_cells(grid, own1, free))
            lead += _at(_NARROW, share) * narrow
            lead += _at(_OFF_CENTRE, share) * (self.off_centre(grid, head0) - self.off_centre(grid, head1))
        return lead

    @kernel
    def off_centre(self, grid, head):
        """Steps from a cell to the middle of the field."""
        return 0.5 * (
            abs(2 * (head % grid.stride) + 1 - grid.width) + abs(2 * (head // grid.stride) + 1 - grid.height)
        )
