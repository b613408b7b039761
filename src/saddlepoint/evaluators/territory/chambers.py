"""Chambers: the evaluator of a published program with SMAB, in its three variants."""

from dataclasses import dataclass

from ...boards.bitboard import neighbours, single
from ...boards.chambers import best_way
from ...boards.flood import PLAYER_0
from ...boards.regions import choke_points
from ...compiled import kernel
from .territorial import Territorial

_CELL = 256.0
"""What a cell weighs in the variant that also counts neighbours."""

_SEPARATED = 512.0


@dataclass(frozen=True)
class Chambers(Territorial):
    """The best single way through one's chambers, own less the opponent's.

    Both floods advance together, player 0's layer first. A claimed cell is a choke point if it has exactly two free
    neighbours and these lie opposite each other; it is on the battlefront if it is next to the opponent's head or
    cells. The value of a way is told at `best_way`; ways that exclude each other are never added.

    `connected`: each cell counts 256 and one more for each of its neighbours that the same player claimed (a step to
    the battlefront counts 256). `separated_bonus`: once no cell can be reached by both, 512 cells more (raw) go to who is
    ahead, so that every separated position counts more than any other.
    """

    connected: bool = False
    separated_bonus: bool = False

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return (1024.0 + (_SEPARATED if self.separated_bonus else 0.0)) * (260.0 if self.connected else 1.0)

    @kernel
    def raw(self, game, state):
        """The difference in cells (in 256ths of a cell where `connected`)."""
        grid, free = game.grid, self.free(game, state)
        head0, head1 = game.head(state, 0), game.head(state, 1)
        found = self.territories(game, state, PLAYER_0)
        lead = self.territory_value(grid, head0, head1, found.territory0, found.territory1, free)
        lead -= self.territory_value(grid, head1, head0, found.territory1, found.territory0, free)
        if self.separated_bonus and found.separated and lead != 0.0:
            bonus = _SEPARATED * (_CELL if self.connected else 1.0)
            lead += bonus if lead > 0.0 else -bonus
        return lead

    @kernel
    def territory_value(self, grid, head, other_head, own, other, free):
        """The value of the cells `own` to the rider at `head`."""
        front = own & neighbours(grid, other | single(grid, other_head))
        chokes = choke_points(grid, own, free)
        per_cell, per_edge = (_CELL, 1.0) if self.connected else (1.0, 0.0)
        return best_way(grid, head, own, chokes, front, own, per_cell, per_edge, per_cell)
