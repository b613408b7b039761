"""The evaluator of the strongest Light Riders player: chambers by cells and edges, fill bounds once separated."""

import math
from dataclasses import dataclass

from ..boards.bitboard import count, free_cells, neighbours, single
from ..boards.chambers import best_way
from ..boards.fill_bounds import fillable_bound
from ..boards.flood import separated, voronoi
from ..boards.regions import choke_points, edges
from ..compiled import kernel
from .linked import Linked, ties_by_turn


@dataclass(frozen=True)
class Prospects(Linked):
    """What is likely to become of a position.

    Separated: the difference of the bounds of what each can fill, which is near the truth, through a sharp link
    (`fill_scale`). In touch: the best way through each player's chambers (as in `Chambers`), where a cell weighs k1 and
    each of its free neighbours k2 (as in `VoronoiEdges`); plus `openness` for each free neighbour of the cells of a
    territory above `neighbours_expected` a cell, because room that is not cut up yet is worth more. The same lead says
    more the less is still free: its link's scale is `scale` at 100 free cells and grows with their number's square.

    The weights were fitted to the results of some hundred games between strong players.
    """

    scale: float = 8.0
    k1: float = 0.055
    k2: float = 0.194
    openness: float = 0.3
    neighbours_expected: float = 3.3
    fill_scale: float = 1.5

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        edges_too = abs(self.openness) * (4 + self.neighbours_expected)
        return 1024.0 * max(1.0, abs(self.k1) + 4 * abs(self.k2) + edges_too)

    @kernel
    def settled(self, game, state):
        """Whether no cell can be reached by both players."""
        free = free_cells(game.grid, game.walls(state))
        return separated(game.grid, game.head(state, 0), game.head(state, 1), free)

    @kernel
    def raw(self, game, state):
        """The difference in fillable cells where separated; else in weighted cells and edges."""
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
            return math.tanh(lead / self.fill_scale) if self.scale > 0.0 else lead
        lead = self.chambers_lead(grid, head0, head1, found.territory0, found.territory1, found.contested, free)
        hundreds = 0.01 * count(free)
        return math.tanh(lead / (self.scale * hundreds * hundreds)) if self.scale > 0.0 else lead

    @kernel
    def fill_lead(self, grid, head0, head1, own0, own1):
        """The difference of the upper bounds of fillable cells."""
        return float(fillable_bound(grid, head0, own0) - fillable_bound(grid, head1, own1))

    @kernel
    def chambers_lead(self, grid, head0, head1, own0, own1, contested, free):
        """The weighted difference of two territories in touch."""
        near0 = neighbours(grid, own1 | contested | single(grid, head1))
        near1 = neighbours(grid, own0 | contested | single(grid, head0))
        lead = self.worth(grid, head0, own0, near0, free) - self.worth(grid, head1, own1, near1, free)
        if self.openness != 0.0:
            beyond = edges(grid, own0, free) - edges(grid, own1, free)
            lead += self.openness * (beyond - self.neighbours_expected * (count(own0) - count(own1)))
        return lead

    @kernel
    def worth(self, grid, head, own, near_other, free):
        """What the cells `own` are worth to the rider at `head`, by its best way."""
        step = self.k1 + 2.0 * self.k2
        return best_way(grid, head, own, choke_points(grid, own, free), own & near_other, free, self.k1, self.k2, step)
