"""A solution's certificate: what its strategies guarantee against every best response, computed position by position from the end.

The values of the solution only say which mixtures are played. What these guarantee is worked out without them, from ended games
alone: the bounds are right whatever the values are.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.simultaneous.solver_address import solve_at, solver_addresses
from ...compiled import borrowed, jit, put_words, state_from_words, word_count
from ...compiled.call import run
from ...game import CHANCE, TERMINAL
from .induction import cells_of_a_stage, named, new_memory
from .packing import pack, unpack
from .positions import fill_slots, find, hash_of_key
from .stages import list_choices

if TYPE_CHECKING:
    from .solution import Solution


_SLICE = 100_000
"""Positions between two moments in which Ctrl-C is heard."""


@dataclass(frozen=True)
class Certificate:
    """What both players' strategies guarantee from the start: the game's value lies between the two."""

    lower: float
    """The least that player 0's strategy gets, whatever player 1 does."""
    upper: float
    """The most that player 0 can get against player 1's strategy."""
    worst_gap: float
    """The largest distance of the two from any position."""
    positions: int

    @property
    def gap(self) -> float:
        """What best responses to both strategies gain together (NashConv)."""
        return max(self.upper - self.lower, 0.0)


class BrokenSolution(ValueError):
    """A solution that is none of this game: the message says where."""


@jit
def certify(game, like, rows, first, last, width, slots, reals, packing, arrays, solver, cells, bounds):
    """Fill `bounds` (positions, 2) from one position up to another; returns the first one without all successors before it."""
    memory = named(arrays)
    base, mask, place, shift = borrowed(packing[0]), borrowed(packing[1]), borrowed(packing[2]), borrowed(packing[3])
    rows, slots, reals = borrowed(rows), borrowed(slots), borrowed(reals)
    cells, bounds = borrowed(cells), borrowed(bounds)
    actions, words, key, count = memory.actions[0], memory.words, memory.key, word_count(like)
    for index in range(first, last):
        unpack(rows[index * (width + 1) :], count, base, mask, place, shift, words[0])
        state = state_from_words(words[0], like)
        node = np.int64(game.current_player(state))
        m, n = list_choices(game, state, node, actions[0], actions[1], memory.x)
        side = max(m, n)
        values, lows, highs = cells[0, : side * side], cells[1, : side * side], cells[2, : side * side]
        for i in range(m):
            for j in range(n):
                child, at = game.successor(state, actions[0, i], actions[1, j]), i * side + j
                if game.current_player(child) == TERMINAL:
                    values[at] = lows[at] = highs[at] = game.returns(child)
                    continue
                put_words(child, words[1])
                found = np.int64(-1)
                if pack(words[1], count, base, mask, place, shift, width, key) < 0:
                    found = find(key, width, hash_of_key(key, width), rows, slots)
                if found < 0 or found >= index:
                    return index
                values[at], lows[at], highs[at] = reals[found * (width + 1) + width], bounds[found, 0], bounds[found, 1]
        if node == CHANCE:
            bounds[index, 0] = bounds[index, 1] = 0.0
            for i in range(m):
                bounds[index, 0] += memory.x[i] * lows[i * side]
                bounds[index, 1] += memory.x[i] * highs[i * side]
            continue
        solve_at(solver, values.reshape((side, side)), m, n, memory.x, memory.y, memory.work)
        low, high = math.inf, -math.inf
        for j in range(n):
            reply = 0.0
            for i in range(m):
                reply += memory.x[i] * lows[i * side + j]
            low = min(low, reply)
        for i in range(m):
            reply = 0.0
            for j in range(n):
                reply += memory.y[j] * highs[i * side + j]
            high = max(high, reply)
        bounds[index, 0], bounds[index, 1] = low, high
    return last


def certificate_of(solution: "Solution") -> Certificate:
    """What a solution's strategies guarantee; raises BrokenSolution where a position or an order of them is not this game's."""
    game, root, packing = solution.game, solution.root, solution.packing
    count, width = len(solution.values), packing.width
    if count == 0:
        result = float(game.returns(root))
        return Certificate(result, result, 0.0, 0)
    rows = solution.rows()
    slots = np.zeros(1 << (2 * count).bit_length(), np.uint64)
    run(fill_slots, rows, count, width, slots)
    arrays: Any = new_memory(game, len(packing.base))
    bounds, cells = np.zeros((count, 2)), np.zeros((3, cells_of_a_stage(game)))
    for first in range(0, count, _SLICE):
        last = min(first + _SLICE, count)
        found = run(
            certify, game, root, rows, first, last, width, slots, rows.view(np.float64),
            (packing.base, packing.mask, packing.place, packing.shift), arrays, solver_addresses()[0], cells, bounds,
        )  # fmt: skip
        if found < last:
            raise BrokenSolution(f"position {found + 1:,} of {count:,} has a successor that was not solved before it")
    if solution.place_of(root) != int(np.flatnonzero(solution.order == count - 1)[0]):
        raise BrokenSolution("the start is not the position that was solved last")
    gaps = bounds[:, 1] - bounds[:, 0]
    return Certificate(float(bounds[-1, 0]), float(bounds[-1, 1]), max(float(gaps.max()), 0.0), count)
