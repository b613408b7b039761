"""Whether the positions of a solution can come about: rules are safe with no others, and those of a file may be anything."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiled import borrowed, jit, run
from ...game import GameError
from .certificate import BrokenSolution
from .induction import named, new_memory
from .positions import fill_slots, row_with
from .successors import ENDED, FITS, lent, opened, write_successor

if TYPE_CHECKING:
    from .solution import Solution

_SLICE = 100_000
"""Positions between two moments in which Ctrl-C is heard."""


@jit
def mark_reached(game, like, is_folded, rows, first, last, width, slots, packing, arrays, reached):
    """Mark what follows the positions from `last` - 1 down to `first`; returns the first that was not reached or is not solved, or -1.

    Nor is one solved in which somebody has to choose and has nothing to choose.
    """
    memory, packing = named(arrays), lent(packing)
    rows, slots, reached = borrowed(rows), borrowed(slots), borrowed(reached)
    actions, words = memory.actions[0], memory.words
    for index in range(last - 1, first - 1, -1):
        if not reached[index]:
            return index
        state, _, m, n = opened(game, like, rows[index * (width + 1) :], packing, words[0], actions, memory.x)
        if m < 1 or n < 1:
            return index
        for i in range(m):
            for j in range(n):
                fit, _, _ = write_successor(
                    game, state, actions[0, i], actions[1, j], is_folded, -1, 0, packing, width, words[1], memory.key
                )
                if fit != ENDED:
                    found = row_with(memory.key, width, rows, slots) if fit == FITS else np.int64(-1)
                    if found < 0 or found >= index:
                        return index
                    reached[found] = 1
    return -1


def check_reached(solution: "Solution", on_progress: Callable[[int], None] | None = None) -> None:
    """Raise BrokenSolution where a position cannot come about from the start, or one that can is not there.

    `on_progress` is told now and then how many positions are done.
    """
    game, root, packing = solution.game, solution.root, solution.packing
    count, width = len(solution.values), packing.width
    if count == 0:
        return
    rows, slots, reached = solution.rows(), np.zeros(1 << (2 * count).bit_length(), np.uint64), np.zeros(count, np.uint8)
    run(fill_slots, rows, np.ones(count, np.uint32), count, width, slots)
    try:
        reached[int(solution.order[solution.place_of(root)])] = 1
    except GameError as error:
        raise BrokenSolution("the start is not among the positions") from error
    arrays: Any = new_memory(game, len(packing.base))
    for last in range(count, 0, -_SLICE):
        found = run(
            mark_reached, game, root, solution.is_folded, rows, max(last - _SLICE, 0), last, width, slots,
            packing.arrays, arrays, reached,
        )  # fmt: skip
        if found >= 0:
            raise BrokenSolution(f"position {found + 1:,} of {count:,} cannot come about from the start, or one after it was not solved")
        if on_progress is not None:
            on_progress(count - max(last - _SLICE, 0))
