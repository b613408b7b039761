"""Blocks of the territory between its articulation points, with cells and edges weighted as in `VoronoiEdges`."""

from dataclasses import dataclass

from ...boards.bitboard import neighbours, single
from ...boards.blocks import value_by_blocks
from ...compiled import kernel
from ..squashed import ties_by_turn
from .voronoi_edges import VoronoiEdges


@dataclass(frozen=True)
class ChamberTree(VoronoiEdges):
    """The best way through the chambers of each player's territory, after a1k0n10.

    Articulation points divide a territory into blocks, of which a rider can fill only those along one way. A block
    weighs k1 a cell and k2 a free neighbour of a cell. Before a block on the battlefront only the shortest way counts,
    each step as a corridor's cell (k1 + 2 k2).
    """

    @kernel
    def raw(self, game, state):
        """The weighted difference."""
        grid, free = game.grid, self.free(game, state)
        head0, head1 = game.head(state, 0), game.head(state, 1)
        found = self.territories(game, state, ties_by_turn(game, state))
        near0 = neighbours(grid, found.territory1 | found.contested | single(grid, head1))
        near1 = neighbours(grid, found.territory0 | found.contested | single(grid, head0))
        lead = self.territory_value(grid, head0, found.territory0, near0, free)
        return lead - self.territory_value(grid, head1, found.territory1, near1, free)

    @kernel
    def territory_value(self, grid, head, own, near_other, free):
        """The value of the cells `own` to the rider at `head`."""
        return value_by_blocks(grid, head, own, own & near_other, free, self.k1, self.k2)
