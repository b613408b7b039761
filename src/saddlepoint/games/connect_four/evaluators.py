"""Evaluators of Connect Four: its threats, and a network that `saddlepoint fit` made."""

from dataclasses import dataclass
from typing import ClassVar

from ..interface import (
    Bits,
    Columns,
    Component,
    Game,
    ShippedNetwork,
    formula,
    kernel,
)
from .game import ConnectFour


@formula
def threat_counts(
    columns: Columns, discs0: Bits, discs1: Bits, first_moves: bool
) -> tuple[int, int, int, int, int, bool, bool]:
    """Player 0's counts less player 1's, in the order of `Threats.weights`; whether the mover wins at once, or cannot stop a win."""
    empty = columns.inside & ~(discs0 | discs1)
    found = [
        Bits.split(each)
        for each in columns.prospects(Bits.side_by_side(discs0, discs1), Bits.side_by_side(empty, empty))
    ]
    first, second = zip(*found, strict=True)
    won = columns.winning(first[2], second[2], empty, columns.landings(discs0 | discs1), first_moves)
    return first[0] - second[0], first[1] - second[1], *won


@dataclass(frozen=True)
class Threats(Component):
    """An estimate for Connect Four from lines: x / (1 + |x|) gives a result between -1 and 1.

    An immediate win or a double threat has the value `forced_win_value`. Otherwise x is a weighted sum, player 0's less player 1's,
    of: lines still open; those that lack two discs; winning cells that cannot be reached yet, in the rows that the player fills
    when all columns are filled in turn (player 0 the lowest, third, ...; player 1 the second, fourth, ...) and in the
    others; pairs of winning cells above each other; and a constant for the right to move.
    `python benchmarks/fit_counts.py connect_four --games 6000 --rounds 2 --depth 4` made the weights.
    """

    weights: tuple[float, ...] = (0.056, 0.109, 1.382, 0.08, -0.365, 0.161)
    forced_win_value: float = 0.97

    bound: ClassVar[float] = 1.0
    """The largest absolute value an evaluation can have."""

    @staticmethod
    def is_made_for(game: Game) -> bool:
        """Whether a line fits on the board: else there is nothing to count, and every game is drawn."""
        return isinstance(game, ConnectFour) and game.line <= max(game.columns, game.rows)

    @kernel
    def counts(self, game, state):
        """The counts of `threat_counts`; the last two are 1 or 0."""
        found = threat_counts(game.field, (state.discs0,), (state.discs1,), state.turn == 0)
        return found[0], found[1], found[2], found[3], found[4], int(found[5]), int(found[6])

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        open_, pairs, good_rows, bad_rows, stacked, wins, lost = self.counts(game, state)
        sign = 1.0 if state.turn == 0 else -1.0
        if wins:
            return sign * self.forced_win_value
        if lost:
            return -sign * self.forced_win_value
        weights = self.weights
        x = weights[0] * open_ + weights[1] * pairs + weights[2] * good_rows
        x += weights[3] * bad_rows + weights[4] * stacked + weights[5] * sign
        return x / (1.0 + abs(x))


@dataclass(frozen=True)
class ConnectFourNetwork(ShippedNetwork):
    """An estimate for seven columns, six rows and lines of four: a network over the discs and `ConnectFour.features`.

    docs/measurements.md says how it was fitted, and what it scores against `Threats`.
    """

    weights_file: ClassVar[str] = "usual_board.weights"
