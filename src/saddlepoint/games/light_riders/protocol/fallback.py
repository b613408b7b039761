"""A move for Light Riders in plain Python, for when nothing compiled is there yet: forced results, else territory, some rounds ahead."""

import time
from collections.abc import Sequence

_STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
_FORCED = 1_000_000
"""More than any territory: what is won, or as a negative lost, by force; and by so much more, the sooner."""
_ROUNDS = 5
"""How far it looks."""


def fallback_move(rows: Sequence[str], player: int, seconds: float = 0.1) -> str:
    """The direction that wins by force within five rounds, or does not lose, and of others keeps the most territory.

    `rows` is the field as the contest writes it. It looks as far ahead as there is time in so many `seconds`, one round at
    least; `pass` where no neighbour is free.
    """
    heads = {mark: (row.index(mark), y) for y, row in enumerate(rows) for mark in "01" if mark in row}
    if str(player) not in heads:
        return "pass"
    return _Lookahead(rows, seconds).best(heads[str(player)], heads.get(str(1 - player)))


class _TooLateError(Exception):
    """The time to look is over."""


class _Lookahead:
    """What a rider can get from a field, if the other rider always knew its next move before it was made.

    What is won then is won for certain. A value is the rider's territory less the other's, above all that what is forced.
    Positions are a set of free cells as bits, and both heads' cells; the field has a margin of one cell.
    """

    def __init__(self, rows: Sequence[str], seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._width = len(rows[0]) + 2
        self._free = sum(
            1 << self._cell(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "."
        )
        self._steps = {name: dx + dy * self._width for name, (dx, dy) in _STEPS.items()}

    def _cell(self, x: int, y: int) -> int:
        return (y + 1) * self._width + x + 1

    def best(self, own: tuple[int, int], other: tuple[int, int] | None) -> str:
        """The best direction for the rider whose head is `own`."""
        mine = self._cell(*own)
        names = [name for name, step in self._steps.items() if self._free >> (mine + step) & 1]
        if other is None:
            return max(names, key=lambda name: self._territory(self._free, 1 << mine + self._steps[name], 0), default="pass")
        theirs, until = self._cell(*other), self._until
        self._until = float("inf")  # the first round is looked at in any case
        if len(names) > 1:
            try:
                for rounds in range(1, _ROUNDS + 1):
                    value, names = self._sorted(names, mine, theirs, rounds)
                    if abs(value) > _FORCED:
                        break
                    self._until = until
            except _TooLateError:
                pass
        return names[0] if names else "pass"

    def _sorted(self, names: list[str], mine: int, theirs: int, rounds: int) -> tuple[int, list[str]]:
        """The best value, and the directions: the best one first, the others in their order."""
        best, chosen = -2 * _FORCED, names[0]
        for name in names:
            value = self._replied(self._free, mine + self._steps[name], theirs, rounds, best)
            if value > best:
                best, chosen = value, name
        return best, [chosen, *(name for name in names if name != chosen)]

    def _best(self, free: int, mine: int, theirs: int, rounds: int, alpha: int, beta: int) -> int:
        """The value of this position, so many rounds ahead."""
        if rounds == 0:
            return self._territory(free, 1 << mine, 1 << theirs)
        best = -2 * _FORCED
        for step in self._steps.values():
            if free >> (mine + step) & 1:
                best = max(best, self._replied(free, mine + step, theirs, rounds, max(alpha, best)))
                if best >= beta:
                    return best
        if best > -2 * _FORCED:
            return best
        # There is no way on: a draw if there is none for the other either.
        return -_FORCED - rounds if any(free >> (theirs + step) & 1 for step in self._steps.values()) else 0

    def _replied(self, free: int, cell: int, theirs: int, rounds: int, alpha: int) -> int:
        """The value of going to that free cell, whatever the other does; exact above `alpha`."""
        if time.monotonic() >= self._until:
            raise _TooLateError
        worst = 2 * _FORCED
        for step in self._steps.values():
            there = theirs + step
            if not free >> there & 1:
                continue
            if there == cell:
                value = 0  # both crash
            else:
                value = self._best(free & ~(1 << cell | 1 << there), cell, there, rounds - 1, alpha, worst)
            worst = min(worst, value)
            if worst <= alpha:
                return worst
        return _FORCED + rounds if worst == 2 * _FORCED else worst  # the other has no way on

    def _territory(self, free: int, mine: int, theirs: int) -> int:
        """The cells that a rider reaches first less those that the other does, who both go on from a set of cells."""
        width, lead = self._width, 0
        while mine or theirs:
            mine = (mine << 1 | mine >> 1 | mine << width | mine >> width) & free
            theirs = (theirs << 1 | theirs >> 1 | theirs << width | theirs >> width) & free
            free &= ~(mine | theirs)
            both = mine & theirs
            mine, theirs = mine ^ both, theirs ^ both
            lead += mine.bit_count() - theirs.bit_count()
        return lead
