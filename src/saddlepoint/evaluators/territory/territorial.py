"""What the evaluators of territory have in common."""

from dataclasses import dataclass
from typing import ClassVar

from ...boards.bitboard import count, free_cells
from ...boards.flood import separated, voronoi
from ...compiled import kernel
from ..squashed import Squashed


@dataclass(frozen=True)
class Territorial(Squashed):
    """Base of evaluators for two heads on a grid.

    The game must have the property `grid` and the kernels `walls(state)`, the words of blocked cells (heads and all
    bits outside included), and `head(state, player)`, a cell index.
    """

    needs: ClassVar[tuple[str, ...]] = ("grid", "walls", "head")

    @kernel
    def free(self, game, state):
        """The board of free cells."""
        return free_cells(game.grid, game.walls(state))

    @kernel
    def territories(self, game, state, ties):
        """Who is nearer to which cells; equally near ones go as `ties` says."""
        return voronoi(game.grid, game.head(state, 0), game.head(state, 1), self.free(game, state), ties)

    @kernel
    def cells_lead(self, game, state, ties):
        """How many cells more are nearer to player 0."""
        found = self.territories(game, state, ties)
        return float(count(found.territory0) - count(found.territory1))

    @kernel
    def separated(self, game, state):
        """Whether no cell can be reached by both players."""
        return separated(game.grid, game.head(state, 0), game.head(state, 1), self.free(game, state))

    @kernel
    def is_decided(self, game, state):
        """Whether a search may take the evaluation for the result."""
        return self.separated(game, state)
