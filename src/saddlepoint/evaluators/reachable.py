"""Reachable space: the cells a rider could still get to if the other stood still."""

from dataclasses import dataclass

from ..boards.bitboard import board_of, complement
from ..boards.flood import room
from ..compiled import Component, kernel
from .link import linked


@dataclass(frozen=True)
class ReachableSpace(Component):
    """Difference of reachable cells; blind until the players are separated, sharp from then on."""

    scale: float = 20.0

    @property
    def bound(self) -> float:
        """The largest value it can give."""
        return 1.0 if self.scale else 1024.0

    @kernel
    def raw(self, game, state):
        free = complement(game.grid, board_of(game.grid, game.walls(state)))
        own = room(game.grid, game.head(state, 0), free)
        return float(own - room(game.grid, game.head(state, 1), free))

    @kernel
    def evaluate(self, game, state):
        return linked(self.raw(game, state), self.scale)
