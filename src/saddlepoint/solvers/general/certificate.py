"""A solution's certificate: what its strategies guarantee against every best response, computed position by position from the end.

The values of the solution only say which mixtures are played. What these guarantee is worked out without them, from ended games
alone: the bounds are right whatever the values are.
"""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Annotated, Any, NamedTuple

import numpy as np
from msgspec import Meta

from ...algorithms.simultaneous.solver_address import solve_at, solver_address
from ...compiled import borrowed, jit, jit_part, prefetch, read_again
from ...compiled.call import run
from ...game.base import CHANCE
from .induction import cells_of_a_stage, named, new_memory
from .packing import inverse
from .positions import row_with, slots_of
from .solution import Solution
from .successors import BROKEN, FITS, KNOWN, borrowed_packing, fill_position, read_position, shape_of

BLOCK = 1 << 10
"""Positions that a thread takes at a time."""
_AHEAD = 8
"""Positions whose rows are fetched while others are worked on."""
_SLICE = 400 * BLOCK
"""Positions between two moments in which progress is reported."""


Finite = Annotated[float, Meta(ge=-1.7e308, le=1.7e308)]


@dataclass(frozen=True)
class Certificate:
    """The values that both players' strategies guarantee from the start: the game's value lies between the
    two.

    Of a folded solution an image's strategies are those of the position that is kept, under the image's names.
    """

    lower: Finite
    """The least that player 0's strategy gets, whatever player 1 does."""
    upper: Finite
    """The most that player 0 can get against player 1's strategy."""
    worst_gap: Finite
    """The largest distance of the two from any position."""
    positions: int

    @property
    def gap(self) -> float:
        """The sum of the gains by best responses to both strategies (NashConv)."""
        return max(self.upper - self.lower, 0.0)


class SolvedGame(NamedTuple):
    """The result of solving, by any method."""

    counts: Any
    """The method's counts: `SolveCounts`, `CycleCounts`, or of a method for games in turn its result, `TurnValue`."""
    solution: Any
    """The `Solution`, values and strategies of every position; None of methods for games in turn, which keep none."""
    certificate: Certificate | None = None
    """The bounds that both strategies guarantee; the value of the game lies between the two."""
    interval: tuple[float, float] | None = None
    """Of the method `values`: lower and upper value of the start, for any value of endless play in the range of results."""


class BrokenSolution(ValueError):
    """A solution that is none of this game: the message says where."""


@jit_part
def stage_bounds(node, m, n, cells, solver, memory):
    """(value, least, most) of a stage: what it is worth, and what its strategies leave to player 0 by what those of its successors do.

    cells: shape (3 or more, cells of a stage), as `fill_stage` writes them; the values are used up. Chance's probabilities are in
    `memory.x`.
    """
    height, side = shape_of(node, m, n)
    values, lows, highs = cells[0, : height * side].reshape((height, side)), cells[1], cells[2]
    if node == CHANCE:
        low, high, value = 0.0, 0.0, 0.0
        for i in range(m):
            low += memory.x[i] * lows[i]
            high += memory.x[i] * highs[i]
            value += memory.x[i] * values[i, 0]
        return value, low, high
    value = solve_at(solver, values, m, n, memory.x, memory.y, memory.work)[0]
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
    return value, low, high


STOPPED = -3
"""Another thread has found something wrong."""


@jit_part
def look_up_bounds(fit, key, table):
    """The bounds of a kept position, once its thread has computed them.

    BROKEN where it was not solved before.
    """
    rows, slots, reals, order, width, index, first, done, bounds = table
    place = row_with(key, width, rows, slots) if fit == FITS else np.int64(-1)
    if place < 0 or order[place] >= index:
        return np.int64(BROKEN), 0.0, 0.0, 0.0, 0.0
    found = np.int64(order[place])
    while found < first and read_again(done, found // BLOCK) == 0:
        if read_again(done, len(done) - 1) != 0:
            return np.int64(STOPPED), 0.0, 0.0, 0.0, 0.0
    return np.int64(KNOWN), 0.0, reals[place * (width + 1) + width], bounds[place, 0], bounds[place, 1]


@jit
def certify(
    game, like, is_folded, rows, order, places, first, last, width, slots, reals, packing, arrays, inner, solver, cells, done,
    bounds, errors,
):  # fmt: skip
    """Fill `bounds` (positions, 2) from one position up to another; returns the first one without all successors before it, or `last`.

    Positions are counted as they were solved: `places` has the row of each, and of its bounds, `order` the contrary.
    `errors` (one a block) gets by how much a value differs at most from what those of the successors give. Another thread may be at
    those before; `done` says which blocks are ready, and as its last item that nobody shall wait any more.
    """
    memory, inner, packing = named(arrays), named(inner), borrowed_packing(packing)
    rows, slots, reals, order = borrowed(rows), borrowed(slots), borrowed(reals), borrowed(order)
    places, cells, done = borrowed(places), borrowed(cells), borrowed(done)
    bounds, errors = borrowed(bounds), borrowed(errors)
    form = is_folded, -1, np.uint64(0), packing, width
    for index in range(first, last):
        if index + _AHEAD < last:
            prefetch(rows, np.int64(places[index + _AHEAD]) * (width + 1))
        place = np.int64(places[index])
        position = read_position(
            game, like, rows[place * (width + 1) :], packing, memory.words[0], memory.actions[0], memory.x
        )
        table = rows, slots, reals, order, width, index, first, done, bounds
        why, _, _, _ = fill_position(
            game, like, position, form, look_up_bounds, table, stage_bounds, solver, memory, inner, cells
        )
        if why != KNOWN:
            return last if why == STOPPED else index
        _, node, m, n = position
        value, low, high = stage_bounds(node, m, n, cells[0], solver, memory)
        bounds[place, 0], bounds[place, 1] = low, high
        errors[index // BLOCK] = max(errors[index // BLOCK], abs(value - reals[place * (width + 1) + width]))
    return last


def certificate_of(
    solution: Solution, on_progress: Callable[[int], None] | None = None, *, threads: int = 1
) -> Certificate:
    """The certificate of a solution's strategies.

    Raises BrokenSolution where positions or their order are not the game's.

    It holds for any values: `examined` computes their error. `on_progress` is called now and then with the
    number of positions done.
    """
    return examined(solution, on_progress, threads=threads)[0]


def examined(
    solution: Solution, on_progress: Callable[[int], None] | None = None, *, threads: int = 1
) -> tuple[Certificate, float]:
    """The certificate, as `certificate_of` gives it, and by how much a value differs at most from what its successors' give."""
    game, root, count = solution.game, solution.root, len(solution)
    if count == 0:
        result = float(game.returns(root))
        return Certificate(result, result, 0.0, 0), 0.0
    bounds = _Bounds(solution, threads)
    with ThreadPoolExecutor(threads) as pool:
        try:
            for first in range(0, count, _SLICE):
                last = min(first + _SLICE, count)
                list(pool.map(bounds.fill_block, range(first, last, BLOCK)))
                if on_progress is not None:
                    on_progress(last)
        except BaseException:
            bounds.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    start = solution.place_of(root)
    if solution.order[start] != count - 1:
        raise BrokenSolution("the start is not the position that was solved last")
    gap = max(float(np.diff(bounds.found[first : first + _SLICE]).max()) for first in range(0, count, _SLICE))
    ends = [solution.kept(root).worth(float(bound)) for bound in bounds.found[start]]
    return Certificate(min(ends), max(ends), max(gap, 0.0), count), float(bounds.errors.max())


class _Bounds:
    """The bounds of all positions, filled block by block in ascending order by several threads."""

    def __init__(self, solution: Solution, threads: int) -> None:
        packing, count = solution.packing, len(solution)
        self._solution, self._rows, self._places = (
            solution,
            solution.rows.reshape(-1),
            inverse(solution.order),
        )
        self._slots = slots_of(solution.rows)
        self._memories = SimpleQueue[Any]()
        for _ in range(threads):
            own, inner = (new_memory(solution.game, len(packing.base)) for _ in range(2))
            self._memories.put((own, inner, np.zeros((2, 3, cells_of_a_stage(solution.game)))))
        self._done = np.zeros(-(-count // BLOCK) + 1, np.uint64)
        self.found, self.errors = np.zeros((count, 2)), np.zeros(len(self._done) - 1)
        self._fill(0, 0)  # nothing yet: it is compiled before several threads ask for it

    def fill_block(self, first: int) -> None:
        """Fill the block that begins there, all blocks before being filled or in work."""
        last = min(first + BLOCK, len(self.found))
        broken = self._fill(first, last)
        if broken < last:
            raise BrokenSolution(
                f"position {broken + 1:,} of {len(self.found):,} has a successor that was not solved before it"
            )
        self._done[first // BLOCK] = 1

    def stop(self) -> None:
        self._done[-1] = 1

    def _fill(self, first: int, last: int) -> int:
        solution, packing = self._solution, self._solution.packing
        memory = arrays, inner, cells = self._memories.get()
        try:
            return run(
                certify,
                solution.game,
                solution.root,
                solution.is_folded,
                self._rows,
                solution.order,
                self._places,
                first,
                last,
                packing.width,
                self._slots,
                self._rows.view(np.float64),
                packing.arrays,
                arrays,
                inner,
                solver_address(),
                cells,
                self._done,
                self.found,
                self.errors,
            )
        finally:
            self._memories.put(memory)
