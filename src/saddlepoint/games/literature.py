"""Published figures of exact algorithms for simultaneous games, a row each, and the same work done here.

AIJ16: Bosansky, Lisy, Lanctot, Cermak, Winands, "Algorithms for computing strategies in two-player simultaneous move games", Artificial
Intelligence 237 (2016) 1-40; Java, CPLEX 12.5, no transposition table. `value_iteration` and `sequence_form_lp` are OpenSpiel's,
measured by us on one core (benchmarks/openspiel_solvers.py).
"""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .. import games
from ..algorithms import ALGORITHMS, Limits, search
from ..game.base import Game
from ..solvers.general.solve import Induction, SolveCounts, solve_positions
from ..system.text import value_text
from .tron.solver import ValueSearch

SOLVE, VALUE = "solve", "value"
"""The methods of rows that are solved position by position, each once, or (Tron) for the value alone; every other method is the name
of a search, without a table."""
AIJ16, ITERATION, SEQUENCE_FORM = "AIJ16", "value_iteration", "sequence_form_lp"


@dataclass(frozen=True)
class Figure:
    """A published time, in seconds, and a count of nodes; `relation` is "<" or ">" where they are published as less or more than that."""

    seconds: float | None = None
    relation: str = ""
    nodes: float | None = None
    nodes_relation: str = ""


@dataclass(frozen=True)
class Row:
    """A figure and how the same is computed here."""

    group: str
    """The game in a word: `goofspiel7-win`."""
    method: str
    class_name: str
    parameters: Mapping[str, Any]
    published: Figure
    source: str = AIJ16
    slow: bool = False
    """Whether it is left out unless it is asked for: it takes more than some seconds here."""

    @property
    def name(self) -> str:
        """The name by which it is chosen: `goofspiel7-win/do_alphabeta`."""
        return f"{self.group}/{self.method}"

    @property
    def game(self) -> Game:
        """The game with its parameters."""
        return getattr(games, self.class_name)(**self.parameters)


def rows_named(words: list[str], everything: bool = False) -> list[Row]:
    """The rows with one of these words in their names, without words all.

    Slow rows are there only with `everything` or by their full name.

    Raises ValueError for a word that is in no name.
    """
    for word in words:
        if not word or not any(word in row.name for row in ROWS):
            groups = ", ".join(dict.fromkeys(row.group for row in ROWS))
            raise ValueError(
                f"no row is called {word!r}; there are {groups}, each with a method such as /{SOLVE} or /bi"
            )
    return [
        row
        for row in ROWS
        if (not words or any(word in row.name for word in words))
        and (everything or not row.slow or row.name in words)
    ]


_MINUTE, _HOUR = 60.0, 3600.0


def _published(
    group: str,
    game: str,
    parameters: Mapping[str, Any],
    figures: Mapping[str, Figure],
    slow: str = "",
    source: str = AIJ16,
) -> list[Row]:
    """Rows of one game; `slow` lists the methods that take long here."""
    return [
        Row(group, method, game, parameters, figure, source, method in slow.split())
        for method, figure in figures.items()
    ]


def _goofspiel(cards: int, utility: str, order: str) -> dict[str, Any]:
    return {"cards": cards, "utility": utility, "order": order, "lowest": 0}


ROWS: tuple[Row, ...] = (
    *_published("goofspiel5-win", "Goofspiel", _goofspiel(5, "win", "descending"), {
        "bi": Figure(6), "bi_alphabeta": Figure(0.64), "do": Figure(3.1), "do_alphabeta": Figure(0.69), SOLVE: Figure(0.64),
    }),
    *_published("goofspiel5-points", "Goofspiel", _goofspiel(5, "points", "descending"), {
        "bi": Figure(6), "bi_alphabeta": Figure(1.3), "do": Figure(3), "do_alphabeta": Figure(0.97), SOLVE: Figure(0.97),
    }),
    *_published("goofspiel7-win", "Goofspiel", _goofspiel(7, "win", "descending"), {
        "bi": Figure(2.5 * _HOUR, ">", 3.2e7), "bi_alphabeta": Figure(4 * _MINUTE, "<", 198_986),
        "do": Figure(30 * _MINUTE, "", 6e6, ">"), "do_alphabeta": Figure(3 * _MINUTE, "<", 79_105), SOLVE: Figure(3 * _MINUTE, "<"),
    }, slow="bi"),
    *_published("goofspiel7-points", "Goofspiel", _goofspiel(7, "points", "descending"), {
        "bi": Figure(2.5 * _HOUR, ">", 3.2e7), "bi_alphabeta": Figure(32 * _MINUTE, "", 2e6, ">"),
        "do_alphabeta": Figure(13 * _MINUTE, "<", 3e5, ">"), SOLVE: Figure(13 * _MINUTE, "<"),
    }, slow="do_alphabeta"),
    *_published("goofspiel5-stochastic-win", "Goofspiel", _goofspiel(5, "win", "random"), {
        "bi": Figure(10 * _MINUTE, "", 2e6, ">"), "bi_alphabeta": Figure(27, "", 17_315), "do_alphabeta": Figure(23, "", 6_980),
        SOLVE: Figure(23),
    }),
    *_published("goofspiel5-stochastic-points", "Goofspiel", _goofspiel(5, "points", "random"), {
        "bi_alphabeta": Figure(100, ">", 91_419), "do_alphabeta": Figure(55, "", 14_536), SOLVE: Figure(55),
    }),
    *_published("pursuit4x4", "PursuitEvasion", {"width": 4, "height": 4, "depth": 4}, {
        "bi": Figure(12.5), "bi_alphabeta": Figure(2.89), "do": Figure(5.48), "do_alphabeta": Figure(2.77), SOLVE: Figure(2.77),
    }),
    *_published("pursuit5x5", "PursuitEvasion", {"width": 5, "height": 5, "depth": 6}, {
        "bi": Figure(13 * _HOUR, ">", 4.9e7), "bi_alphabeta": Figure(584, "", 42_001), "do": Figure(547, "", 2e6, "<"),
        "do_alphabeta": Figure(3 * _MINUTE, "<", 6_692), SOLVE: Figure(3 * _MINUTE, "<"),
    }, slow="bi"),
    *_published("oshi-zumo13-win", "OshiZumo", {"coins": 13, "size": 4}, {
        "bi": Figure(2 * _HOUR, "", 1.5e7), "bi_alphabeta": Figure(1.5), "do": Figure(17 * _MINUTE, "", 2.8e6),
        "do_alphabeta": Figure(1.5), SOLVE: Figure(1.5),
    }, slow="bi"),
    *_published("oshi-zumo18-win", "OshiZumo", {"coins": 18, "size": 4}, {
        "bi_alphabeta": Figure(50 * _MINUTE), "do_alphabeta": Figure(64 * _MINUTE), SOLVE: Figure(50 * _MINUTE),
    }, slow="bi_alphabeta do_alphabeta"),
    *_published("oshi-zumo18-field", "OshiZumo", {"coins": 18, "size": 4, "utility": "field"}, {
        "bi_alphabeta": Figure(191 * _MINUTE), "do_alphabeta": Figure(172 * _MINUTE), SOLVE: Figure(172 * _MINUTE),
    }, slow="bi_alphabeta do_alphabeta"),
    *_published("random4x7", "RandomGame", {"actions": 4, "depth": 7, "utility": "sums"}, {
        "bi": Figure(3.5 * _HOUR, "", 1.8e7), "bi_alphabeta": Figure(3 * _HOUR, "", 1e7, ">"), "do": Figure(None, "", 1.2e7),
        "do_alphabeta": Figure(80 * _MINUTE, "", 2e6),
    }, slow="bi bi_alphabeta do do_alphabeta"),
    *_published("tron5x6", "Tron", {"width": 5, "height": 6}, {"bi": Figure(96), SOLVE: Figure(96), VALUE: Figure(96)}),
    *_published("tron6x6", "Tron", {"width": 6, "height": 6}, {
        "bi": Figure(30 * _MINUTE), "bi_alphabeta": Figure(0.6), "do": Figure(235), "do_alphabeta": Figure(0.6), SOLVE: Figure(0.6),
        VALUE: Figure(0.6),
    }),
    *_published("tron9x9", "Tron", {"width": 9, "height": 9}, {
        "bi_alphabeta": Figure(48 * _HOUR), "do_alphabeta": Figure(48 * _HOUR), VALUE: Figure(48 * _HOUR),
    }, slow="bi_alphabeta do_alphabeta"),
    *_published("goofspiel4-stochastic", "Goofspiel", {"cards": 4}, {SOLVE: Figure(14.3)}, source=SEQUENCE_FORM),
    *_published("goofspiel5-descending", "Goofspiel", {"cards": 5, "order": "descending"}, {SOLVE: Figure(4.0)}, source=SEQUENCE_FORM),
    *_published("goofspiel5-stochastic", "Goofspiel", {"cards": 5}, {SOLVE: Figure(400, ">")}, source=ITERATION),
    *_published("oshi-zumo10", "OshiZumo", {}, {SOLVE: Figure(11.7)}, source=ITERATION),
)  # fmt: skip
"""All of them, in the order of the paper's tables."""


# The rows measured anew, and the table as text.

_SHORT = 0.2
"""Seconds: less is done again."""
_MOST_TIMES = 5
_WARMING = 1.0
"""Seconds."""


@dataclass(frozen=True)
class Measured:
    """The measured time and counts of a row; compiling is not counted."""

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
        """Whether it was finished within its time."""
        return self.value is not None

    @property
    def ratio(self) -> float | None:
        """The published time divided by ours; None where no time was published. See `ratio_relation`."""
        published = self.row.published.seconds
        return None if published is None else published / max(self.seconds, 1e-9)

    @property
    def ratio_relation(self) -> str:
        """ "<" or ">" where the ratio is less or more than this, "?" where neither time is known."""
        relations = {self.row.published.relation, "" if self.is_finished else "<"} - {""}
        return "?" if len(relations) > 1 else "".join(relations)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        row = self.row
        return {
            "name": row.name,
            "game": repr(row.game),
            "method": row.method,
            "source": row.source,
            "published": asdict(row.published),
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
    """Raised in a solver's report of progress when the time is up."""


def measure(row: Row, seconds: float) -> Measured:
    """Compile or load the code of a row, then do and time its work, which is stopped after `seconds`.

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
