"""Territory: who has more cells nearer to the own head."""

from dataclasses import dataclass

from ...boards.bitboard import count, free_cells
from ...boards.flood import voronoi
from ...compiled import kernel
from ..linked import Linked, ties_by_turn


@dataclass(frozen=True)
class Voronoi(Linked):
    """Cells nearer to head 0 less cells nearer to head 1; equally near cells go to who moves next, if to anyone."""

    @kernel
    def raw(self, game, state):
        """The difference in cells."""
        free = free_cells(game.grid, game.walls(state))
        found = voronoi(game.grid, game.head(state, 0), game.head(state, 1), free, ties_by_turn(game, state))
        return float(count(found.territory0) - count(found.territory1))
