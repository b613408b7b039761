"""The work of a published row, done and timed here."""

import time
from dataclasses import dataclass
from typing import Any

from ...algorithms import ALGORITHMS, Limits, search
from ...solvers.general.solve import Induction, SolveCounts, solve_positions
from ..tron.solver import ValueSearch, open_field
from .rows import SOLVE, VALUE, Row

_SHORT = 0.2
"""Seconds: less is done again."""
_MOST_TIMES = 5
_WARMING = 1.0
"""Seconds."""


@dataclass(frozen=True)
class Measured:
    """What a row took here; compiling is not counted."""

    row: Row
    seconds: float
    """CPU time of this process, which one core did."""
    wall_seconds: float
    stages: int | None
    """Matrix games solved, which the papers count as nodes; None where there are none (`value`)."""
    positions: int | None
    """Distinct positions kept by `solve`, or looked into by `value`; None for searches, which keep none."""
    value: float | None
    """Of the start for player 0; None where the row was stopped."""

    @property
    def is_finished(self) -> bool:
        """Whether it came to its end within the time that it was given."""
        return self.value is not None

    @property
    def ratio(self) -> float | None:
        """How many times as fast as published; None where no time was published. See `ratio_relation`."""
        published = self.row.published.seconds
        return None if published is None else published / max(self.seconds, 1e-9)

    @property
    def ratio_relation(self) -> str:
        """"<" or ">" where the ratio is less or more than this, "?" where neither time is known."""
        relations = {self.row.published.relation, "" if self.is_finished else "<"} - {""}
        return "?" if len(relations) > 1 else "".join(relations)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        row, published = self.row, self.row.published
        return {
            "name": row.name, "game": repr(row.game), "method": row.method, "source": row.source,
            "published": {
                "seconds": published.seconds, "relation": published.relation,
                "nodes": published.nodes, "nodes_relation": published.nodes_relation,
            },
            "seconds": self.seconds, "wall_seconds": self.wall_seconds, "stages": self.stages, "positions": self.positions,
            "value": self.value, "finished": self.is_finished, "ratio": self.ratio, "ratio_relation": self.ratio_relation,
        }  # fmt: skip


class _TimeIsUp(Exception):
    """Raised where a solver tells how far it is."""


def measure(row: Row, seconds: float) -> Measured:
    """Compile what a row needs, or load it, then do and time its work; it is stopped after so many seconds.

    Of short work, which is done in the time of a page fault or two, the fastest of several times is taken.
    """
    work = {SOLVE: _solved, VALUE: _value_found}.get(row.method, _searched)
    if row.method == SOLVE:
        work(row, min(seconds, _WARMING))  # some of its code is compiled, or loaded, only where a table grows
    made = [work(row, seconds)]
    while sum(one.seconds for one in made) < _SHORT and len(made) < _MOST_TIMES:
        made.append(work(row, seconds))
    return min(made, key=lambda one: one.seconds)


def _searched(row: Row, seconds: float) -> Measured:
    game = row.game
    start: Any = game.initial_state()
    algorithm: Any = ALGORITHMS[row.method]
    without_table = algorithm(table=False)
    search(game, start, without_table, Limits(depth=1, seconds=seconds), deepen=False, variation=False)
    cpu, wall = time.process_time(), time.perf_counter()
    found = search(game, start, without_table, Limits(seconds=seconds), deepen=False, variation=False)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Measured(row, cpu, wall, found.statistics.stages, None, found.value if found.complete else None)


def _solved(row: Row, seconds: float) -> Measured:
    game, counts = row.game, None
    Induction(game, fold=True)  # compiles, or loads
    cpu, wall = time.process_time(), time.perf_counter()

    def on_progress(so_far: SolveCounts) -> None:
        nonlocal counts
        counts = so_far
        if time.perf_counter() - wall > seconds:
            raise _TimeIsUp

    value: float | None = None
    try:
        work = solve_positions(game, fold=True, on_progress=on_progress)
        value, counts = work.value, work.counts()
    except _TimeIsUp:
        pass
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    stages, positions = (0, 0) if counts is None else (counts.stages, counts.positions)
    return Measured(row, cpu, wall, stages, positions, value)


def _value_found(row: Row, seconds: float) -> Measured:
    """Without the rule that the start, which is its own image with the riders exchanged, is a draw: the published figures searched."""
    field = open_field(int(row.parameters["width"]), int(row.parameters["height"]))
    solver = ValueSearch(field.grid, by_symmetry=False)
    cpu, wall = time.process_time(), time.perf_counter()
    found = solver.value(field, seconds=seconds)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Measured(row, cpu, wall, None, 0 if found is None else found.positions, None if found is None else found.value)
