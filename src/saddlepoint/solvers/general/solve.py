"""Solve a game: every position that can come about from a start, each once."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...algorithms.algorithm import UnsupportedGameError, check_numbers
from ...algorithms.simultaneous.solver_address import solver_address
from ...compiled import put_words, word_count
from ...compiled.call import run
from ...compiled.states import as_machine_words
from ...game.base import TERMINAL, Game
from .induction import (
    CELLS_FULL,
    COLUMNS,
    LEFT,
    ROWS,
    SOLVED,
    STOP,
    TABLE_FULL,
    TOO_DEEP,
    TOO_NARROW,
    USED,
    InductionArrays,
    begin,
    induce,
    new_memory,
    new_record,
)
from .packing import Folded, Packing, can_fold, first_packing, folded, least_packing, ranges_of
from .positions import HIGHEST, PositionTable

COUNTED = ("filled", "chance_positions", "saddle_stages", "closed_form_stages", "lp_stages", "ends", "edges")
"""The counters of every thread."""
_SLICE = 20_000
"""Positions between two looks at the clock, at first; later as many as take `_PAUSE` seconds."""
_PAUSE = 0.2
_CLOSER = 32
"""So often positions are packed as closely as can be before they get another word: numbers that grow and grow would ask for it for ever."""


@dataclass(frozen=True)
class SolveCounts:
    """The counts of solving."""

    positions: int
    """Distinct positions that are not ended, chance's among them: each was solved once; of those that are folded, the kept ones.

    Stages are counted below whether their positions are kept or were solved within one of chance."""
    chance_positions: int
    saddle_stages: int
    closed_form_stages: int
    lp_stages: int
    ends: int
    """Visits of ended positions, each visit counted."""
    edges: int
    """Moves from one position to another, each once."""
    seconds: float
    share_done: float
    """The share of the branches that is done, from 0 to 1: no measure of the time, since what meets again is solved once."""

    @property
    def stages(self) -> int:
        """Stage matrices solved: one for each position at which a player chooses, kept or not."""
        return self.saddle_stages + self.closed_form_stages + self.lp_stages


class Worker:
    """The data of one thread: counters and limits, and its stack."""

    def __init__(
        self, game: Game, words: int, thread: int, threads: int, is_folded: bool, is_valued: bool
    ) -> None:
        self.ws, self.arrays = new_record(), new_memory(game, words)
        self.ws["thread"], self.ws["threads"], self.ws["folded"], self.ws["unvalued"] = (
            thread,
            threads,
            is_folded,
            not is_valued,
        )
        self.ws["deepest"], self.ws["solver"] = min(game.max_depth, HIGHEST), solver_address()
        self.ws["depth"] = -1

    def share_done(self) -> float:
        """The share of the root's stage that is known, each cell counting alike, in each stage on the stack too."""
        share, part = 0.0, 1.0
        for frame in self.arrays[0][: int(self.ws["depth"]) + 1]:
            cells = int(frame[ROWS] * frame[COLUMNS])
            share += part * (1 - int(frame[LEFT]) / cells)
            part /= cells
        return share

    def grow(self) -> None:
        *before, cells, x, y, work = self.arrays
        self.arrays = (*before, np.concatenate([cells, np.zeros(len(cells))]), x, y, work)

    def states(self, and_next: bool) -> NDArray[np.int64]:
        """The words of the positions on the stack, and of the one that is looked at, as signed numbers."""
        return InductionArrays(*self.arrays).words[: int(self.ws["depth"]) + 1 + and_next].view(np.int64)

    def misfit(self) -> tuple[int, int]:
        """Which word of a state did not fit into the packing, and what it is."""
        k = int(self.ws["misfit"])
        return k, int(InductionArrays(*self.arrays).words[int(self.ws["depth"]) + 1][k])


class Solver:
    """The common part of solving in one process and in many: a game, its start, and the table of its
    positions.

    Raises ValueError for a game without limits, UnsupportedGameError for one whose results have no range.
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        fold: bool,
        memory: float,
        folder: Path | None,
        on_disk: Callable[[int], None] | None,
    ) -> None:
        check_numbers(game)
        self.game = game
        self.root = as_machine_words(game.initial_state() if state is None else state)
        self.is_folded = fold and can_fold(game)
        self.is_over = game.current_player(self.root) == TERMINAL
        """Whether the start is over: then the table stays empty."""
        self.kept = Folded(self.root, False, 0.0)
        """The position that is kept for the start."""
        if self.is_folded and not self.is_over:
            self.kept = folded(game, self.root)
        self.start_words = np.zeros(word_count(self.root), np.uint64)
        """The machine words of `kept`."""
        put_words(as_machine_words(self.kept.state), self.start_words)
        self.positions = PositionTable(
            first_packing(self.start_words), memory, folder, on_disk, game.max_depth
        )
        self.seconds = 0.0

    def counted(self) -> dict[str, int]:
        """The counters so far, by `COUNTED`."""
        raise NotImplementedError

    def share_done(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        raise NotImplementedError

    def counts(self) -> SolveCounts:
        done = self.counted()
        return SolveCounts(done.pop("filled"), **done, seconds=self.seconds, share_done=self.share_done())


class Induction(Solver):
    """Backward induction over the positions that can come about from a start; it can pause anywhere.

    `threads` share the table; the result does not depend on their number. `memory` is in bytes: beyond it the
    table goes into a file without a name in `folder`, and `on_disk` is called with its bytes. `fold`: of
    positions that are worth the same by the game's own rules (`canonical`, `without_score`, `relabelled`) one
    is kept. `valued`: whether stages are solved; else the positions are only found, in the same walk, and are
    all worth 0. Raises UnsupportedGameError for a game whose end cannot be found.
    """

    def __init__(
        self,
        game: Game,
        state: Any = None,
        *,
        threads: int = 1,
        memory: float = float("inf"),
        folder: Path | None = None,
        on_disk: Callable[[int], None] | None = None,
        fold: bool = False,
        valued: bool = True,
    ) -> None:
        super().__init__(game, state, fold, memory, folder, on_disk)
        self._before = dict.fromkeys(COUNTED, 0)
        self._shared = np.zeros(2, np.int64)
        self._workers = [
            Worker(game, len(self.start_words), thread, threads, self.is_folded, valued)
            for thread in range(threads)
        ]
        self._closer = _CLOSER
        self.is_done = self.is_over
        """Whether all is solved."""
        self.value = float(game.returns(self.root)) if self.is_over else 0.0
        """Player 0's expected result from the start; meaningless before all is solved."""
        self._induce(
            self._workers[0]
        )  # nothing yet: what is compiled, or loaded, is ready before the time counts
        if not self.is_over:
            for worker in self._workers:
                run(begin, game, self.kept.state, worker.ws, worker.arrays)

    def share_done(self) -> float:
        return 1.0 if self.is_done else min(sum(worker.share_done() for worker in self._workers), 1.0)

    def counted(self) -> dict[str, int]:
        return {
            name: before + sum(int(w.ws[name]) for w in self._workers)
            for name, before in self._before.items()
        }

    def adopt(self, counted: dict[str, int], seconds: float) -> None:
        self._before, self.seconds = dict(counted), seconds
        self._shared[USED] = self.positions.used

    def go_on(self, positions: int) -> bool:
        """Solve about `positions` positions more; returns whether all is solved."""
        started, aim = time.perf_counter(), self.counts().positions + positions
        try:
            while not self.is_done and self.counts().positions < aim:
                for worker in self._workers:
                    worker.ws["pause"] = worker.ws["filled"] + -(
                        -(aim - self.counts().positions) // len(self._workers)
                    )
                self._make_room(self._induce_together())
        finally:
            self._shared[USED] = min(self._shared[USED], self.positions.capacity)
            self.positions.used, self.positions.filled = int(self._shared[USED]), self.counts().positions
            self.seconds += time.perf_counter() - started
        return self.is_done

    def _induce_together(self) -> list[int]:
        """Let all threads work until one of them comes back, and say why each did."""
        self._shared[STOP] = 0
        if len(self._workers) == 1:
            return [self._induce(self._workers[0])]
        with ThreadPoolExecutor(len(self._workers)) as pool:
            try:
                return list(pool.map(self._induce, self._workers))
            finally:
                self._shared[STOP] = 1

    def _induce(self, worker: Worker) -> int:
        table, packing = self.positions, self.positions.packing
        worker.ws["width"] = packing.width
        try:
            return run(
                induce,
                self.game,
                self.root,
                worker.ws,
                self._shared,
                table.rows,
                table.heights,
                table.slots,
                table.rows.view(np.float64),
                packing.arrays,
                worker.arrays,
            )
        finally:  # where one thread comes back, so do all
            self._shared[STOP] = 1

    def _make_room(self, reasons: list[int]) -> None:
        table = self.positions
        self._shared[USED] = table.used = min(int(self._shared[USED]), table.capacity)
        if TOO_DEEP in reasons:
            raise does_not_end(self.game)
        if TABLE_FULL in reasons:
            table.grow()
        for worker, reason in zip(self._workers, reasons, strict=True):
            if reason == SOLVED:
                self.is_done, self.value = True, self.kept.worth(float(worker.ws["value"]))
            elif reason == CELLS_FULL:
                worker.grow()
            elif reason == TOO_NARROW and not table.packing.fits(*worker.misfit()):
                table.widen(self._packing_for(worker))

    def _packing_for(self, worker: Worker) -> Packing:
        """The packing in which all fits that there is, and what did not fit."""
        table = self.positions
        wide = table.packing.widened(*worker.misfit())
        if wide.width == table.packing.width or self._closer == 0:
            return wide
        self._closer -= 1  # numbers have room on the side where they grew, which costs less than a word of every position does
        on_stacks = np.concatenate([one.states(one is worker) for one in self._workers])
        low, high = ranges_of(table.rows, table.heights, table.used, table.packing)
        close = least_packing(np.minimum(low, on_stacks.min(axis=0)), np.maximum(high, on_stacks.max(axis=0)))
        return close if close.width == table.packing.width else wide


def does_not_end(game: Game) -> UnsupportedGameError:
    """The error of a game that cannot be solved from its end."""
    return UnsupportedGameError(
        f"{game!r} does not end within max_depth = {game.max_depth} moves from here, as solving from the end "
        "needs: a position may come back, or max_depth is too small; --cycles solves games whose positions come back"
    )


def solve_positions(
    game: Game,
    state: Any = None,
    *,
    threads: int = 1,
    memory: float = float("inf"),
    folder: Path | None = None,
    on_progress: Callable[[SolveCounts], None] | None = None,
    on_disk: Callable[[int], None] | None = None,
    fold: bool = False,
) -> Induction:
    """Solve every position that can come about from `state`, by default from the start; for the other arguments see `Induction`.

    `on_progress` is called about every 0.2 s; what it raises ends the work.
    Raises GameError where a rule breaks its own limits.
    """
    work = Induction(game, state, threads=threads, memory=memory, folder=folder, on_disk=on_disk, fold=fold)
    solve_the_rest(work, on_progress)
    return work


def solve_the_rest(work: Induction, on_progress: Callable[[SolveCounts], None] | None = None) -> None:
    """Solve all that is not solved yet; `on_progress` as above."""
    slice_ = _SLICE
    while not work.is_done:
        before, started = work.positions.filled, time.perf_counter()
        work.go_on(slice_)
        if on_progress is not None:
            on_progress(work.counts())
        speed = (work.positions.filled - before) / max(time.perf_counter() - started, 1e-9)
        slice_ = min(max(_SLICE, int(_PAUSE * speed)), 100 * slice_)
