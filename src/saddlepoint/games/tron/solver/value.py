"""The exact value of a position of Tron, without its strategies."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, TimeoutError as NotYet
from typing import Any, NamedTuple

import numpy as np

from ....algorithms.simultaneous.solver_address import solver_address
from ....boards.grid import Grid, words_of
from ....boards.limits import new_control
from ....compiled import run
from .field import Field
from .memory import BY_SYMMETRY, FILLS, MIXED, POSITIONS, SEPARATED, SOLVER, carried, carrier_of, new_memory
from .value_search import VALUE, settle_from


class FoundValue(NamedTuple):
    """What a position is worth, and what it took to find out."""

    value: float
    """Player 0's expected result."""
    nodes: int
    """Positions and steps of longest paths visited."""
    positions: int
    """Positions looked into: not ended, not separated, not in the table."""
    separated: int
    """Positions met in which the riders were separated."""
    fills: int
    """Longest paths of one rider that had to be searched."""
    mixed: int
    """Stages in which no pure action answered the question."""
    seconds: float


class ValueSearch:
    """Finds values on one grid; the table of `megabytes` keeps what was proven from search to search.

    With `by_symmetry` a position that a symmetry of the board maps to itself with the riders exchanged is known to be worth 0;
    without, it is searched as any other. Threads that share a search wait for each other.
    """

    def __init__(self, grid: Grid, megabytes: float = 256, by_symmetry: bool = True) -> None:
        self.grid = grid
        self._carrier = carrier_of(grid)
        self._arrays = new_memory(grid, megabytes)
        self._counters = self._arrays[-1]
        self._counters[BY_SYMMETRY], self._counters[SOLVER] = by_symmetry, solver_address()
        self._lock = threading.Lock()
        self._settle((0,) * self._carrier.words, 0, 1, new_control())  # compiles, so that no clock runs while that goes on

    def value(
        self, field: Field, *, seconds: float | None = None, on_wait: Callable[[int, float], None] | None = None
    ) -> FoundValue | None:
        """The value for player 0, who has the first head; None where time was up.

        `on_wait` is told ten times a second the nodes and the seconds so far. An interruption (Ctrl-C) goes through at once.
        Raises ValueError for a position on another grid.
        """
        grid, heads = self.grid, field.heads
        if field.grid != grid:
            raise ValueError(f"this search is for {grid.width}x{grid.height} cells, not {field.grid.width}x{field.grid.height}")
        blocked = field.walls | 1 << heads[0] | 1 << heads[1]
        cells = [grid.cell(x, y) for x in range(grid.width) for y in range(grid.height)]
        free = words_of(sum(1 << carried(grid, cell) for cell in cells if not blocked >> cell & 1), self._carrier.words)
        with self._lock, ThreadPoolExecutor(1) as worker:
            before = self._counters.copy()
            control = new_control()
            started = time.perf_counter()
            running = worker.submit(self._settle, free, carried(grid, heads[0]), carried(grid, heads[1]), control)
            try:
                while not running.done():
                    passed = time.perf_counter() - started
                    if seconds is not None and passed >= seconds:
                        return None
                    try:
                        running.result(timeout=0.1 if seconds is None else min(0.1, seconds - passed))
                    except NotYet:
                        if on_wait is not None:
                            on_wait(int(control["nodes"]), time.perf_counter() - started)
                value = float(running.result())
            finally:
                control["stop"] = 1  # a search that still runs returns within microseconds
            did = self._counters - before
        positions, separated, fills, mixed = (int(did[place]) for place in (POSITIONS, SEPARATED, FILLS, MIXED))
        passed = time.perf_counter() - started
        return FoundValue(value, int(control["nodes"]), positions, separated, fills, mixed, passed)

    def _settle(self, free: tuple[int, ...], head0: int, head1: int, control: Any) -> float:
        words = tuple(np.uint64(word) for word in free)
        return run(settle_from, self._carrier, words, head0, head1, VALUE, self._arrays, control)
