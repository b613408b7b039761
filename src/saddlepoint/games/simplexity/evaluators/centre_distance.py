"""Nearness to the centre: the heuristic of the ColorShapeLinks framework's own player `minimax`."""

import math
from dataclasses import dataclass

import numpy as np

from ....boards.grid import has_bit
from ....compiled import kernel
from ....evaluators.squashed import Squashed


@dataclass(frozen=True)
class CentreDistance(Squashed):
    """Each piece counts by its nearness to the centre, once for its colour and once for its shape.

    White and round are player 0's, red and square player 1's, so a white square counts nothing. The centre is cell
    (rows // 2, cols // 2), which on an even number of rows is above the middle; a piece's nearness is the distance
    from there to cell (0, 0) less its own, and negative for pieces farther away. Numbers have 32 bits and are added
    cell by cell from the bottom row, colour before shape, as there, because ties in the search depend on the rounding.
    """

    scale: float = 0.0

    @property
    def largest_raw(self) -> float:
        """More than any board can have: 48x48 cells, each within 68 of the centre, counted twice."""
        return 2.0 * 68 * 48 * 48

    @kernel
    def nearness(self, game, row, col):
        """A cell's nearness to the centre."""
        centre_row, centre_col = game.rows // 2, game.cols // 2
        farthest = np.float32(math.sqrt(float(centre_row * centre_row + centre_col * centre_col)))
        up, right = row - centre_row, col - centre_col
        return farthest - np.float32(math.sqrt(float(up * up + right * right)))

    @kernel
    def raw(self, game, state):
        """The sum, in cells' widths."""
        total = np.float32(0.0)
        for row in range(game.rows):
            for col in range(game.cols):
                cell = col * (game.rows + 1) + row
                if has_bit(state.filled, cell):
                    near = self.nearness(game, row, col)
                    total = total + near if has_bit(state.white, cell) else total - near
                    total = total + near if has_bit(state.round, cell) else total - near
        return float(total)
