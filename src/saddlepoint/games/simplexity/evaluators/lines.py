"""Lines: what is still open, who threatens where, and which threats win by zugzwang (odd and even threats, after Allis)."""

from dataclasses import dataclass

from ....boards.columns import Columns, landings
from ....boards.formula import Bits, choose, formula, nonzero, side_by_side, size, split
from ....compiled import Component, kernel
from ....evaluators.lines.open_lines import prospects


@formula
def line_counts(
    columns: Columns, white: Bits, round_: Bits, filled: Bits,
    white_round: bool, white_square: bool, red_round: bool, red_square: bool, white_moves: bool,
) -> tuple[int, int, int, int, int, int, int, bool, bool]:  # fmt: skip
    """White's counts less Red's, in the order of `Lines.weights`; whether the mover wins at once, or cannot stop a win.

    Four arguments say of which pieces a player has any left.
    """
    red, square, empty = filled ^ white, filled ^ round_, columns.inside & ~filled
    gaps = side_by_side(empty, empty, empty, empty)
    found = [split(each) for each in prospects(columns, side_by_side(round_, square, white, red), gaps)]
    rounds, squares, whites, reds = zip(*found, strict=True)
    # Shape is asked before colour: a line of the own colour does not help if the piece completes the other shape's.
    white_wins = choose(white_round, rounds[2] | whites[2], 0) | choose(white_square, whites[2] & ~squares[2], 0)
    red_wins = choose(red_square, squares[2] | reds[2], 0) | choose(red_round, reds[2] & ~rounds[2], 0)
    places = landings(columns, filled)
    mine, theirs = choose(white_moves, white_wins, red_wins), choose(white_moves, red_wins, white_wins)
    threats = theirs & places
    # Two places, or one above which there is another.
    unstoppable = (threats & (threats - 1)) | ((threats << 1) & theirs)
    later = empty & ~places
    even, odd = later & columns.even_rows, later & ~columns.even_rows
    return (
        rounds[0] - squares[0],
        whites[0] - reds[0],
        rounds[1] - squares[1],
        whites[1] - reds[1],
        size(white_wins & even) - size(red_wins & odd),
        size(white_wins & odd) - size(red_wins & even),
        size(white_wins & (white_wins >> 1)) - size(red_wins & (red_wins >> 1)),
        nonzero(mine & places),
        nonzero(unstoppable),
    )


@dataclass(frozen=True)
class Lines(Component):
    """An estimate for Simplexity from lines: its own squashing function, x / (1 + |x|), gives a result between -1 and 1.

    An immediate win or a double threat has the value `forced_win_value`. Otherwise x is a weighted sum, White's less
    Red's, of: lines still open for shape and for colour; those that lack two pieces, for shape and for colour; winning cells that
    cannot be reached yet, in the rows that the player fills when all columns are filled in turn (White the lowest, third,
    ...; Red the second, fourth, ...) and in the others; pairs of winning cells above each other; and a constant for
    the right to move. A winning cell counts by the shapes that are left, and by colour alone only with a piece that does
    not complete the opponent's shape.
    """

    weights: tuple[float, ...] = (0.02, 0.01, 0.05, 0.03, 0.4, 0.2, 0.5, 0.05)
    forced_win_value: float = 0.97

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return 1.0

    @kernel
    def counts(self, game, state):
        """The counts of `line_counts`."""
        white_round, white_square = game.left(state, 0)
        red_round, red_square = game.left(state, 1)
        return line_counts(
            game.columns, state.white, state.round, state.filled,
            white_round > 0, white_square > 0, red_round > 0, red_square > 0, (state.moves & 1) == 0,
        )  # fmt: skip

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        (
            shape_open, colour_open, shape_pairs, colour_pairs, good_rows, bad_rows, stacked, wins, lost
        ) = self.counts(game, state)  # fmt: skip
        sign = 1.0 if (state.moves & 1) == 0 else -1.0
        if wins:
            return sign * self.forced_win_value
        if lost:
            return -sign * self.forced_win_value
        weights = self.weights
        x = weights[0] * shape_open + weights[1] * colour_open + weights[2] * shape_pairs
        x += weights[3] * colour_pairs + weights[4] * good_rows + weights[5] * bad_rows
        x += weights[6] * stacked + weights[7] * sign
        return x / (1.0 + abs(x))

    @kernel
    def raw(self, game, state):
        """The same."""
        return self.evaluate(game, state)
