"""A position of which nothing is known but its fields, as lines that a person can read."""

from collections.abc import Iterator
from math import isqrt
from typing import Any, cast

_LEAST_GRID = 9
"""Tuples of so many values are drawn as a square where their number is one; shorter ones are a row."""
_ROW = 12
"""The values in a row of a tuple that is no square."""


def field_text(state: Any) -> str:
    """A line for each field of a NamedTuple, its name and its value; a long tuple takes several, a square one as many as it has rows."""
    rows = [*_rows(state)]
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _rows(state: Any, within: str = "") -> Iterator[tuple[str, str]]:
    """The lines: a name, empty where the one above goes on, and what stands beside it."""
    for name, value in zip(state._fields, state, strict=True):
        if hasattr(value, "_fields"):
            yield from _rows(value, f"{within}{name}.")
            continue
        for number, line in enumerate(_lines(value)):
            yield "" if number else f"{within}{name}", line


def _lines(value: Any) -> list[str]:
    if not isinstance(value, tuple):
        return [_word(value)]
    items = cast(tuple[Any, ...], value)
    if not items:
        return ["none"]
    if any(isinstance(item, tuple) for item in items):
        return [line for item in items for line in _lines(item)]
    words = [_word(item) for item in items]
    widest = max(map(len, words))
    side = isqrt(len(words))
    row = side if side * side == len(words) >= _LEAST_GRID else _ROW
    return [" ".join(f"{word:>{widest}}" for word in words[start : start + row]) for start in range(0, len(words), row)]


def _word(value: Any) -> str:
    plain = value.item() if hasattr(value, "item") else value
    return {True: "yes", False: "no"}[plain] if isinstance(plain, bool) else f"{plain:g}" if isinstance(plain, float) else str(plain)
