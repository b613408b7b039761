"""Chunks of positions: which ones are worked on together and when, and in compiled code what follows from them and what they are worth.

The compiled functions need nothing but the chunk: whoever computes it, and how often, finds the same. What follows from a chunk is
numbered in the order in which it is met, which is the same in both.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import borrowed, jit, jit_part, prefetch
from ...game.base import CHANCE
from ..general.certificate import stage_bounds
from ..general.induction import named
from ..general.positions import enter, hash_of_key, home, row_with
from ..general.successors import (
    BROKEN,
    FITS,
    KNOWN,
    borrowed_packing,
    fill_position,
    leave_unsolved,
    matrix_value,
    read_position,
    shape_of,
)

_LONG, _SHORT = 1.0, 0.02
"""Seconds that finding what follows from a chunk should take, at most and at least."""
_MOST, _LEAST = 1 << 17, 32
"""Positions of a chunk."""
_PIECES = 4
"""Chunks of a level for each worker, where it has positions enough."""
_BUSY = 2
"""Chunks that keep a worker busy: one is on its way while the other is worked on."""
_SUCCESSORS = 1 << 22
"""Successors of a chunk, as far as can be foreseen: up to 32 bytes of each are sent to a worker."""


class Chunk:
    """Positions that are worked on together, all as many moves from the start as the shortest way that led to them was found to have.

    rows: where they are in the table. links: where what follows from them is, in the order in which it was met.
    """

    def __init__(self, level: int, rows: NDArray[np.uint32]) -> None:
        self.level, self.rows, self.links = level, rows, np.zeros(0, np.uint32)
        self.number = 0
        self._watch: NDArray[np.int64] | None = None
        self._is_left: NDArray[np.bool_] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether some positions were tried before all could be."""
        return self._is_left is not None

    def may_be_solved(self, known: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether each position is not solved, and does not wait for one that is known not to be solved."""
        if self._is_left is None or self._watch is None:
            return np.ones(len(self.rows), np.bool_)
        return self._is_left & ((self._watch < 0) | (known[self._watch, HEIGHT] != 0))

    def note(
        self,
        which: NDArray[Any],
        results: NDArray[np.float64],
        watch: NDArray[np.int32],
        links: NDArray[np.uint32],
    ) -> bool:
        """Some were tried, and those that could not be solved wait for some of `links`; returns whether all are solved now."""
        if self._is_left is None or self._watch is None:
            self._is_left, self._watch = np.ones(len(self.rows), np.bool_), np.full(len(self.rows), -1)
        self._is_left[which] = results[:, HEIGHT] == 0
        self._watch[which[watch >= 0]] = links[watch[watch >= 0]]
        return not self._is_left.any()


class OpenPositions:
    """Positions that are found but not expanded, by their distance from the start.

    arrange: puts rows of positions in an order in which those that have successors in common are near each other. A chunk of such
    rows has fewer successors in all, and these are what is sent to and fro. It is called once a level, when all of it is found.
    """

    def __init__(self, arrange: Callable[[NDArray[np.uint32]], NDArray[np.uint32]]) -> None:
        self._arrange = arrange
        self._found: dict[int, list[NDArray[np.uint32]]] = {}
        self._is_arranged = set[int]()
        self.successors = 1.0
        """For each position, in the chunk that was expanded last."""
        self.level = 0
        """Of those that were taken last."""
        self.highest = 0
        """The largest distance."""

    def add(self, level: int, first: int, last: int) -> None:
        """The rows from `first` up to `last` are new, and so far from the start."""
        if last > first:
            self._found.setdefault(level, []).append(np.arange(first, last, dtype=np.uint32))
            self._is_arranged.discard(level)
            self.highest = max(self.highest, level + 1)

    def take(self, workers: int, cost: float, flying: Sequence[int]) -> NDArray[np.uint32] | None:
        """The next positions, nearest to the start first, for a chunk; None where it is better to wait for more.

        cost: seconds for each position; flying: the levels of the chunks that are worked on.
        """
        most = (
            _MOST
            if cost == 0.0
            else max(_LEAST, min(_MOST, int(_LONG / cost), int(_SUCCESSORS / max(self.successors, 1.0))))
        )
        least = _LEAST if cost == 0.0 else max(_LEAST, min(_MOST, int(_SHORT / cost)))
        for level in sorted(self._found):
            count = sum(map(len, self._found[level]))
            if not any(other < level for other in flying):
                if level not in self._is_arranged:
                    self._is_arranged.add(level)
                    self._found[level] = [self._arrange(np.concatenate(self._found[level]))]
                return self._taken(level, min(count, max(least, min(most, -(-count // (_PIECES * workers))))))
            # More of this level will be found. What is taken now is scattered, so no more is taken than keeps the workers busy.
            if count >= (least if len(flying) < workers else most) and len(flying) < _BUSY * workers:
                return self._taken(level, min(count, most))
        return None

    def _taken(self, level: int, size: int) -> NDArray[np.uint32]:
        pieces = self._found.pop(level)
        rows = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        if len(rows) > size:
            self._found[level] = [rows[size:]]
        self.level = level
        return rows[:size]


class Order:
    """The chunks that are not solved, each after all that follow from it; those farthest from the start first."""

    def __init__(self, chunks: list[Chunk], positions: int) -> None:
        self._chunks = chunks
        home = np.zeros(positions, np.uint32)
        for number, chunk in enumerate(chunks):
            chunk.number, home[chunk.rows] = number, number
        self._missing = np.zeros(len(chunks), np.int64)
        self._after: list[list[int]] = [[] for _ in chunks]
        for number, chunk in enumerate(chunks):
            for other in np.flatnonzero(np.bincount(home[chunk.links], minlength=0)).tolist():
                self._after[other].append(number)
                self._missing[number] += 1
        self._left = dict.fromkeys(range(len(chunks)))
        self._ready = [(-chunk.level, chunk.number) for chunk in chunks if self._missing[chunk.number] == 0]
        heapq.heapify(self._ready)

    @property
    def left(self) -> int:
        return len(self._left)

    def take(self) -> Chunk | None:
        """A chunk whose successors are all known; None where there is none."""
        while self._ready:
            number = heapq.heappop(self._ready)[1]
            if number in self._left:
                return self._chunks[number]
        return None

    def waiting(self) -> Iterator[Chunk]:
        return (self._chunks[number] for number in self._left)

    def finish(self, chunk: Chunk) -> None:
        del self._left[chunk.number]
        for number in self._after[chunk.number]:
            self._missing[number] -= 1
            if self._missing[number] == 0 and number in self._left:
                heapq.heappush(self._ready, (-self._chunks[number].level, number))


# A chunk in compiled code.

VALUE, HEIGHT, LOW, HIGH = range(4)
"""Of what is known of a position, one number each; its height is 0 where nothing is. The bounds may be missing."""

TOO_NARROW, TABLE_FULL = range(2)
"""Why a successor could not be entered."""
_AHEAD = 12
"""Keys whose slots are fetched while others are looked for."""


@jit
def enter_all(keys, first, count, width, rows, heights, slots, ws, links):
    """Write to `links` the rows of the first `count` keys, new ones behind the others; returns the first for which there is no room."""
    keys, rows, heights, slots, links = (
        borrowed(keys),
        borrowed(rows),
        borrowed(heights),
        borrowed(slots),
        borrowed(links),
    )
    used = ws.row
    for index in range(first, count):
        if index + _AHEAD < count:
            prefetch(slots, home(hash_of_key(keys[(index + _AHEAD) * width :], width), slots))
        row, used = enter(keys[index * width :], width, rows, heights, slots, used)
        if row < 0:
            ws.row = used
            return index
        links[index] = row
    ws.row = used
    return count


@jit_part
def enter_successor(fit, key, table):
    """Enter a successor into a table; KNOWN, or why it could not be entered."""
    rows, heights, slots, ws = table
    if fit >= 0:
        ws.misfit = fit
        return np.int64(TOO_NARROW), 0.0, 0.0, 0.0, 0.0
    row, ws.row = enter(key, ws.width, rows, heights, slots, ws.row)
    return np.int64(TABLE_FULL if row < 0 else KNOWN), 0.0, 0.0, 0.0, 0.0


@jit
def find_successors(
    game, like, ws, keys, first, last, source, source_width, rows, heights, slots, packing, arrays, inner, cells
):  # fmt: skip
    """Enter what follows from some positions, packed one way, into a table packed another way.

    Returns KNOWN when it is done, or why it came back; `ws.depth` is the position at which it was.
    """
    memory, inner, source, packing = (
        named(arrays),
        named(inner),
        borrowed_packing(source),
        borrowed_packing(packing),
    )
    keys, table = borrowed(keys), (borrowed(rows), borrowed(heights), borrowed(slots), ws)
    form = ws.folded, -1, np.uint64(0), packing, ws.width
    for index in range(first, last):
        ws.depth = index
        position = read_position(
            game, like, keys[index * source_width :], source, memory.words[0], memory.actions[0], memory.x
        )
        why, _, _, _ = fill_position(
            game, like, position, form, enter_successor, table, leave_unsolved, 0, memory, inner, cells
        )
        if why != KNOWN:
            return why
    return np.int64(KNOWN)


@jit_part
def look_up_known(fit, key, table):
    """The known values of a successor; else its row, or BROKEN where it is another one than before."""
    rows, heights, slots, ws, known = table
    row = np.int64(-1)
    if fit == FITS:
        row, ws.row = enter(key, ws.width, rows, heights, slots, ws.row)
    if row < 0 or row >= len(known):
        return np.int64(BROKEN), 0.0, 0.0, 0.0, 0.0
    if known[row, HEIGHT] == 0:
        return row, 0.0, 0.0, 0.0, 0.0
    low, high = (known[row, LOW], known[row, HIGH]) if known.shape[1] > LOW else (0.0, 0.0)
    return np.int64(KNOWN), known[row, HEIGHT], known[row, VALUE], low, high


@jit_part
def solve_filled(node, m, n, cells, solver, memory):
    """(value, least, most) of a stage whose cells are written. solver: (counters, whether the bounds are
    wanted).
    """
    (ws, bounded), (height, side) = solver, shape_of(node, m, n)
    values, low, high = cells[0, : height * side], 0.0, 0.0
    if bounded:
        for at in range(height * side):
            cells[3, at] = values[at]
        _, low, high = stage_bounds(node, m, n, cells, ws.solver, memory)
        values = cells[3, : height * side]
    if node == CHANCE:
        value = 0.0
        for k in range(m):
            value += memory.x[k] * values[k]
        return value, low, high
    return matrix_value(values.reshape((height, side)), m, n, ws, memory), low, high


@jit
def solve_chunk(
    game, like, ws, keys, first, last, packing, rows, heights, slots, known, arrays, inner, cells, results, watch, within
):  # fmt: skip
    """Write the values of positions with all successors known to `results`; returns their number, or BROKEN.

    known: (successors, 2 or 4), in the order of their numbers, which the table has, or gets. watch: of a position that cannot be solved
    yet, a successor that is not known. within: whether positions of the chunk may follow from each other, and what is
    found of one is written to `known` for the others. cells: shape (2, 4, cells of a stage), the second for what is solved within one.
    """
    memory, inner, width, packing = named(arrays), named(inner), ws.width, borrowed_packing(packing)
    keys, rows, heights, slots = borrowed(keys), borrowed(rows), borrowed(heights), borrowed(slots)
    known, cells, results, watch = borrowed(known), borrowed(cells), borrowed(results), borrowed(watch)
    form, table, bounded = (
        (ws.folded, -1, np.uint64(0), packing, width),
        (rows, heights, slots, ws, known),
        known.shape[1] > LOW,
    )
    solved = 0
    for index in range(first, last):
        if results[index, HEIGHT] != 0 or (watch[index] >= 0 and known[watch[index], HEIGHT] == 0):
            continue
        position = read_position(
            game, like, keys[index * width :], packing, memory.words[0], memory.actions[0], memory.x
        )
        by_saddle, by_form, by_program = ws.saddle_stages, ws.closed_form_stages, ws.lp_stages
        why, height, ends, edges = fill_position(
            game,
            like,
            position,
            form,
            look_up_known,
            table,
            solve_filled,
            (ws, bounded),
            memory,
            inner,
            cells,
        )
        if why == BROKEN:
            return BROKEN
        watch[index] = why
        if why != KNOWN:  # what was solved within it is counted when all of it is
            ws.saddle_stages, ws.closed_form_stages, ws.lp_stages = by_saddle, by_form, by_program
            continue
        _, node, m, n = position
        value, low, high = solve_filled(node, m, n, cells[0], (ws, bounded), memory)
        if bounded:
            results[index, LOW], results[index, HIGH] = low, high
        ws.chance_positions += node == CHANCE
        results[index, VALUE], results[index, HEIGHT] = value, height + 1
        solved += 1
        ws.ends += ends
        ws.edges += m * n + edges
        if within:
            row = row_with(keys[index * width :], width, rows, slots)
            if row >= 0:
                for k in range(known.shape[1]):
                    known[row, k] = results[index, k]
    return solved
