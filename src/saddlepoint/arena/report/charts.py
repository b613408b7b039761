"""Plots as inline SVG whose horizontal positions are per cents, so that they fit any width with text in its own size.

Colours come from the page's style sheet, by class. Every plot carries a title for readers who cannot see it; the values
stand beside it as text.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .markup import Markup, element

_MARGIN = 2.0  # per cent on either side
_MOST_TICKS = 6


@dataclass(frozen=True)
class Scale:
    """A stretch of numbers laid over the width of a plot."""

    low: float
    high: float
    logarithmic: bool = False

    @classmethod
    def around(cls, values: Sequence[float], logarithmic: bool = False) -> "Scale":
        """A scale that has room for these values."""
        low, high = min(values), max(values)
        if logarithmic:
            first = math.floor(math.log10(low))
            return cls(10.0**first, 10.0 ** max(math.ceil(math.log10(high)), first + 1), True)
        room = (high - low) * 0.05 or 1.0
        return cls(low - room, high + room)

    def at(self, value: float) -> str:
        """Where a value lies, as SVG's coordinate."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = math.log10(low), math.log10(high), math.log10(max(value, low))
        return f"{_MARGIN + (100 - 2 * _MARGIN) * (value - low) / (high - low):.2f}%"

    def ticks(self) -> list[float]:
        """Round numbers within the scale, not too many."""
        if self.logarithmic:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [10.0**power for power in range(first, last + 1, max(1, math.ceil((last - first) / (_MOST_TICKS - 1))))]
        raw = (self.high - self.low) / (_MOST_TICKS - 1)
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
        return [number * step for number in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def plot(title: str, *shapes: Markup, kind: str = "row") -> Markup:
    """A drawing as wide as its place; `kind` gives its height in the style sheet."""
    return element("svg", element("title", title), *shapes, class_=f"plot {kind}", role="img", focusable="false")


def axis(scale: Scale, labels: Sequence[str]) -> Markup:
    """The scale's ticks with their labels, for above a column of plots."""
    shapes = [
        element("text", label, x=scale.at(tick), y="11", text_anchor="middle") for tick, label in zip(scale.ticks(), labels, strict=True)
    ]
    return element("svg", *shapes, class_="plot axis", aria_hidden="true", focusable="false")


def _grid(scale: Scale) -> list[Markup]:
    return [_line(scale.at(tick), scale.at(tick), "0", "100%", "grid") for tick in scale.ticks()]


def _line(x1: str, x2: str, y1: str, y2: str, kind: str) -> Markup:
    return element("line", x1=x1, x2=x2, y1=y1, y2=y2, class_=kind)


def dot_with_bar(scale: Scale, value: float, low: float | None, high: float | None, title: str) -> Markup:
    """A value and its interval; None is an end that nothing bounds, drawn to the edge without a cap."""
    left, right = "0" if low is None else scale.at(low), "100%" if high is None else scale.at(high)
    shapes = [*_grid(scale), _line(left, right, "50%", "50%", "bar")]
    shapes += [_line(end, end, "25%", "75%", "bar") for end, bound in ((left, low), (right, high)) if bound is not None]
    shapes.append(element("circle", cx=scale.at(value), cy="50%", r="5", class_="dot"))
    return plot(title, *shapes)


def dots_in_line(scale: Scale, values: Sequence[float], title: str) -> Markup:
    """Three values in rising order: a full dot, a ring, a stroke."""
    first, second, third = (scale.at(value) for value in values)
    return plot(
        title,
        *_grid(scale),
        _line(first, third, "50%", "50%", "bar thin"),
        element("circle", cx=second, cy="50%", r="4.5", class_="ring"),
        _line(third, third, "25%", "75%", "bar"),
        element("circle", cx=first, cy="50%", r="5", class_="dot"),
    )


def shares(parts: Sequence[tuple[str, float]], title: str) -> Markup:
    """One bar divided into shares: (class, amount)."""
    total = sum(amount for _, amount in parts) or 1.0
    shapes: list[Markup] = []
    before = 0.0
    for kind, amount in parts:
        if amount:
            where = {"x": f"{100 * before / total:.2f}%", "width": f"{100 * amount / total:.2f}%"}
            shapes.append(element("rect", y="20%", height="60%", class_=kind, **where))
        before += amount
    return plot(title, *shapes)


def histogram(columns: Sequence[tuple[str, Sequence[tuple[str, int]]]], title: str) -> Markup:
    """Columns of stacked amounts from left to right: (label, ((class, amount), ...)), with some of the labels below."""
    most = max(sum(amount for _, amount in parts) for _, parts in columns)
    width = (100 - 2 * _MARGIN) / len(columns)
    every = math.ceil(len(columns) / 8)
    foot, top = 88.0, 9.0  # per cent of the height
    shapes = [_line("0", "100%", f"{level}%", f"{level}%", "grid") for level in (top, foot)]
    shapes.append(element("text", f"{most:,}", x="0", y=f"{top - 2}%"))
    for number, (label, parts) in enumerate(columns):
        left, base = _MARGIN + width * number, foot
        for kind, amount in parts:
            high = (foot - top) * amount / most
            base -= high
            if amount:
                where = {"x": f"{left + width * 0.08:.3f}%", "width": f"{width * 0.84:.3f}%"}
                shapes.append(element("rect", y=f"{base:.3f}%", height=f"{high:.3f}%", class_=kind, **where))
        if number % every == 0:
            shapes.append(element("text", label, x=f"{left + width / 2:.2f}%", y="99%", text_anchor="middle"))
    return plot(title, *shapes, kind="histogram")
