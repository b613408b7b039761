"""Forced wins and losses of Simplexity in plain Python: what a quick move sees while there is no player yet."""

import time
from collections.abc import Iterator

from .board import Position

_LOOKS = 64  # positions between looks at the clock


class TooLateError(Exception):
    """The time to look is over."""


class Lookahead:
    """Yes-no questions about one position: who wins by force within so many plies."""

    def __init__(self, position: Position, until: float) -> None:
        """`until` (time.monotonic()) bounds the looking: TooLateError."""
        given = position.parameters
        self._until, self._looks = until, 0
        self._win, self._columns = given.win, tuple(position.free_columns())
        self._cells = [((1 << given.rows) - 1) << column * position.height for column in range(given.cols)]
        self._bottom = [1 << column * position.height for column in range(given.cols)]
        self._steps = (1, position.height, position.height + 1, position.height - 1)

    def wins(self, position: tuple[int, ...], plies: int) -> bool:
        """Whether whoever moves wins within so many plies, whatever the other does."""
        return any(self.wins_by(position, move, plies) for move in self._moves(position))

    def wins_by(self, position: tuple[int, ...], move: tuple[int, int], plies: int) -> bool:
        """Whether it wins with this move; `position` is as of `packed`."""
        after, winner = self._after(position, move)
        mover = position[0]
        if winner is not None:
            return winner == mover
        if plies < 3:
            return False
        replied = False
        for reply in self._moves(after):
            replied = True
            then, winner = self._after(after, reply)
            if winner != mover and (winner is not None or not self.wins(then, plies - 2)):
                return False
        return replied  # without a reply it is a draw

    def loses_by(self, position: tuple[int, ...], move: tuple[int, int], plies: int) -> bool:
        """Whether after this move the other wins within so many plies."""
        after, winner = self._after(position, move)
        return winner == 1 - position[0] if winner is not None else self.wins(after, plies)

    def _moves(self, position: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        mover, filled = position[0], position[3]
        for column in self._columns:
            if (filled & self._cells[column]) != self._cells[column]:
                for shape in (mover, 1 - mover):
                    if position[4 + 2 * mover + shape]:
                        yield column, shape

    def _after(self, position: tuple[int, ...], move: tuple[int, int]) -> tuple[tuple[int, ...], int | None]:
        """The position after a move, and who has won."""
        self._looks += 1
        if self._looks % _LOOKS == 0 and time.monotonic() >= self._until:
            raise TooLateError
        mover, white, round_, filled, *left = position
        column, shape = move
        cell = ((filled & self._cells[column]) + self._bottom[column]) & self._cells[column]
        filled |= cell
        white |= 0 if mover else cell
        round_ |= 0 if shape else cell
        left[2 * mover + shape] -= 1
        winner = None
        if self._has_line(filled ^ round_ if shape else round_):
            winner = shape
        elif self._has_line(filled ^ white if mover else white):
            winner = mover
        return (1 - mover, white, round_, filled, *left), winner

    def _has_line(self, pieces: int) -> bool:
        win = self._win
        for step in self._steps:
            run, length = pieces, 1
            while run and length < win:
                more = min(length, win - length)
                run &= run >> more * step
                length += more
            if run:
                return True
        return False


def packed(position: Position) -> tuple[int, ...]:
    """Who moves, White's pieces, round ones, all, and the pieces left: White's round and square, Red's."""
    return position.mover, position.white, position.round, position.filled, *position.left(0), *position.left(1)


def forced_moves(position: Position, until: float) -> Iterator[tuple[int, int]]:
    """Better and better moves: the last one is the best that was found by then.

    One that wins by force within five plies, the soonest; else one that does not lose within five, or loses late.
    """
    look, here, moves = Lookahead(position, until), packed(position), position.moves()
    try:
        for plies in (1, 3, 5):
            won = next((move for move in moves if look.wins_by(here, move, plies)), None)
            if won is not None:
                yield won
                return
            if plies < 5:
                kept = [move for move in moves if not look.loses_by(here, move, plies)]
                if not kept:  # those left until now lose, but latest
                    return
                moves = kept
                yield moves[0]
    except TooLateError:
        return
