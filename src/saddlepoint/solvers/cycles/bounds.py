"""What stationary strategies guarantee: bounds of the value from both sides that hold whatever the values are that they came from.

Player 0's strategy guarantees `w` where for every position and every reply the expected `w` after the move is no less than `w`, and
more by a factor where `w` is above 0, so that play cannot go on for ever above 0 (Everett 1957); an endless play is worth 0. Such a
`w` is found by lowering the values until a pass over all positions has nothing left to lower.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .sweeps import Sweeper

_LASTING = 1e-11
"""The share of a good result that is lost with each move, which rules endless play out."""
_ROUNDING = 4e-16
"""What is lowered less in a pass, as a share of the largest result, is rounding; a good result loses four times that with each move."""
_PASSES = 30
"""Passes after which what still falls is let fall further at once, by ever more: the slower it is, the less of it is left."""
_STRETCH = 4.0
_MOST_FALLS = 25


class Bounds(NamedTuple):
    """Guarantees by position: shape (positions,)."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


def guaranteed(sweeper: Sweeper, values: NDArray[np.float64], discount: float) -> Bounds:
    """What the strategies of `sweeper.mixtures` guarantee; `values`: an estimate to begin at, with the results behind it."""
    lower, upper = (_side(sweeper, values, discount, sign) for sign in (1, -1))
    return Bounds(lower, upper)


def _side(sweeper: Sweeper, values: NDArray[np.float64], discount: float, sign: int) -> NDArray[np.float64]:
    rounding, bound, stretch = _ROUNDING * sweeper.scale, values.copy(), float(_PASSES)
    worst = min(float((sign * sweeper.graph.ends).min(initial=0.0)), 0.0)  # no strategy gets less
    for _ in range(_MOST_FALLS):
        before = bound.copy()
        for _ in range(_PASSES):
            before[:] = bound
            if sweeper.reply(bound, discount, sign, 1.0 - _LASTING, 4 * rounding) <= rounding:
                return sign * np.maximum(sign * bound[: len(sweeper.graph)], worst)
        bound += stretch * (bound - before)
        stretch *= _STRETCH
    return np.full(len(sweeper.graph), sign * worst)
