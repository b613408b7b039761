"""Control: the territory count of the first Light Riders program."""

from dataclasses import dataclass

from ...boards.bitboard import count, free_cells
from ...boards.flood import PLAYER_0, voronoi
from ...compiled import kernel
from ..linked import Linked


@dataclass(frozen=True)
class RidersControl(Linked):
    """A layered flood from both heads, own layer first: player 0 takes a layer of cells, then player 1, and so on.

    So equally near cells are player 0's, whoever moves.
    """

    @kernel
    def raw(self, game, state):
        """The difference in cells."""
        free = free_cells(game.grid, game.walls(state))
        found = voronoi(game.grid, game.head(state, 0), game.head(state, 1), free, PLAYER_0)
        return float(count(found.territory0) - count(found.territory1))
