"""Discounted results: back to the game's units, and what they prove.

A search that discounts later results finds the value of another game. Only discounted results enter that value,
so the value of the game itself is bounded by the results that it can stem from.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ..compiled import jit_inline
from ..game import Game
from .workspace import DEEPEST

_NEARLY_WHOLE = 1e-5
"""How far a number of steps may be from a whole one, for rounding."""
_ROUNDING = 1e-12
_CLOSE = 1e-3
"""How much of a result may be lost where an evaluator's estimate could be mistaken for one."""


class GameValue(NamedTuple):
    """A value in the game's units."""

    value: float
    plies: int | None
    """Plies to the end, if the value is a forced result at a known distance; else None."""


@jit_inline
def note_result(result, ws):
    """Remember whether a result was met that is neither 0 nor at an end of the range."""
    if result != 0.0 and result != ws.worst and result != ws.best:
        ws.others = 1


def in_game_units(value: float, steps_of: Callable[[float], float], evaluator: Any, solved: bool, ws: Any) -> GameValue:
    """The best or worst result without its discount, and its distance in plies; any other value as it is.

    `steps_of` gives the distance of a result by the share that is left of it. Unless solved, a value within the
    evaluator's `bound` may be an estimate: then it counts as a result only where it is very near to one.
    """
    result = float(ws["best"] if value > 0.0 else ws["worst"])
    if value * result <= 0.0:
        return GameValue(value, None)
    estimate = abs(value) <= getattr(evaluator, "bound", 0.0) and abs(1.0 - value / result) > _CLOSE
    steps = steps_of(value / result)
    whole = round(steps) if math.isfinite(steps) else 0
    if (estimate and not solved) or not 1 <= whole <= DEEPEST or abs(steps - whole) > _NEARLY_WHOLE:
        return GameValue(value, None)
    return GameValue(result, whole)


def origin(game: Game, value: float, share: float, ws: Any) -> tuple[float, float]:
    """The range of the game's value, by a solved one that is made of results of which at least that share was left.

    Where no result was met but the worst, 0 and the best (the workspace's `others`), it is the one in the range.
    """
    if share == 1.0:
        return value, value
    if share <= 0.0:
        return game.min_utility, game.max_utility
    if game.has_chance:  # what each result may have lost, whatever its sign
        lost = (1.0 - share) * max(abs(game.min_utility), abs(game.max_utility))
        return value - lost, value + lost
    slack = _ROUNDING * abs(value)
    low, high = min(value / share, value) - slack, max(value / share, value) + slack
    inside = {result for result in (float(ws["worst"]), 0.0, float(ws["best"])) if low <= result <= high}
    if len(inside) == 1 and not ws["others"]:
        result = inside.pop()
        return result, result
    return low, high
