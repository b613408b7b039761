"""Evaluators of Simplexity, and how published players search with theirs, where they differ from the usual."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..interface import (
    Bits,
    Columns,
    Component,
    Manner,
    Squashed,
    formula,
    has_bit,
    kernel,
)


@formula
def line_counts(
    columns: Columns,
    white: Bits,
    round_: Bits,
    filled: Bits,
    white_round: bool,
    white_square: bool,
    red_round: bool,
    red_square: bool,
    white_moves: bool,
) -> tuple[int, int, int, int, int, int, int, bool, bool]:
    """White's counts less Red's, in the order of `Lines.weights`; whether the mover wins at once, or cannot stop a win.

    Four arguments say of which pieces a player has any left.
    """
    red, square, empty = filled ^ white, filled ^ round_, columns.inside & ~filled
    gaps = Bits.side_by_side(empty, empty, empty, empty)
    found = [
        Bits.split(each) for each in columns.prospects(Bits.side_by_side(round_, square, white, red), gaps)
    ]
    rounds, squares, whites, reds = zip(*found, strict=True)
    # Shape is asked before colour: a line of the own colour does not help if the piece completes the other shape's.
    white_wins = Bits.choose(white_round, rounds[2] | whites[2], 0) | Bits.choose(
        white_square, whites[2] & ~squares[2], 0
    )
    red_wins = Bits.choose(red_square, squares[2] | reds[2], 0) | Bits.choose(
        red_round, reds[2] & ~rounds[2], 0
    )
    won = columns.winning(white_wins, red_wins, empty, columns.landings(filled), white_moves)
    return rounds[0] - squares[0], whites[0] - reds[0], rounds[1] - squares[1], whites[1] - reds[1], *won


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

    bound: ClassVar[float] = 1.0
    """The largest absolute value an evaluation can have."""

    @kernel
    def counts(self, game, state):
        """The counts of `line_counts`."""
        white_round, white_square = game.left(state, 0)
        red_round, red_square = game.left(state, 1)
        return line_counts(
            game.columns,
            state.white,
            state.round,
            state.filled,
            white_round > 0,
            white_square > 0,
            red_round > 0,
            red_square > 0,
            (state.moves & 1) == 0,
        )

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        (shape_open, colour_open, shape_pairs, colour_pairs, good_rows, bad_rows, stacked, wins, lost) = (
            self.counts(game, state)
        )
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


@formula
def broken_runs(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> int:
    """The number of pieces that differ in shape and in colour from the one before, which is like the one
    before it in either.

    Before: on the left, below, below on the left, below on the right.
    """
    total = 0
    for step in (columns.height, 1, columns.height + 1, 1 - columns.height):

        def after(cells, step=step):
            """The cells that come one after these."""
            return cells << step if step > 0 else cells >> -step

        both = filled & after(filled)
        differ = (white ^ after(white)) & (round_ ^ after(round_))
        total = Bits.size(both & differ & after(both & ~differ)) + total
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
        """AIDEN's term for a position with `depth` plies left to search below it: negative where depth is
        odd.
        """
        steps = self.step * broken_runs(game.columns, state.white, state.round, state.filled)
        return -steps if depth & 1 else steps

    @kernel
    def raw(self, game, state):
        """The steps, positive where player 0 moved last."""
        return self.along_path(game, state, (state.moves & 1) + 1)


_WIN = 1e9
"""More than any heuristic adds up to."""


@dataclass(frozen=True)
class AlongThePath(Manner):
    """AIDEN: columns from the middle, round first; the heuristic of every child is added to the move that leads there."""

    @kernel
    def actions(self, game, state, player, out):
        return game.round_first_actions(state, player, out)

    @kernel
    def end(self, game, state, root):
        return _WIN * (game.returns(state) if root == 0 else -game.returns(state))

    @kernel
    def leaf(self, game, state, root):
        return 0.0

    @kernel
    def step(self, game, child, depth):
        return self.evaluator.along_path(game, child, depth)


@dataclass(frozen=True)
class AtTheLeaves(Manner):
    """The framework's minimax: a win beats every heuristic, a draw is 0, leaves by the evaluator's raw number."""

    @kernel
    def end(self, game, state, root):
        return _WIN * (game.returns(state) if root == 0 else -game.returns(state))

    @kernel
    def leaf(self, game, state, root):
        value = self.evaluator.raw(game, state)
        return value if root == 0 else -value
