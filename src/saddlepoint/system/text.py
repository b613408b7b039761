"""Text for people: numbers, lines, pairs, and tables for a terminal of any width."""

import re
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from . import foreign


def read_text(path: str) -> str:
    """The content of a text file, or of stdin for `-`.

    Raises ValueError where it is no text, and OSError as `open` does.
    """
    if path != "-":
        return foreign.read_text(path)
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] (it was closed before the program began)
        raise ValueError("stdin is closed: there is nothing to read from it")
    bytes_ = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read() if bytes_ is None else foreign.text_of(bytes_, "stdin")


def read_pair(text: str, between: str, option: str, example: str) -> tuple[int, int]:
    """Two whole numbers with a mark between them."""
    first, mark, second = text.lower().partition(between)
    if not (mark and first.strip().isdigit() and second.strip().isdigit()):
        raise ValueError(f"{option} takes two numbers such as {example}, not {text!r}")
    return int(first), int(second)


# Text that others wrote, made fit to be shown: names, messages of bots, whatever a ledger or a replay holds.

_LONGEST_LINE = 1000
_LONGEST_WORD = 200
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Controls, format characters (they also turn the direction of a line), lone surrogates, separators of lines."""


def printable(text: object, keep: str = "\n\t") -> str:
    r"""The text with every character that a terminal would obey, or not show, written as its code: `\x1b`, `\u202e`.

    keep: control characters that stay as they are.
    """
    shown = str(text)
    if shown.isascii() and shown.isprintable():
        return shown
    return "".join(
        one.encode("unicode_escape").decode()
        if unicodedata.category(one) in _HIDDEN and one not in keep
        else one
        for one in shown
    )


def one_line(text: object) -> str:
    r"""The same in one line: its ends of lines are written `\n`."""
    return printable(text, keep="")


def words_in(line: str, most: int = 0) -> list[str]:
    """The words of a line that another program wrote, in any protocol, the last one with all that follows where there are `most`.

    Blanks and tabs may stand around and between them, and a byte order mark before the first: programs on Windows begin with one.
    """
    return line.lstrip("\ufeff").strip().split(None, most - 1)


def first_line(docstring: str) -> str:
    """The first line of a docstring, without its full stop, for a list."""
    return next((line.strip() for line in docstring.splitlines() if line.strip()), "").removesuffix(".")


def error_line(error: Exception) -> str:
    """The first line of an error's message, shortened; its type's name where the message is empty."""
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}..."


def shortened(text: str) -> str:
    """A message without the middle of what is too long in it: what is wrong is said before or after what it quotes."""
    if len(text) > _LONGEST_LINE:
        text = re.sub(rf"\S{{{_LONGEST_WORD},}}", lambda word: _without_middle(word[0], _LONGEST_WORD), text)
    return _without_middle(text, 2 * _LONGEST_LINE)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest // 2]}...{text[-longest // 2 :]}"


_NOISE = 1e-9
"""Smaller numbers are shown as 0: remains of sums that cancel, below the precision of searches and solvers."""


def value_text(value: float, form: str = "+.2f") -> str:
    """A value for people, as `format` writes it by that form: what is 0, or rounds to it, has no minus and no exponent."""
    text = format(0.0 if abs(value) < _NOISE else value, form)
    return format(0.0, form) if float(text) == 0.0 or (form in ("g", "+g") and "e-" in text) else text


def count_of(count: int, word: str, plural: str = "") -> str:
    """A count with its word: `1 game`, `1,200 games`; `plural` is the word for several where an s is not enough."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def worth_text(value: float) -> str:
    """A position's value in a sentence, with two decimals: `+0.50`, with a true minus where it is negative, `0.00` without a sign."""
    text = value_text(value)
    return "0.00" if text == "+0.00" else text.replace("-", "\N{MINUS SIGN}")


# Tables for a terminal of any width, laid out by rich: the least important columns go first, long texts go on in a further line.
#
# And a row of numbers as bars in one line.

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
    """(lines of at most `width` characters, titles of the columns left out) of a table.

    Without a width all of it.

    A table that is too wide even without the columns that may go, and with its texts wrapped, stays too wide.
    """
    cells = [[one_line(value) for value in row] for row in rows]
    sizes = [
        max(cell_len(text) for text in (column.title, *(row[n] for row in cells)))
        for n, column in enumerate(columns)
    ]
    shown = list(range(len(columns)))

    def needed(narrow: int) -> int:
        """The width of the table if texts that wrap have at most `narrow` characters."""
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
    """A text in lines of at most `width` characters, broken after a blank.

    In a word only if it is too long for a line.
    """
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
    return Text(re.sub(r"(?<=[(=/:;|])(?=[^\s(=/:;|])", _MAY_BREAK, text), overflow="fold")


def _lines(shown: Any, width: int) -> list[str]:
    """The output of rich as plain lines."""
    console = Console()
    lines = console.render_lines(shown, console.options.update(width=width), pad=False)
    return ["".join(segment.text for segment in line).replace(_MAY_BREAK, "").rstrip() for line in lines]
