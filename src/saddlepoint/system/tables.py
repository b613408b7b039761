"""Tables for a terminal of any width, laid out by rich: the least important columns go first, long texts go on in a further line.

And a row of numbers as bars in one line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .text import one_line

_GAP = 2  # blanks between columns
_NARROW = 24
"""Text is not squeezed below this many characters while there are other columns that can go."""
_NARROWEST = 8
"""Nor below this many at all."""
_MAY_BREAK = "\x1f"
"""rich goes on in the next line after it as after a blank; it has no width, and is not printed."""
_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Column:
    """One column. `weight`: how important it is; those without one never go. `wraps`: text that may take several lines.

    `text` stands at the left, figures at the right.
    """

    title: str
    weight: int | None = None
    wraps: bool = False
    text: bool = False


def lay_out(
    columns: Sequence[Column], rows: Sequence[Sequence[object]], width: int | None = None
) -> tuple[list[str], list[str]]:
    """A table as lines of at most so many characters, and the titles of the columns that had no room; without a width all of it.

    A table that is too wide even without the columns that may go, and with its texts wrapped, stays too wide.
    """
    from rich.cells import cell_len
    from rich.table import Table

    cells = [[one_line(value) for value in row] for row in rows]
    sizes = [
        max(cell_len(text) for text in (column.title, *(row[n] for row in cells)))
        for n, column in enumerate(columns)
    ]
    shown = list(range(len(columns)))

    def needed(narrow: int) -> int:
        """The width where every text that wraps has no more than so many characters."""
        return sum(min(sizes[n], narrow) if columns[n].wraps else sizes[n] for n in shown) + _GAP * (
            len(shown) - 1
        )

    if width is None:
        width = needed(max(sizes))
    while needed(_NARROW) > width and (free := [n for n in shown if columns[n].weight is not None]):
        shown.remove(min(free, key=lambda n: (columns[n].weight or 0, -n)))
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    for column in (columns[n] for n in shown):
        left = column.wraps or column.text
        table.add_column(
            _text(column.title),
            justify="left" if left else "right",
            no_wrap=not column.wraps,
            overflow="fold",
        )
    for row in cells:
        table.add_row(*(_text(row[n]) for n in shown))
    left_out = [column.title for n, column in enumerate(columns) if n not in shown]
    return _lines(table, max(width, needed(_NARROWEST))), left_out


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most so many characters, broken after a blank; in a word only if it fills a line alone."""
    from rich.text import Text

    return _lines(Text(text, overflow="fold"), width)


def sparkline(values: Sequence[float]) -> str:
    """A bar for each number, the least as the lowest one and the greatest as the highest."""
    low, high = min(values), max(values)
    if high == low:
        return _BARS[len(_BARS) // 2] * len(values)
    return "".join(
        _BARS[min(int((value - low) / (high - low) * len(_BARS)), len(_BARS) - 1)] for value in values
    )


def _text(text: str) -> Any:
    from rich.text import Text

    return Text(re.sub(r"(?<=[(=/:;|])(?=[^\s(=/:;|])", _MAY_BREAK, text), overflow="fold")


def _lines(shown: Any, width: int) -> list[str]:
    """What rich draws, as plain lines."""
    from rich.console import Console

    console = Console()
    lines = console.render_lines(shown, console.options.update(width=width), pad=False)
    return ["".join(segment.text for segment in line).replace(_MAY_BREAK, "").rstrip() for line in lines]
