"""Voronoi territory: the cells a rider reaches before the other."""

from dataclasses import dataclass

from ..boards.bitboard import board_of, complement, count, north, west
from ..boards.flood import voronoi
from ..compiled import Component, jit_inline, kernel
from .link import linked, tie_rule


@jit_inline
def territories(game, state):
    """(player 0's cells, player 1's, contested): boards of one simultaneous flood."""
    free = complement(game.grid, board_of(game.grid, game.walls(state)))
    ties = tie_rule(game.current_player(state))
    return voronoi(game.grid, game.head(state, 0), game.head(state, 1), free, ties)


@jit_inline
def edges(grid, region):
    """Number of pairs of neighbouring cells within a region."""
    return count(region & north(grid, region)) + count(region & west(grid, region))


@dataclass(frozen=True)
class Voronoi(Component):
    """Difference of territories, in cells; `scale` cells ahead are worth tanh(1) = 0.76 (0: the raw difference)."""

    scale: float = 20.0

    @property
    def bound(self) -> float:
        """The largest value it can give."""
        return 1.0 if self.scale else 1024.0

    @kernel
    def raw(self, game, state):
        own, other, _ = territories(game, state)
        return float(count(own) - count(other))

    @kernel
    def evaluate(self, game, state):
        return linked(self.raw(game, state), self.scale)


@dataclass(frozen=True)
class VoronoiEdges(Component):
    """a1k0n10's K1 * nodes + K2 * edges over Voronoi territory (Google AI Challenge 2010; fitted on 11,691 games).

    The original numbers estimate a logit of winning, hence tanh(raw / 2) at `scale` 2.
    """

    k1: float = 0.055
    k2: float = 0.194
    scale: float = 2.0

    @property
    def bound(self) -> float:
        """The largest value it can give."""
        return 1.0 if self.scale else 1024 * self.k1 + 2048 * self.k2

    @kernel
    def raw(self, game, state):
        own, other, _ = territories(game, state)
        nodes = count(own) - count(other)
        return self.k1 * nodes + self.k2 * (edges(game.grid, own) - edges(game.grid, other))

    @kernel
    def evaluate(self, game, state):
        return linked(self.raw(game, state), self.scale)
