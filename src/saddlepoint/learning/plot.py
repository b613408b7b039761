"""A fit's figures over its generations, as one picture in SVG: cross entropy, the gate's score, NashConv where it is told."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from ..console.svg import COLOURS, picture, polyline, text

_WIDTH, _LEFT, _RIGHT, _TOP = 760, 70, 170, 46
_PANEL, _GAP = 150, 40
_TICKS = 4
_NOTHING = 1e-9
"""What is less is drawn as this, and counts as 0."""

Curve = tuple[str, list[tuple[int, float]]]
"""A name, and values by generation."""


def figures(title: str, generations: list[dict[str, Any]]) -> list[str]:
    """The picture's lines, of the generations as `Generation.to_json` has them, at least one."""
    last = generations[-1]["number"]
    kept = [one["number"] for one in generations if one["kept"]]
    scores: Curve = ("share of the points", _values(generations, "score"))
    entropies: list[Curve] = [("where fitted", _values(generations, "entropy")), ("kept apart", _values(generations, "held_out"))]
    panels: list[Iterator[str]] = [
        _panel(0, "cross entropy", entropies, last),
        _panel(1, "gate, against the best so far (full: kept)", [scores], last, kept, (0.0, 1.0)),
    ]  # fmt: skip
    if distances := _values(generations, "nash_conv"):
        panels.append(_panel(2, "NashConv", [("of this generation", distances)], last, kept, by_powers=True))
    bottom = _TOP + len(panels) * (_PANEL + _GAP)
    parts = [text(_LEFT, 22, title, size=14), *(part for panel in panels for part in panel)]
    parts.append(text((_LEFT + _WIDTH - _RIGHT) / 2, bottom + 8, "generation", anchor="middle"))
    return picture(_WIDTH, bottom + 20, title, parts)


def _values(generations: list[dict[str, Any]], key: str) -> list[tuple[int, float]]:
    return [(one["number"], one[key]) for one in generations if one[key] is not None]


def _panel(
    place: int, name: str, curves: list[Curve], last: int, kept: list[int] | None = None, between: tuple[float, float] | None = None,
    by_powers: bool = False,
) -> Iterator[str]:  # fmt: skip
    """One of the panels, the first at the top; with `by_powers` its axis is logarithmic."""
    top = _TOP + place * (_PANEL + _GAP)
    low = top + _PANEL
    scale: Callable[[float], float] = (lambda value: math.log10(max(value, _NOTHING))) if by_powers else (lambda value: value)
    least, most = between or _range([scale(value) for _, values in curves for _, value in values], by_powers)

    def x(generation: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (generation / (last + 1))

    def y(value: float) -> float:
        return low - _PANEL * (scale(value) - least) / (most - least)

    yield text(_LEFT, top - 6, name, colour="#555")
    ticks = range(int(least), int(most) + 1) if by_powers else range(_TICKS + 1)
    for tick in ticks:
        value = 10.0**tick if by_powers else least + (most - least) * tick / _TICKS
        yield f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
        yield text(_LEFT - 8, y(value) + 4, f"{value:.3g}" if not by_powers or value > _NOTHING else "0", anchor="end")
    for generation in range(1, last + 1, max(1, last // 12)):
        yield text(x(generation), low + 16, str(generation), anchor="middle", colour="#555")
    yield f'<path d="M{_LEFT} {top}V{low}H{_WIDTH - _RIGHT}" fill="none" stroke="#555"/>'
    for number, (label, values) in enumerate(curves):
        colour = COLOURS[number]
        yield polyline([(x(generation), y(value)) for generation, value in values], colour)
        for generation, value in values:
            full = colour if kept is None or generation in kept else "white"
            yield f'<circle cx="{x(generation):.1f}" cy="{y(value):.1f}" r="4" fill="{full}" stroke="{colour}"/>'
        yield f'<circle cx="{_WIDTH - _RIGHT + 16}" cy="{top + 10 + 20 * number}" r="4" fill="{colour}"/>'
        yield text(_WIDTH - _RIGHT + 26, top + 14 + 20 * number, label)


def _range(values: list[float], by_powers: bool) -> tuple[float, float]:
    """The ends of an axis on which all values lie."""
    if by_powers:
        first = math.floor(min(values))
        return first, max(math.ceil(max(values)), first + 1)
    room = max(0.1 * (max(values) - min(values)), 0.001)
    return min(values) - room, max(values) + room
