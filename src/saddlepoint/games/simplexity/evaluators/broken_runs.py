"""Broken runs: the heuristic of the Simplexity player AIDEN."""

from dataclasses import dataclass

from ....boards.columns import Columns
from ....boards.formula import Bits, formula, size
from ....compiled import kernel
from ....evaluators.squashed import Squashed


@formula
def broken_runs(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> int:
    """How many pieces differ in shape and in colour from the one before, which is like the one before it in either.

    Before: on the left, below, below on the left, below on the right.
    """
    total = 0
    for step in (columns.height, 1, columns.height + 1, 1 - columns.height):

        def after(cells, step=step):
            """The cells that come one after these."""
            return cells << step if step > 0 else cells >> -step

        both = filled & after(filled)
        differ = (white ^ after(white)) & (round_ ^ after(round_))
        total = size(both & differ & after(both & ~differ)) + total
    return total


@dataclass(frozen=True)
class BrokenRuns(Squashed):
    """Runs that were broken, `step` each: along every row, column and diagonal, however short.

    Rows are walked from the left, columns from below, diagonals from below. A run lasts while each piece is like the
    previous one in shape or in colour; an empty cell resets it. A piece that differs in both is worth a step if the run
    before it had at least two pieces; it begins the next run.

    The count is the same for both players. AIDEN adds it to the score of the move that led to the position, along the
    path and not at the leaves alone, with a sign that follows the depth's parity: use `along_path` for that. As an
    evaluation of a position, which needs an owner, it counts for the player who moved last.
    """

    scale: float = 0.0
    step: float = 1.0

    @property
    def largest_raw(self) -> float:
        """More than any board can have: four lines through each of 48x48 cells."""
        return 4.0 * 48 * 48 * self.step

    @kernel
    def along_path(self, game, state, depth):
        """What AIDEN adds for a position with `depth` plies left to search below it: negative where depth is odd."""
        steps = self.step * broken_runs(game.columns, state.white, state.round, state.filled)
        return -steps if depth & 1 else steps

    @kernel
    def raw(self, game, state):
        """The steps, positive where player 0 moved last."""
        return self.along_path(game, state, (state.moves & 1) + 1)
