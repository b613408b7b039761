"""Words for what a game does not say itself: a title made of its class's name, a position as its fields by name."""

import re
from collections.abc import Iterator
from math import isqrt
from typing import Any, cast

_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")


def title_of_class(name: str) -> str:
    """A title made from a class's name: "MyGame" gives "My Game"."""
    words = _BREAK.sub(" ", name).strip()
    return words[:1].upper() + words[1:] or name


def title_of(cls: type) -> str:
    """A game class's title: its own, not one of a class that it is made from, or one made from its name."""
    own = vars(cls).get("title")
    return own if own and isinstance(own, str) else title_of_class(cls.__name__)


# A position of which nothing is known but its fields: as rows by name, and as lines that a person can read.

Rows = tuple[tuple[str, ...], ...]
Fields = tuple[tuple[str, Rows], ...]
"""By name the values of each field, in rows."""

_LEAST_GRID = 9
"""Tuples of this many values are drawn as a square where their number is one; shorter ones are a row."""
_ROW = 12
"""The values in a row of a tuple that is no square."""
_MOST_FIELDS, _MOST_ROWS, _MOST_IN_ROW = 64, 32, 48
"""Of what is larger the beginning is told, and how much more there is."""
_SET = 2**32
"""Whole numbers from here on are sets of bits, such as the cells of a board: they are written in hexadecimal, with how many there are."""
_WORD = 64
_LONGEST = 80
"""Characters of a value."""


def fields_of(state: Any) -> Fields:
    """The fields of a NamedTuple; one within it has its own, a long tuple several rows, a square one as many as it has in a row."""
    told: list[tuple[str, Rows]] = []
    for name, value in _named(state):
        if len(told) == _MOST_FIELDS:
            told.append(("and more", (("…",),)))
            break
        rows = list(_rows(value))
        if len(rows) > _MOST_ROWS:
            rows = [*rows[:_MOST_ROWS], (f"and {len(rows) - _MOST_ROWS} rows more",)]
        told.append((name, tuple(rows)))
    return tuple(told)


def field_text(state: Any) -> str:
    """The same as lines: a name, and beside it a value or a row of them."""
    fields = fields_of(state)
    width = max((len(name) for name, _ in fields), default=0)
    lines: list[str] = []
    for name, rows in fields:
        for number, row in enumerate(rows):
            widest = (
                max(map(len, row))
                if len(row) == 1
                else max((len(word) for one in rows if len(one) > 1 for word in one), default=0)
            )
            values = " ".join(f"{word:>{widest}}" for word in row)
            lines.append(f"{'' if number else name:<{width}}  {values}")
    return "\n".join(lines)


def _named(state: Any, within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in zip(state._fields, state, strict=True):
        if hasattr(value, "_fields"):
            yield from _named(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def _rows(value: Any) -> Iterator[tuple[str, ...]]:
    if getattr(value, "ndim", 0):
        value = _as_tuple(value.tolist())
    if not isinstance(value, tuple):
        yield (_word(value),)
        return
    items = cast(tuple[Any, ...], value)
    if not items:
        yield ("none",)
    elif any(isinstance(item, tuple) for item in items):
        for item in items:
            if isinstance(item, tuple) and not any(
                isinstance(one, tuple) for one in cast(tuple[Any, ...], item)
            ):
                yield from _cut([_word(one) for one in cast(tuple[Any, ...], item)], _MOST_IN_ROW)
            else:
                yield from _rows(item)
    else:
        words = [_word(item) for item in items]
        side = isqrt(len(words))
        yield from _cut(
            words, side if side * side == len(words) >= _LEAST_GRID and side <= _MOST_IN_ROW else _ROW
        )


def _cut(words: list[str], row: int) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(words), row):
        yield tuple(words[start : start + row])


def _as_tuple(value: Any) -> Any:
    return tuple(_as_tuple(one) for one in cast(list[Any], value)) if isinstance(value, list) else value


def _word(value: Any) -> str:
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, int) and abs(plain) >= _SET:
        bits = plain if plain >= 0 else plain & ((1 << _WORD) - 1)
        count = bits.bit_count()
        return f"{_shortened(f'{bits:#x}')} ({count} bit{'' if count == 1 else 's'})"
    return f"{plain:g}" if isinstance(plain, float) else _shortened(str(plain))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
