"""Evaluators of Othello: mobility, and a network that `saddlepoint fit` made."""

from dataclasses import dataclass
from typing import ClassVar

from ..interface import Component, ShippedNetwork, jit_inline, kernel, popcount, quick_tanh
from .game import around, shifted, sides, stable


@jit_inline
def lead(mine, theirs):
    """The difference of two counts, as a share of both."""
    return float(mine - theirs) / float(mine + theirs + 1)


@dataclass(frozen=True)
class Mobility(Component):
    """An estimate for Othello: tanh of a weighted sum of counts, player 0's less player 1's, as a share of the largest result.

    The counts, in the order of the weights: the placements that each has; the empty cells next to the other's
    discs, which may become placements; corners; discs that cannot be turned over any more, as far as the
    corners make it certain; discs on the cells diagonally next to an empty corner; those directly next to it;
    other discs on the edge; all discs; the player to move; and the player to move where the number of empty
    cells is odd, who then gets the last one. Placements, empty cells and all discs count as shares of both
    players' together. Each weight goes from its number at the start to that at the end as the board fills;
    `python benchmarks/fit_counts.py othello --games 4000 --rounds 2 --depth 2` made them.
    """

    at_start: tuple[float, ...] = (0.212, -0.346, 0.896, -0.056, -0.69, -0.189, 0.081, -0.668, -0.039, -0.003)
    at_end: tuple[float, ...] = (1.125, -0.099, -0.034, 0.104, -0.049, -0.087, -0.037, 0.483, -0.016, 0.093)

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have, as a share of the game's largest result."""
        return 1.0

    @kernel
    def counts(self, game, state):
        """The counts in the order of the weights, and the share of the cells that are filled since the start."""
        discs0, discs1 = state.discs0, state.discs1
        empty = game.board & ~(discs0 | discs1)
        rows, columns = sides(game.size, game.board)
        corners = rows & columns
        open_ = corners & empty
        beside = (shifted(open_, 0) | shifted(open_, 2) | shifted(open_, 4) | shifted(open_, 6)) & game.board
        across = (shifted(open_, 1) | shifted(open_, 3) | shifted(open_, 5) | shifted(open_, 7)) & game.board
        edge = (rows | columns) & ~corners & ~beside
        left = popcount(empty)
        sign = 1.0 if state.turn == 0 else -1.0
        return (
            lead(popcount(game.placements(discs0, discs1)), popcount(game.placements(discs1, discs0))),
            lead(popcount(around(discs1) & empty), popcount(around(discs0) & empty)),
            float(popcount(discs0 & corners) - popcount(discs1 & corners)),
            float(popcount(stable(rows, columns, discs0)) - popcount(stable(rows, columns, discs1))),
            float(popcount(discs0 & across) - popcount(discs1 & across)),
            float(popcount(discs0 & beside) - popcount(discs1 & beside)),
            float(popcount(discs0 & edge) - popcount(discs1 & edge)),
            lead(popcount(discs0), popcount(discs1)),
            sign,
            sign if left % 2 == 1 else -sign,
            1.0 - float(left) / float(game.size * game.size - 4),
        )

    @kernel
    def raw(self, game, state):
        """The weighted sum."""
        found = self.counts(game, state)
        filled = found[10]
        total = 0.0
        for k in range(10):
            total += (self.at_start[k] * (1.0 - filled) + self.at_end[k] * filled) * found[k]
        return total

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        return game.max_utility * quick_tanh(self.raw(game, state))


@dataclass(frozen=True)
class OthelloNetwork(ShippedNetwork):
    """An estimate of the result on 8 x 8 cells: a network over the discs and `Othello.features`.

    docs/measurements.md says how it was fitted, and what it scores against `Mobility`.
    """

    weights_file: ClassVar[str] = "usual_board.weights"
