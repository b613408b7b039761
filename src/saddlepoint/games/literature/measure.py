"""The rows of the table measured anew, and the table as text."""

import time
from dataclasses import dataclass
from typing import Any

from ...algorithms import ALGORITHMS, Limits, search
from ...solvers.general.solve import Induction, SolveCounts, solve_positions
from ...system.text import value_text
from ..tron.solver import ValueSearch
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
        """ "<" or ">" where the ratio is less or more than this, "?" where neither time is known."""
        relations = {self.row.published.relation, "" if self.is_finished else "<"} - {""}
        return "?" if len(relations) > 1 else "".join(relations)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        row, published = self.row, self.row.published
        return {
            "name": row.name,
            "game": repr(row.game),
            "method": row.method,
            "source": row.source,
            "published": {
                "seconds": published.seconds,
                "relation": published.relation,
                "nodes": published.nodes,
                "nodes_relation": published.nodes_relation,
            },
            "seconds": self.seconds,
            "wall_seconds": self.wall_seconds,
            "stages": self.stages,
            "positions": self.positions,
            "value": self.value,
            "finished": self.is_finished,
            "ratio": self.ratio,
            "ratio_relation": self.ratio_relation,
        }


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
    game: Any = row.game
    solver = ValueSearch(game, by_symmetry=False)
    cpu, wall = time.process_time(), time.perf_counter()
    found = solver.value(game.initial_state(), seconds=seconds)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Measured(
        row, cpu, wall, None, 0 if found is None else found.positions, None if found is None else found.value
    )


COLUMNS = (
    "row",
    "source",
    "published",
    "here",
    "times as fast",
    "nodes published",
    "stages here",
    "positions here",
    "value",
)
"""The heads, in order. `positions here` are of rows that are solved position by position."""
MEASURED_AGAIN = ("here", "times as fast")
"""The columns that come out otherwise each time."""
_TIMES = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"))


def published_cells(row: Row) -> dict[str, str]:
    """The cells of a row that is not measured."""
    published = row.published
    return dict.fromkeys(COLUMNS, "") | {
        "row": row.name,
        "source": row.source,
        "published": "" if published.seconds is None else f"{published.relation}{_time(published.seconds)}",
        "nodes published": ""
        if published.nodes is None
        else f"{published.nodes_relation}{published.nodes:,.0f}",
    }


def cells(one: Measured) -> dict[str, str]:
    """The cells of a row that was measured, by their columns."""
    return published_cells(one.row) | {
        "here": f"{'' if one.is_finished else '>'}{_time(one.seconds)}",
        "times as fast": "" if one.ratio is None else f"{one.ratio_relation}{_two_digits(one.ratio)}",
        "stages here": "" if one.stages is None else f"{one.stages:,}",
        "positions here": "" if one.positions is None else f"{one.positions:,}",
        "value": "" if one.value is None else value_text(one.value, ".6g"),
    }


def _time(seconds: float) -> str:
    """Three digits with the unit that fits."""
    size, unit = next(((size, unit) for size, unit in _TIMES if seconds >= size), (1e-3, "ms"))
    return f"{seconds / size:.3g} {unit}"


def _two_digits(number: float) -> str:
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"
