"""Whether the positions of a solution can come about: rules are safe with no others, and those of a file may be anything."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...compiled import borrowed, jit, jit_part, run, state_from_words
from ...game import GameError
from .certificate import BrokenSolution
from .induction import named, new_memory
from .slots import row_with, slots_of
from .sorting import inverse
from .stages import list_choices
from .successors import ENDED, FITS, WITHIN, lent, opened, write_successor

if TYPE_CHECKING:
    from .solution import Solution

_SLICE = 100_000
"""Positions between two moments in which Ctrl-C is heard."""


@jit_part
def mark_one(fit, index, key, width, table, reached):
    """Mark a position that is kept; returns whether it was solved before."""
    rows, slots, order = table
    found = row_with(key, width, rows, slots) if fit == FITS else np.int64(-1)
    if found < 0 or order[found] >= index:
        return False
    reached[found] = 1
    return True


@jit_part
def mark_after(game, like, state, m, n, actions, is_folded, index, width, table, packing, memory, inner, reached):
    """Mark what follows a position, also from choices within it; returns whether all of it was solved before."""
    if m < 1 or n < 1:
        return False
    words, key = memory.words, memory.key
    for i in range(m):
        for j in range(n):
            fit, _, _ = write_successor(game, state, actions[0, i], actions[1, j], is_folded, -1, 0, packing, width, words[1], key)
            if fit == WITHIN:
                choice = state_from_words(words[1], like)
                own = inner.actions[0]
                rows_, columns = list_choices(game, choice, np.int64(game.current_player(choice)), own[0], own[1], inner.x)
                if rows_ < 1 or columns < 1:
                    return False
                for a in range(rows_):
                    for b in range(columns):
                        fit, _, _ = write_successor(
                            game, choice, own[0, a], own[1, b], is_folded, -1, 0, packing, width, words[2], key
                        )
                        if fit != ENDED and not mark_one(fit, index, key, width, table, reached):
                            return False
            elif fit != ENDED and not mark_one(fit, index, key, width, table, reached):
                return False
    return True


@jit
def mark_reached(game, like, is_folded, rows, order, places, first, last, width, slots, packing, arrays, inner, reached):
    """Mark what follows the positions from `last` - 1 down to `first`; returns the first that was not reached or is not solved, or -1.

    Nor is one solved in which somebody has to choose and has nothing to choose. Positions are counted as they were solved: `places`
    tells which row each has, `order` the contrary; `reached` is by rows.
    """
    memory, inner, packing = named(arrays), named(inner), lent(packing)
    rows, slots, order, places, reached = borrowed(rows), borrowed(slots), borrowed(order), borrowed(places), borrowed(reached)
    actions, table = memory.actions[0], (rows, slots, order)
    for index in range(last - 1, first - 1, -1):
        place = np.int64(places[index])
        if not reached[place]:
            return index
        state, _, m, n = opened(game, like, rows[place * (width + 1) :], packing, memory.words[0], actions, memory.x)
        if not mark_after(game, like, state, m, n, actions, is_folded, index, width, table, packing, memory, inner, reached):
            return index
    return -1


def check_reached(solution: "Solution", on_progress: Callable[[int], None] | None = None) -> None:
    """Raise BrokenSolution where a position cannot come about from the start, or one that can is not there.

    `on_progress` is told now and then how many positions are done.
    """
    game, root, packing = solution.game, solution.root, solution.packing
    count, width = len(solution), packing.width
    if count == 0:
        return
    rows, slots, reached = solution.rows.reshape(-1), slots_of(solution.rows), np.zeros(count, np.uint8)
    order, places = solution.order, inverse(solution.order)
    try:
        reached[solution.place_of(root)] = 1
    except GameError as error:
        raise BrokenSolution("the start is not among the positions") from error
    arrays, inner = (new_memory(game, len(packing.base)) for _ in range(2))
    for last in range(count, 0, -_SLICE):
        found = run(
            mark_reached, game, root, solution.is_folded, rows, order, places, max(last - _SLICE, 0), last, width, slots,
            packing.arrays, arrays, inner, reached,
        )  # fmt: skip
        if found >= 0:
            raise BrokenSolution(f"position {found + 1:,} of {count:,} cannot come about from the start, or one after it was not solved")
        if on_progress is not None:
            on_progress(count - max(last - _SLICE, 0))
