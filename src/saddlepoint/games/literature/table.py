"""What was measured as the cells of a table: for the terminal, and for docs/literature.md."""

from ..._text import value_text
from .measure import Measured
from .rows import Row

COLUMNS = ("row", "source", "published", "here", "times as fast", "nodes published", "stages here", "positions here", "value")
"""The heads, in order. `positions here` are of rows that are solved position by position."""
MEASURED_AGAIN = ("here", "times as fast")
"""The columns that come out otherwise each time."""
_TIMES = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"))


def published_cells(row: Row) -> dict[str, str]:
    """The cells of a row that is not measured."""
    published = row.published
    return dict.fromkeys(COLUMNS, "") | {
        "row": row.name, "source": row.source,
        "published": "" if published.seconds is None else f"{published.relation}{_time(published.seconds)}",
        "nodes published": "" if published.nodes is None else f"{published.nodes_relation}{published.nodes:,.0f}",
    }  # fmt: skip


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
