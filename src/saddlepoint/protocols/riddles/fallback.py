"""A move for Light Riders in plain Python, for when nothing compiled is there yet: the most territory after one step."""

from collections import deque
from collections.abc import Sequence

_STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
_OUTSIDE = 1_000_000


def fallback_move(rows: Sequence[str], player: int) -> str:
    """The direction of the free neighbour from which the player has the most territory; `pass` where none is free.

    `rows` is the field as the contest writes it. Territory counts the cells that a rider reaches first; what both
    reach, or only one of them, decides between equals.
    """
    heads = {mark: (row.index(mark), y) for y, row in enumerate(rows) for mark in "01" if mark in row}
    own, other = heads.get(str(player)), heads.get(str(1 - player))
    if own is None:
        return "pass"
    free = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "."}
    theirs = _distances(free, other) if other else {}
    best, best_worth = "pass", (-_OUTSIDE, -_OUTSIDE)
    for name, (dx, dy) in _STEPS.items():
        cell = (own[0] + dx, own[1] + dy)
        if cell not in free:
            continue
        mine = _distances(free, cell)
        # One step is made already: mine count from the cell reached, theirs from the head.
        ahead = sum(1 for at, steps in mine.items() if steps + 1 < theirs.get(at, _OUTSIDE))
        behind = sum(1 for at, steps in theirs.items() if steps < mine.get(at, _OUTSIDE) + 1)
        worth = (ahead - behind, len(mine))
        if worth > best_worth:
            best, best_worth = name, worth
    return best


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
