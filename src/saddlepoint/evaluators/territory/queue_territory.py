"""Territory by one shared queue: the pay-offs of a published program with Nash equilibria, the control of one with SMAB."""

from dataclasses import dataclass

from ...boards.flood import PLAYER_0
from ...compiled import kernel
from .territorial import Territorial


@dataclass(frozen=True)
class QueueTerritory(Territorial):
    """One queue of cells for both players, head 0 first; a cell belongs to the player of the cell it was met from.

    In such a queue the cells of each layer come in the order of the layer before, so all of player 0's stand before
    player 1's, and equally near cells are player 0's, whoever moves: what the queue finds is the division that gives ties
    to player 0, which is how it is computed here. The flood of the one with SMAB, which takes a layer for player
    0, then one for player 1, finds the same.

    `riders_nash` values finished positions by the same count: a game's rules give results instead, so use `raw` where
    its own pay-off of a finished position is wanted.
    """

    @kernel
    def raw(self, game, state):
        """The difference in cells."""
        return self.cells_lead(game, state, PLAYER_0)
