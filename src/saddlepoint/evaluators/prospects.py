"""The evaluator of the strongest Light Riders player: chambers and openness, fill bounds once separated."""

import math
from dataclasses import dataclass

from ..boards.bitboard import count, free_cells, neighbours, single
from ..boards.chambers import best_way
from ..boards.fill_bounds import fillable_bound
from ..boards.flood import separated, voronoi
from ..boards.regions import choke_points, edges
from ..compiled import kernel, weight
from .linked import Linked, ties_by_turn


@dataclass(frozen=True)
class Prospects(Linked):
    """What is likely to become of a position.

    Separated: the difference of the bounds of what each can fill; it has the right sign nearly always, so a lead d is
    worth d / (|d| + `fill_doubt`). In touch: the best way through each player's chambers, counted in cells as in `Chambers`; plus
    `openness` for each free neighbour of a territory's cells above `neighbours_expected` a cell, because room that is
    not cut up yet is worth more. With h hundreds of free cells, openness counts h^3 times, and the link's scale is
    `scale` h^2: the same lead says more the less is still free.

    The weights were fitted to the results of 900 games between strong players, `openness` then chosen by play.
    """

    scale: float = 7.0
    openness: float = weight(0.1)
    neighbours_expected: float = weight(3.6)
    fill_doubt: float = weight(0.1)

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return 1024.0 * (1.0 + 1074.0 * abs(self.openness) * (4 + self.neighbours_expected))

    @kernel
    def settled(self, game, state):
        """Whether no cell can be reached by both players."""
        free = free_cells(game.grid, game.walls(state))
        return separated(game.grid, game.head(state, 0), game.head(state, 1), free)

    @kernel
    def raw(self, game, state):
        """The difference in fillable cells where separated; else in cells of the best ways, with openness."""
        grid = game.grid
        free = free_cells(grid, game.walls(state))
        head0, head1 = game.head(state, 0), game.head(state, 1)
        found = voronoi(grid, head0, head1, free, ties_by_turn(game, state))
        if not found.touching:
            return self.fill_lead(grid, head0, head1, found.territory0, found.territory1)
        return self.chambers_lead(grid, head0, head1, found.territory0, found.territory1, found.contested, free)

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
        lead = self.chambers_lead(grid, head0, head1, found.territory0, found.territory1, found.contested, free)
        hundreds = 0.01 * count(free)
        return math.tanh(lead / (self.scale * hundreds * hundreds)) if self.scale > 0.0 else lead

    @kernel
    def fill_lead(self, grid, head0, head1, own0, own1):
        """The difference of the upper bounds of fillable cells."""
        return float(fillable_bound(grid, head0, own0) - fillable_bound(grid, head1, own1))

    @kernel
    def chambers_lead(self, grid, head0, head1, own0, own1, contested, free):
        """The difference of two territories in touch, in cells."""
        front0 = own0 & neighbours(grid, own1 | contested | single(grid, head1))
        front1 = own1 & neighbours(grid, own0 | contested | single(grid, head0))
        chokes = choke_points(grid, own0 | own1, free)
        lead = best_way(grid, head0, own0, chokes & own0, front0, free, 1.0, 0.0, 1.0)
        lead -= best_way(grid, head1, own1, chokes & own1, front1, free, 1.0, 0.0, 1.0)
        if self.openness != 0.0:
            hundreds = 0.01 * count(free)
            beyond = edges(grid, own0, free) - edges(grid, own1, free)
            room = self.openness * hundreds * hundreds * hundreds
            lead += room * (beyond - self.neighbours_expected * (count(own0) - count(own1)))
        return lead
