"""Values of searches that restate results, a nearer one counting for more: back to the game's units, and what is proven.

A search that makes later results worth less finds a value s of the restated game. Nothing but the restated results goes
into it, so the value of the game itself lies within what s can have been made from.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

_NEARLY_WHOLE = 1e-5
"""How far a number of steps may be from a whole one, for rounding."""
_ROUNDING = 1e-12
_CLOSE = 1e-3
"""How much of a result may be lost where an evaluator's opinion could be mistaken for one."""


class Told(NamedTuple):
    """A value in the game's units."""

    value: float
    plies: int | None
    """Steps to the end that it stands for; None where it stands for none, or tells nothing of it."""


def whole_steps(steps: float, most: int) -> int | None:
    """The number of steps, where it is a whole one from 1 to `most`."""
    nearest = round(steps) if math.isfinite(steps) else 0
    return nearest if 1 <= nearest <= most and abs(steps - nearest) <= _NEARLY_WHOLE else None


def may_be_opinion(value: float, result: float, reach: float) -> bool:
    """Whether an evaluator whose values end at `reach` may well have said this: not if it is next to the result."""
    return abs(value) <= reach and abs(1.0 - value / result) > _CLOSE


def origin(value: float, least: float, most: float = 1.0) -> tuple[float, float]:
    """The range of what was multiplied by `least` to `most`, both above 0, and gave the value."""
    ends = sorted((value / least, value / most))
    slack = _ROUNDING * abs(value)
    return ends[0] - slack, ends[1] + slack


def only_result(low: float, high: float, results: Sequence[float]) -> float | None:
    """The one of the results that lies in the range; None where it is none of them, or several."""
    inside = {result for result in results if low <= result <= high}
    return inside.pop() if len(inside) == 1 else None
