"""A move for Light Riders in plain Python, for when nothing compiled is there yet: forced results, then territory."""

import time
from collections import deque
from collections.abc import Sequence

_STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
_OUTSIDE = 1_000_000
_ROUNDS = 5
"""How far it looks for what is decided by force."""
_LOOKS = 64  # positions between looks at the clock


def fallback_move(rows: Sequence[str], player: int, seconds: float = 0.1) -> str:
    """The direction that wins by force within five rounds, or does not lose; `pass` where no neighbour is free.

    `rows` is the field as the contest writes it. Looking ahead takes so many `seconds` at most, and goes as far as there
    is time. Of equal moves it is the one with the most territory.
    """
    heads = {mark: (row.index(mark), y) for y, row in enumerate(rows) for mark in "01" if mark in row}
    own, other = heads.get(str(player)), heads.get(str(1 - player))
    if own is None:
        return "pass"
    worth = _territories(rows, own, other)
    if other is not None and len(worth) > 1:
        results = _Lookahead(rows, seconds).results(own, other)
        return max(worth, key=lambda name: (results[name], worth[name]))
    return max(worth, key=lambda name: worth[name], default="pass")


def _territories(rows: Sequence[str], own: tuple[int, int], other: tuple[int, int] | None) -> dict[str, tuple[int, int]]:
    """What each direction with a free neighbour is worth after one step.

    Territory counts the cells that a rider reaches first; what both reach, or only one of them, decides between equals.
    """
    free = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "."}
    theirs = _distances(free, other) if other else {}
    found: dict[str, tuple[int, int]] = {}
    for name, (dx, dy) in _STEPS.items():
        cell = (own[0] + dx, own[1] + dy)
        if cell not in free:
            continue
        mine = _distances(free, cell)
        # One step is made already: mine count from the cell reached, theirs from the head.
        ahead = sum(1 for at, steps in mine.items() if steps + 1 < theirs.get(at, _OUTSIDE))
        behind = sum(1 for at, steps in theirs.items() if steps < mine.get(at, _OUTSIDE) + 1)
        found[name] = (ahead - behind, len(mine))
    return found


class _TooLateError(Exception):
    """The time to look is over."""


class _Lookahead:
    """What is won or lost by force from a field, if the other rider always knew the next move before it was made.

    What is won then is won for certain. Positions are a set of free cells as bits, and both heads' cells; the field has a
    margin of one cell.
    """

    def __init__(self, rows: Sequence[str], seconds: float) -> None:
        self._until, self._looks = time.monotonic() + seconds, 0
        self._width = len(rows[0]) + 2
        self._free = sum(
            1 << self._cell(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "."
        )
        self._steps = {name: dx + dy * self._width for name, (dx, dy) in _STEPS.items()}

    def _cell(self, x: int, y: int) -> int:
        return (y + 1) * self._width + x + 1

    def results(self, own: tuple[int, int], other: tuple[int, int]) -> dict[str, int]:
        """Of each direction: above 0 a forced win, the higher the sooner, below 0 a forced loss, the lower the sooner."""
        found = dict.fromkeys(self._steps, 0)
        mine, theirs = self._cell(*own), self._cell(*other)
        try:
            for rounds in range(1, _ROUNDS + 1):
                found = {
                    name: self._replied(self._free, mine + step, theirs, rounds, -_OUTSIDE) for name, step in self._steps.items()
                }
        except _TooLateError:
            pass
        return found

    def _best(self, free: int, mine: int, theirs: int, rounds: int, alpha: int, beta: int) -> int:
        """The result of this position within so many rounds."""
        if rounds == 0:
            return 0
        best = -_OUTSIDE
        for step in self._steps.values():
            if free >> (mine + step) & 1:
                best = max(best, self._replied(free, mine + step, theirs, rounds, max(alpha, best)))
                if best >= beta:
                    return best
        if best > -_OUTSIDE:
            return best
        # There is no way on: a draw if there is none for the other either.
        return -rounds if any(free >> (theirs + step) & 1 for step in self._steps.values()) else 0

    def _replied(self, free: int, cell: int, theirs: int, rounds: int, alpha: int) -> int:
        """The result of going to that cell, whatever the other does; exact above `alpha`."""
        self._looks += 1
        if self._looks % _LOOKS == 0 and time.monotonic() >= self._until:
            raise _TooLateError
        if not free >> cell & 1:
            return -_OUTSIDE
        worst = _OUTSIDE
        for step in self._steps.values():
            there = theirs + step
            if not free >> there & 1:
                continue
            if there == cell:
                result = 0  # both crash
            else:
                result = self._best(free & ~(1 << cell | 1 << there), cell, there, rounds - 1, alpha, worst)
            worst = min(worst, result)
            if worst <= alpha:
                return worst
        return rounds if worst == _OUTSIDE else worst  # the other has no way on


def _distances(free: set[tuple[int, int]], start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Steps from `start` to every free cell that can be reached."""
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        x, y = waiting.popleft()
        for dx, dy in _STEPS.values():
            cell = (x + dx, y + dy)
            if cell in free and cell not in steps:
                steps[cell] = steps[x, y] + 1
                waiting.append(cell)
    return steps
