"""`literature`: the published figures of exact algorithms, and the same work done here."""

import os
from typing import TYPE_CHECKING

import typer

from .arena_options import AsJson
from .tables import Column
from .terminal import Progress, print, print_json, print_table

if TYPE_CHECKING:
    from ..solvers.literature import Measured, Row

_TIMES = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"))


def literature(
    rows: list[str] | None = typer.Argument(
        None, help="Only rows with one of these words in their names, such as goofspiel7 or /do_alphabeta; --list shows the names."
    ),
    everything: bool = typer.Option(False, "--all", help="The slow rows too, which take minutes here and took hours as published."),
    seconds: float = typer.Option(3600.0, "--time", min=0.001, help="Seconds after which a row is stopped, and told as more than that."),
    only_list: bool = typer.Option(False, "--list", help="Print the rows, and do nothing."),
    as_json: AsJson = False,
) -> None:
    """Redo the published exact computations of simultaneous games: the published time, ours, the ratio, and the nodes.

    Searches go without a table, as the published ones did; `solve` keeps every position once, and `value` finds Tron's value alone.
    Times are CPU times of one core; what has to be compiled first is not counted.

    Example: saddlepoint literature goofspiel5 tron6x6/solve
    """
    from ..solvers.literature import measure, rows_named

    chosen = rows_named(rows or [], everything or only_list)
    if only_list:
        _print_list(chosen, as_json)
        return
    made: list[Measured] = []
    before = os.getloadavg()[0]
    try:
        with Progress(len(chosen)) as progress:
            for row in chosen:
                progress.update(len(made), row.name)
                made.append(measure(row, seconds))
    finally:  # what was measured is told when it is interrupted, too
        if as_json:
            print_json({"rows": [one.to_json() for one in made], "load": [before, os.getloadavg()[0]], "cores": os.cpu_count()})
        elif made:
            _print(made)
            print(f"CPU times of one core of {os.cpu_count()}; load {before:.1f} before, {os.getloadavg()[0]:.1f} after")


def _print_list(chosen: "list[Row]", as_json: bool) -> None:
    if as_json:
        print_json([{"name": row.name, "game": repr(row.game), "source": row.source, "slow": row.slow} for row in chosen])
        return
    columns = [Column("row"), Column("game", wraps=True), Column("source"), Column("slow")]
    print_table(columns, [[row.name, repr(row.game), row.source, "slow" if row.slow else ""] for row in chosen])


def _print(made: "list[Measured]") -> None:
    columns = [
        Column("row"), Column("source", weight=1), Column("published"), Column("here"), Column("times as fast"),
        Column("nodes published", weight=2), Column("nodes here", weight=3), Column("value", weight=0),
    ]  # fmt: skip
    rows: list[list[object]] = []
    for one in made:
        published = one.row.published
        nodes = "" if published.nodes is None else f"{published.nodes_relation}{published.nodes:,.0f}"
        told = "" if published.seconds is None else f"{published.relation}{_time(published.seconds)}"
        ratio = "" if one.ratio is None else f"{one.ratio_relation}{float(f'{one.ratio:.2g}'):,g}"
        here = f"{'' if one.is_finished else '>'}{_time(one.seconds)}"
        value = "" if one.value is None else f"{round(one.value, 9) + 0.0:.6g}"
        rows.append([one.row.name, one.row.source, told, here, ratio, nodes, f"{one.nodes:,}", value])
    print_table(columns, rows)


def _time(seconds: float) -> str:
    """Three digits with the unit that fits."""
    size, unit = next(((size, unit) for size, unit in _TIMES if seconds >= size), (1e-3, "ms"))
    return f"{seconds / size:.3g} {unit}"
