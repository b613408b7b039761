"""Backward induction by many processes: this one keeps the table, and hands out chunks of positions.

First positions are found, the next from those that are known; a chunk's successors are entered into the table, and their rows are kept
with the chunk. Then chunks are solved whose successors all are: the values that a chunk needs go with it, and no others. Where the
positions of a chunk follow from each other, or those of two chunks from one another, what can be solved is solved, round by round; who
waits is asked again when a successor that was missing is known.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled.call import run
from ...game.base import Game
from ..general.certificate import Certificate
from ..general.induction import new_record
from ..general.packing import Packing, repack
from ..general.positions import HIGHEST
from ..general.solution import rows_of
from ..general.solve import Solver, does_not_end
from .chunks import HEIGHT, HIGH, LOW, VALUE, Chunk, OpenPositions, Order, enter_all
from .tasks import (
    COUNTED,
    ChunkSuccessors,
    ChunkValues,
    evaluate,
    expand,
    likely_packing,
    pack_rules,
    warm_rules,
)

_LOOK = 0.25
"""Seconds between two looks at how it stands."""
_HERE = 0.005
"""Seconds of work that are sooner done here than sent."""
_GROUPS = 2
"""Questions a round for each worker, where no chunk can be solved whole."""


class SharedInduction(Solver):
    """Backward induction over the positions that can come about from a start, by the processes of a pool.

    What is found is what `Induction` finds, bit for bit. `pool` is a `DaskCluster`, or what has its `slots` and `submit`.
    `bounded`: the certificate is computed, too. For the other arguments, and
    what is raised, see `Induction`; `memory` is for the table alone: what is known of positions, and where their successors are, takes some
    50 to 100 bytes a position more.
    """

    def __init__(
        self,
        game: Game,
        state: Any = None,
        *,
        pool: Any,
        bounded: bool = True,
        memory: float = float("inf"),
        folder: Path | None = None,
        on_disk: Callable[[int], None] | None = None,
        fold: bool = False,
    ) -> None:
        super().__init__(game, state, fold, memory, folder, on_disk)
        self.pool, self._bounded = pool, bounded
        self.rules = pack_rules(game, self.root)
        self.known = np.zeros((0, 4 if bounded else 2))
        """The known values of each row's position; see `kernels`."""
        warm_rules(
            self.rules, self.is_folded, bounded
        )  # what is compiled, or loaded, is ready before the time counts
        self._began = time.perf_counter()
        self._record, self._is_written = new_record(), False
        self.is_found = False
        """Whether all positions are found."""
        self.solved = 0
        """How many are solved."""
        self.level = 0
        """Moves from the start to those that are worked on."""
        self._on_progress: Callable[[SharedInduction], None] | None = None
        self._counted = dict.fromkeys(COUNTED, 0)
        self._cost = [0.0, 0.0]  # seconds that finding, and solving, takes for a position
        self._flying: dict[Future[Any], tuple[Chunk, Any]] = {}

    @property
    def value(self) -> float:
        return (
            float(self.game.returns(self.root))
            if self.is_over
            else self.kept.worth(float(self.known[0, VALUE]))
        )

    def counted(self) -> dict[str, int]:
        return {"filled": self.solved, **self._counted}

    def share_done(self) -> float:
        return self.solved / max(self.positions.used, 1)

    def certificate(self) -> Certificate:
        """The certificate of the strategies, equal to that of `certificate_of`; only if `bounded`."""
        if self.is_over:
            return Certificate(self.value, self.value, 0.0, 0)
        gaps = self.known[:, HIGH] - self.known[:, LOW]
        ends = [self.kept.worth(float(self.known[0, bound])) for bound in (LOW, HIGH)]
        return Certificate(min(ends), max(ends), max(float(gaps.max()), 0.0), len(gaps))

    def solve(self, on_progress: "Callable[[SharedInduction], None] | None" = None) -> None:
        """Solve all positions; `on_progress` is called with this every now and then, and what it raises ends the work.

        Raises what the pool's futures raise, and what the rules do.
        """
        self._on_progress = on_progress
        self._began = time.perf_counter()  # what waited for workers before does not count
        if not self.is_over:
            chunks = self._find()
            self.is_found = True
            self._solve(chunks)
            self.write_known()
            self._is_written = True
        self.seconds = time.perf_counter() - self._began

    def write_known(self) -> int:
        """Let the table have what is known, and no positions but those that are solved; returns how many these are."""
        table, count = self.positions, len(self.known)
        if count and not self._is_written:  # once all is solved its rows may be sorted
            table.heights[:count] = self.known[:, HEIGHT]
            rows = table.rows[: count * (table.packing.width + 1)].reshape(count, -1)
            rows[:, -1] = np.ascontiguousarray(self.known[:, VALUE]).view(np.uint64)
            table.filled = int(np.count_nonzero(self.known[:, HEIGHT]))
        return table.filled if count else 0

    # -- finding ------------------------------------------------------------------------------------------------------

    def _find(self) -> list[Chunk]:
        chunks: list[Chunk] = []
        waiting = OpenPositions(self._arranged)
        key = np.zeros((1, 1), np.uint64)  # in a packing in which only this state fits
        self._enter(key, waiting, 0)
        self.positions.widen(likely_packing(self.rules, self.is_folded, self.positions.packing, key))
        while True:
            slots = self.pool.slots
            while len(self._flying) < 2 * slots + 1:
                rows = waiting.take(slots, self._cost[0], [chunk.level for chunk, _ in self._flying.values()])
                if rows is None:
                    break
                chunk = Chunk(waiting.level, rows)
                chunks.append(chunk)
                self._ask(chunk, None, 0, expand, self.positions.packing, self._keys(rows))
                for done, _, found in self._answers(wait_for=False):
                    self._found(done, found, waiting)
            if not self._flying:
                return chunks
            for done, _, found in self._answers():
                self._found(done, found, waiting)
            self._tell()

    def _found(self, chunk: Chunk, found: ChunkSuccessors, waiting: OpenPositions) -> None:
        chunk.links = self._enter(self._in_own_packing(found.packing, found.keys), waiting, chunk.level + 1)
        waiting.successors = len(chunk.links) / len(chunk.rows)
        self._note(0, len(chunk.rows), found.seconds)
        if waiting.highest > min(self.game.max_depth, HIGHEST):
            raise does_not_end(self.game)
        self.level = chunk.level

    def _enter(self, keys: NDArray[np.uint64], waiting: OpenPositions, level: int) -> NDArray[np.uint32]:
        """Enter positions that are all the same number of moves from the start; returns their rows."""
        table, record, links = self.positions, self._record, np.empty(len(keys), np.uint32)
        before, done, flat = table.used, 0, keys.reshape(-1)
        while True:
            done = run(
                enter_all,
                flat,
                done,
                len(keys),
                table.packing.width,
                table.rows,
                table.heights,
                table.slots,
                record,
                links,
            )
            table.used = table.filled = int(record["row"])
            if done == len(keys):
                break
            table.grow()
        waiting.add(level, before, table.used)
        return links

    def _in_own_packing(self, packing: Packing, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Keys as this process packs them, widening its packing where need be."""
        table = self.positions
        wide = table.packing.united(packing)
        if wide is not table.packing:
            table.widen(wide)
        if packing.is_like(wide):
            return keys
        rows = rows_of(keys, np.zeros(len(keys)))
        packed = np.empty((len(keys), wide.width + 1), np.uint64)
        run(
            repack,
            rows.reshape(-1),
            len(keys),
            packing.width,
            packing.arrays,
            packed.reshape(-1),
            wide.width,
            wide.arrays,
            np.empty_like(self.start_words),
            np.zeros(1, np.int64),
        )
        return np.ascontiguousarray(packed[:, :-1])

    # -- solving ------------------------------------------------------------------------------------------------------

    def _solve(self, chunks: list[Chunk]) -> None:
        count = self.positions.used
        self.known = np.zeros((count, self.known.shape[1]))
        order = Order(chunks, count)
        while order.left:
            slots = self.pool.slots
            while len(self._flying) < 2 * slots + 1 and (chunk := order.take()) is not None:
                self.level = chunk.level
                if chunk.is_begun:
                    self._ask_for_some([(chunk, np.flatnonzero(chunk.may_be_solved(self.known)))])
                else:
                    self._ask(
                        chunk,
                        None,
                        1,
                        evaluate,
                        self.positions.packing,
                        self._keys(chunk.rows),
                        np.take(self.known, chunk.links, axis=0),
                        None,
                    )
                self._done(self._answers(wait_for=False), order)
            if self._flying:
                self._done(self._answers(), order)
                self._tell()
            elif order.left:
                self._solve_some(order)

    def _solve_some(self, order: Order) -> None:
        """No chunk can be solved whole: solve those positions that can, of several chunks together."""
        parts = [
            (chunk, which)
            for chunk in order.waiting()
            if len(which := np.flatnonzero(chunk.may_be_solved(self.known)))
        ]
        if not parts:
            raise does_not_end(self.game)
        size = -(-sum(len(which) for _, which in parts) // (_GROUPS * self.pool.slots))
        group: list[tuple[Chunk, NDArray[np.int64]]] = []
        for part in parts:
            group.append(part)
            if sum(len(which) for _, which in group) >= size or part is parts[-1]:
                self._ask_for_some(group)
                group = []
        while self._flying:  # nobody is asked twice at a time
            self._done(self._answers(), order)
            self._tell()

    def _ask_for_some(self, parts: list[tuple[Chunk, NDArray[np.int64]]]) -> None:
        """Ask for some positions of some chunks, which may have successors that are not solved."""
        is_linked = np.zeros(len(self.known), np.bool_)
        for chunk, _ in parts:
            is_linked[chunk.links] = True
        links = np.flatnonzero(is_linked).astype(np.uint32)
        rows = np.concatenate([chunk.rows[which] for chunk, which in parts])
        known, successors = np.take(self.known, links, axis=0), self._keys(links)
        self._ask(
            parts[0][0],
            (parts, links),
            1,
            evaluate,
            self.positions.packing,
            self._keys(rows),
            known,
            successors,
        )

    def _done(self, answers: "Iterator[tuple[Chunk, Any, ChunkValues]]", order: Order) -> None:
        for chunk, some, solved in answers:
            results, parts = (
                solved.results,
                [(chunk, np.arange(len(chunk.rows)))] if some is None else some[0],
            )
            self.known[np.concatenate([one.rows[which] for one, which in parts])] = results
            self._note(1, len(results), solved.seconds)
            if results[:, HEIGHT].max(initial=0) > min(self.game.max_depth, HIGHEST):
                raise does_not_end(self.game)
            for name, number in zip(COUNTED, solved.counted, strict=True):
                self._counted[name] += number
            self.solved += int(np.count_nonzero(results[:, HEIGHT]))
            if some is None:
                order.finish(chunk)
                continue
            first = 0
            for one, which in parts:
                last = first + len(which)
                if one.note(which, results[first:last], solved.watch[first:last], some[1]):
                    order.finish(one)
                first = last

    # -- asking -------------------------------------------------------------------------------------------------------

    def _keys(self, rows: NDArray[np.uint32]) -> NDArray[np.uint64]:
        width = self.positions.packing.width
        table = self.positions.rows[: self.positions.used * (width + 1)].reshape(-1, width + 1)
        return np.ascontiguousarray(np.take(table, rows, axis=0)[:, :-1])

    def _arranged(self, rows: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Rows in the order of their keys' first words: alike positions mostly have like keys, and successors in common."""
        stride = self.positions.packing.width + 1
        return rows[np.argsort(self.positions.rows[: self.positions.used * stride : stride][rows])]

    def _ask(self, chunk: Chunk, which: Any, phase: int, function: Callable[..., Any], *args: Any) -> None:
        """Have it computed, here where that is as soon done."""
        asked = len(args[1])
        question = (self.rules, self.is_folded, *args)
        is_small = asked == 1 if self._cost[phase] == 0.0 else asked * self._cost[phase] < _HERE
        if is_small and not self._flying:
            future: Future[Any] = Future()
            future.set_result(function(lambda: None, *question))
        else:
            future = self.pool.submit(function, *question)
        self._flying[future] = chunk, which

    def _answers(self, wait_for: bool = True) -> "Iterator[tuple[Chunk, Any, Any]]":
        """The finished results, each with its chunk; it waits a moment for the first."""
        done, _ = wait(self._flying, _LOOK if wait_for else 0.0, FIRST_COMPLETED)
        for future in done:
            chunk, which = self._flying.pop(future)
            yield chunk, which, future.result()

    def _note(self, phase: int, positions: int, seconds: float) -> None:
        if positions:
            self._cost[phase] = max(seconds / positions, 1e-8)

    def _tell(self) -> None:
        self.seconds = time.perf_counter() - self._began
        if self._on_progress is not None:
            self._on_progress(self)
