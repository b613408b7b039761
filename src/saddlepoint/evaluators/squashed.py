"""Expected results from counts of cells, by a squashing function; the evaluator with one value."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from ..compiled import Component, jit_inline, kernel

_FURTHEST = 7.9
_ODD = (
    4.89352455891786e-03,
    6.37261928875436e-04,
    1.48572235717979e-05,
    5.12229709037114e-08,
    -8.60467152213735e-11,
    2.00018790482477e-13,
    -2.76076847742355e-16,
)
_EVEN = (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)


@jit_inline
def quick_tanh(number):
    """The hyperbolic tangent, wrong by 3e-7 at most: a quotient of polynomials, as Eigen has it for 32-bit floats."""
    x = min(max(number, -_FURTHEST), _FURTHEST)
    y = x * x
    above, below = _ODD[6], _EVEN[3]
    for k in range(6):
        above = above * y + _ODD[5 - k]
    for k in range(3):
        below = below * y + _EVEN[2 - k]
    return x * above / below


@dataclass(frozen=True)
class Squashed(Component):
    """Base of evaluators that squash a number to a result: player 0's expected result is tanh(raw / scale).

    A subclass has the kernel `raw(game, state)`. `scale` 0 leaves the raw number as it is. A mixed strategy depends on
    the squashing function, the choice of alpha-beta does not.
    """

    scale: float = 20.0
    raw: ClassVar[Any]

    def __post_init__(self) -> None:
        if self.scale < 0:
            raise ValueError(f"scale must be 0 (raw) or more, not {self.scale}")

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return 1.0 if self.scale else self.largest_raw

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return 1024.0

    @kernel
    def raw(self, game, state):
        """The number that `evaluate` squashes to a result; every subclass has its own."""
        return 0.0

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result, between -1 and 1; the raw number where `scale` is 0."""
        raw = self.raw(game, state)
        return math.tanh(raw / self.scale) if self.scale > 0.0 else raw


# The evaluator with one value for all positions.


@dataclass(frozen=True)
class Constant(Component):
    """Every position has the value `value`.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import Constant
    >>> game = LightRiders(8, 8)
    >>> Constant(0.25).evaluate(game, game.initial_state())
    0.25
    """

    value: float = 0.0

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return abs(self.value)

    @kernel
    def raw(self, game, state):
        return float(self.value)

    @kernel
    def evaluate(self, game, state):
        return float(self.value)
