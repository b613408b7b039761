"""Tables for a terminal of any width: the least important columns go first, long texts go on in a further line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .._text import one_line

_GAP = 2  # blanks between columns
_NARROW = 24
"""Text is not squeezed below so many characters while there are other columns that can go."""
_BREAKS = (r" ,;|", r"(=", r")/:", r"_.\-+&?")
"""Marks after which a text may go on in the next line, the better ones first."""


@dataclass(frozen=True)
class Column:
    """One column. `weight`: how important it is; those without one never go. `wraps`: text that may take several lines.

    `text` stands at the left, figures at the right.
    """

    title: str
    weight: int | None = None
    wraps: bool = False
    text: bool = False

    @property
    def right(self) -> bool:
        """Whether it stands at the right."""
        return not (self.wraps or self.text)


@dataclass(frozen=True)
class TableLayout:
    """A table as lines, and the titles of the columns that had no room."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def lay_out(columns: Sequence[Column], rows: Sequence[Sequence[object]], width: int | None = None) -> TableLayout:
    """Lay a table out in so many columns of characters; without a width it is as wide as it has to be.

    A table that is too wide even without the columns that may go, and with its texts wrapped, stays too wide.
    """
    shown = list(range(len(columns)))
    cells = [[one_line(value) for value in row] for row in rows]
    left_out: list[int] = []
    while True:
        widths = {n: max(_length(text) for text in (columns[n].title, *(row[n] for row in cells))) for n in shown}
        if width is None or _total(widths) <= width:
            break
        room = _room(columns, widths, width)
        if room is None:
            free = [n for n in shown if columns[n].weight is not None]
            if not free:
                widths = _squeezed(columns, widths, width)
                break
            least = min(free, key=lambda n: (columns[n].weight or 0, -n))
            shown.remove(least)
            left_out.append(least)
            continue
        widths.update(room)
        break
    lines = _lines([columns[n].title for n in shown], columns, shown, widths)
    for row in cells:
        lines += _lines([row[n] for n in shown], columns, shown, widths)
    return TableLayout(tuple(lines), tuple(columns[n].title for n in sorted(left_out)))


def _total(widths: dict[int, int]) -> int:
    return sum(widths.values()) + _GAP * (len(widths) - 1)


def _room(columns: Sequence[Column], widths: dict[int, int], width: int) -> dict[int, int] | None:
    """Widths for the texts that wrap, the room shared out evenly; None where there is too little."""
    texts = [n for n in widths if columns[n].wraps]
    room = width - _total({n: 0 if n in texts else size for n, size in widths.items()})
    given: dict[int, int] = {}
    for count, n in enumerate(sorted(texts, key=lambda n: widths[n])):
        given[n] = min(widths[n], max(room, 0) // (len(texts) - count))
        room -= given[n]
        if given[n] < min(widths[n], _NARROW):
            return None
    return given if texts and room >= 0 else None


def _squeezed(columns: Sequence[Column], widths: dict[int, int], width: int) -> dict[int, int]:
    """Nothing may go any more: the texts share what there is, eight characters at least."""
    texts = [n for n in widths if columns[n].wraps]
    room = width - _total({n: 0 if n in texts else size for n, size in widths.items()})
    return widths | {n: min(widths[n], max(room // len(texts), 8)) for n in texts}


def _lines(texts: Sequence[str], columns: Sequence[Column], shown: Sequence[int], widths: dict[int, int]) -> list[str]:
    """One row, as many lines as its longest text needs."""
    parts = [wrapped(text, widths[n]) for text, n in zip(texts, shown, strict=True)]
    lines: list[str] = []
    for at in range(max(map(len, parts), default=0)):
        line = ""
        for part, n in zip(parts, shown, strict=True):
            text = part[at] if at < len(part) else ""
            blanks = " " * (widths[n] - _length(text))
            line += (blanks + text if columns[n].right else text + blanks) + " " * _GAP
        lines.append(line.rstrip())
    return lines


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most so many characters, broken after punctuation; in a word only if it fills a line alone."""
    lines = [""]
    for piece in _pieces(text, width):
        if lines[-1] and _length(lines[-1]) + _length(piece.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece
    lines[-1] = lines[-1].rstrip()
    return lines


def _pieces(text: str, width: int, level: int = 0) -> list[str]:
    if level == len(_BREAKS):
        return [text[at : at + width] for at in range(0, len(text), width)]
    found = re.findall(f"[^{_BREAKS[level]}]*[{_BREAKS[level]}]+|[^{_BREAKS[level]}]+", text)
    pieces: list[str] = []
    for piece in found:
        pieces += [piece] if _length(piece.rstrip()) <= width else _pieces(piece, width, level + 1)
    return pieces


def _length(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
