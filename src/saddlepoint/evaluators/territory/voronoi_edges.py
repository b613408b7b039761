"""Territory by cells and edges: the linear evaluation fitted by the winner of the 2010 Google AI Challenge."""

from dataclasses import dataclass

from ...boards.bitboard import count
from ...boards.regions import edges
from ...compiled import kernel, weight
from ..squashed import ties_by_turn
from .territorial import Territorial


@dataclass(frozen=True)
class VoronoiEdges(Territorial):
    """k1 (N0 - N1) + k2 (E0 - E1): N counts a player's cells, E the free neighbours of these cells.

    The weights are a1k0n10's, fitted on 11,691 games: the raw number is then about the log-odds of a win, whose
    expected result is tanh(raw / 2), the default squashing function.
    """

    scale: float = 2.0
    k1: float = weight(0.055)
    k2: float = weight(0.194)

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return 1024.0 * (abs(self.k1) + 4 * abs(self.k2))

    @kernel
    def raw(self, game, state):
        """The weighted difference."""
        grid, free = game.grid, self.free(game, state)
        found = self.territories(game, state, ties_by_turn(game, state))
        cells = count(found.territory0) - count(found.territory1)
        return self.k1 * cells + self.k2 * (edges(grid, found.territory0, free) - edges(grid, found.territory1, free))
