"""Room to move: who can reach more cells, the opponent standing still."""

from dataclasses import dataclass

from ...boards.bitboard import count
from ...boards.flood import reachable
from ...compiled import kernel
from .territorial import Territorial


@dataclass(frozen=True)
class ReachableSpace(Territorial):
    """Cells head 0 can reach less cells head 1 can reach."""

    @kernel
    def raw(self, game, state):
        """The difference in cells."""
        free = self.free(game, state)
        mine = count(reachable(game.grid, game.head(state, 0), free))
        return float(mine - count(reachable(game.grid, game.head(state, 1), free)))
