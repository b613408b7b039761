"""Which positions are worked on together, and when."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import HEIGHT

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
        """Of each position whether it is not solved, and waits for none of which that is known."""
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
        missing = which[watch >= 0]
        self._watch[missing] = links[watch[watch >= 0]]
        return not self._is_left.any()


class OpenPositions:
    """Positions that were found, and from which nothing was yet looked for, by their distance from the start.

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
        """How many are not solved."""
        return len(self._left)

    def take(self) -> Chunk | None:
        """A chunk all of whose successors are known; None where there is none."""
        while self._ready:
            number = heapq.heappop(self._ready)[1]
            if number in self._left:
                return self._chunks[number]
        return None

    def waiting(self) -> Iterator[Chunk]:
        """Those that are not solved."""
        return (self._chunks[number] for number in self._left)

    def finish(self, chunk: Chunk) -> None:
        """All positions of a chunk are solved."""
        del self._left[chunk.number]
        for number in self._after[chunk.number]:
            self._missing[number] -= 1
            if self._missing[number] == 0 and number in self._left:
                heapq.heappush(self._ready, (-self._chunks[number].level, number))
