"""From raw counts to expected results.

In a simultaneous game the mixture depends on the scale of the values, so an evaluator estimates the expected result
in (-1, 1); the raw number is there for who asks for it.
"""

import math

from ..boards.flood import FIRST, NOBODY, SECOND
from ..compiled import jit_inline


@jit_inline
def linked(raw, scale):
    """tanh(raw / scale), or the raw number for scale 0."""
    return math.tanh(raw / scale) if scale != 0.0 else float(raw)


@jit_inline
def tie_rule(node):
    """Who gets a cell that both reach at once: the side to move in games of turns, else nobody."""
    return FIRST if node == 0 else SECOND if node == 1 else NOBODY
