"""The whole game, layer after layer from the full board to the empty one."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from ....boards.square16 import SQUARES
from ....compiled import run
from .patterns import Layer, entries_per_class, number_of_patterns
from .sweep import count_results, flip, place, values_of_rows

_ENTRIES_A_TASK = 1 << 19
"""A few milliseconds: that soon an interruption takes effect."""


class SolvedLayer(NamedTuple):
    """The values of a layer's entries (see `sweep`), and how many positions have each value."""

    layer: Layer
    values: Any
    positions: dict[int, int]
    """Value for the side to move -> positions, every one counted and not only every class."""


def total_entries(lowest: int = 0) -> int:
    """The entries of all layers from the full board down to that many tiles, nearly: for telling progress."""
    return sum(number_of_patterns(tiles) // 8 * entries_per_class(tiles) for tiles in range(lowest, SQUARES + 1))


def solve_layers(
    double_lock_for_mover: int,
    *,
    lowest: int = 0,
    workers: int | None = None,
    after: tuple[Layer, Any] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[SolvedLayer]:
    """The layers from the full board down to `lowest` tiles, each as soon as it is solved.

    `double_lock_for_mover` is the result of a double lock for the player who made it: 0, -1 or 1. `after` begins below
    a layer whose values are known (or made up). `on_progress` gets the number of entries finished since the last call.
    Needs about 1 GB.
    """
    _compile(double_lock_for_mover)
    above, values_above = after if after is not None else (None, np.empty(0, np.int8))
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for tiles in range(SQUARES if above is None else above.tiles - 1, lowest - 1, -1):
            layer = Layer(tiles)
            solver = _LayerSolver(layer, pool, on_progress or (lambda entries: None))
            values = solver.solve(above, values_above, double_lock_for_mover)
            yield SolvedLayer(layer, values, solver.count(values))
            above, values_above = layer, values


class _LayerSolver:
    def __init__(self, layer: Layer, pool: ThreadPoolExecutor, on_progress: Callable[[int], None]) -> None:
        self._layer, self._pool, self._on_progress = layer, pool, on_progress

    def solve(self, above: Layer | None, values_above: Any, double_lock_for_mover: int) -> Any:
        layer, entries = self._layer, self._layer.entries_per_class
        placed = np.zeros(layer.entries, np.int8)
        if above is not None:
            known = above.classes, above.entries_per_class, values_above
            self._in_parallel(lambda a, b: run(place, layer.members, a, b, entries, *known, placed), 2)
        values = np.empty(layer.entries, np.int8)
        rows = values_of_rows(layer.tiles, double_lock_for_mover)
        rest = layer.classes, placed, rows, values
        self._in_parallel(lambda a, b: run(flip, layer.members, a, b, entries, *rest), 1 if above is None else 2)
        return values

    def count(self, values: Any) -> dict[int, int]:
        layer, counts = self._layer, np.zeros(256, np.int64)
        run(count_results, values, layer.entries_per_class, 0, len(layer.members), layer.members, layer.tiles, counts)
        return {int(place) - 128: int(counts[place]) for place in np.flatnonzero(counts)}

    def _in_parallel(self, work: Callable[[int, int], None], passes: int) -> None:
        classes = len(self._layer.members)
        step = max(1, _ENTRIES_A_TASK // self._layer.entries_per_class)
        tasks = {
            self._pool.submit(work, first, min(first + step, classes)): min(step, classes - first)
            for first in range(0, classes, step)
        }
        left = set(tasks)
        try:
            while left:
                done, left = wait(left, timeout=0.2, return_when=FIRST_EXCEPTION)
                for task in done:
                    task.result()
                self._on_progress(sum(tasks[task] for task in done) * self._layer.entries_per_class // passes)
        except BaseException:
            self._pool.shutdown(wait=True, cancel_futures=True)
            raise


def _compile(double_lock_for_mover: int) -> None:
    """Compile before threads ask for it: with the smallest layers."""
    one, none = Layer(1), Layer(0)
    values = np.zeros(one.entries, np.int8)
    quiet = ThreadPoolExecutor(1)
    solver = _LayerSolver(none, quiet, lambda entries: None)
    solver.count(solver.solve(one, values, double_lock_for_mover))
    quiet.shutdown()
