"""Territory by one shared queue: the pay-offs of the program `riders_nash`."""

from dataclasses import dataclass

from ...boards.bitboard import count, free_cells
from ...boards.flood import PLAYER_0, voronoi
from ...compiled import kernel
from ..linked import Linked


@dataclass(frozen=True)
class QueueTerritory(Linked):
    """One queue of cells for both players, head 0 first; a cell belongs to the player of the cell it was met from.

    In such a queue the cells of each layer come in the order of the layer before, so all of player 0's stand before
    player 1's, and equally near cells are player 0's: what the queue finds is the division that gives ties to player 0,
    which is how it is computed here. That program values finished positions by the same count: a game's rules give
    results instead, so use `raw` where its own pay-off of a finished position is wanted.
    """

    @kernel
    def raw(self, game, state):
        """The difference in cells."""
        free = free_cells(game.grid, game.walls(state))
        found = voronoi(game.grid, game.head(state, 0), game.head(state, 1), free, PLAYER_0)
        return float(count(found.territory0) - count(found.territory1))
