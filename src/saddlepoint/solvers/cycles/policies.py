"""The values of a stochastic game: value iteration where it comes near soon, policy iteration where it does not."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .evaluation import ROUNDING, Evaluator
from .graph import Block
from .sweeps import ANY, Sweeper

_MOST_ROUNDS = 500
_PASSES = 10
"""Passes of value iteration between two looks at how fast it comes nearer."""
_WORTH = 400
"""Passes of value iteration that some systems of equations take as long as: where more are to come, those are solved."""
FIRST_PASSES = 300
"""Passes before the first look at values that were never near: until a result has reached all positions, changes tell little."""
_REPLIES = 60

OnRound = Callable[[float], None]


def iterate_values_once(
    sweeper: Sweeper, discount: float, values: NDArray[np.float64], on_round: OnRound
) -> float:
    """Shapley's value iteration (1953) on `values`, in place, while it converges soon.

    Returns the largest change left.

    With a discount it converges to any precision. It ends where a pass changes nothing by more than rounding,
    or where too many passes were to come, as far as the last ones tell.
    """
    enough, blocks = ROUNDING * sweeper.scale, sweeper.order.blocks
    return max(_settle(sweeper, block, discount, values, enough, on_round, FIRST_PASSES) for block in blocks)


def _settle(
    sweeper: Sweeper,
    block: Block,
    discount: float,
    values: NDArray[np.float64],
    enough: float,
    on_round: OnRound,
    patience: int,
) -> float:
    if not block.comes_back:
        sweeper.improve(block, values, discount)
        return 0.0
    change = before = math.inf
    for done in range(0, _WORTH, _PASSES):
        change = sweeper.improve(block, values, discount, ANY, passes=_PASSES, enough=enough)
        on_round(change)
        if change <= enough or change >= before:
            break
        if (
            done >= patience
            and math.log(change / enough) * _PASSES / math.log(before / change) > _WORTH - done
        ):
            break
        before = change
    return change


def iterate_policies(
    sweeper: Sweeper,
    discount: float,
    values: NDArray[np.float64],
    on_round: OnRound,
    *,
    tolerance: float = ROUNDING,
    replies: int = _REPLIES,
    patience: int = 0,
) -> tuple[NDArray[np.float64], float]:
    """The values (and what is behind them) by Newton's method (Pollatschek and Avi-Itzhak 1969), and by how much a pass changes them.

    It goes part after part. With `patience` it begins with value iteration, at least so many passes, and goes on where that takes long;
    values of nearly the same discount are better left alone. Each round solves all stages and then, for these strategies, the linear
    equations of the values. Where that brings no smaller change of the values, as it need not, player 1's strategy alone is kept and
    the best reply to it evaluated, whose values fall towards the true ones from then on (Hoffman and Karp 1966), unless the change was
    within `tolerance` of the largest result already. `on_round` is called with the largest change. It ends where that is rounding, or where
    neither way comes nearer, the second with so many `replies`.
    """
    most, values = 0.0, values.copy()
    for block in sweeper.order.blocks:
        change = math.inf
        if patience > 0 or not block.comes_back:
            change = _settle(sweeper, block, discount, values, ROUNDING * sweeper.scale, on_round, patience)
        if change > ROUNDING * sweeper.scale:
            values, change = _newton(sweeper, block, discount, values, on_round, tolerance, replies)
        most = max(most, change)
    return values, most


def _newton(
    sweeper: Sweeper,
    block: Block,
    discount: float,
    values: NDArray[np.float64],
    on_round: OnRound,
    tolerance: float,
    replies: int,
) -> tuple[NDArray[np.float64], float]:
    evaluator, change = Evaluator(sweeper, block), sweeper.stages(values, discount, block=block)
    for _ in range(_MOST_ROUNDS):
        on_round(change)
        if change <= ROUNDING * sweeper.scale:
            break
        before, better = change, evaluator.evaluated(discount, values)
        change = sweeper.stages(better, discount, block=block)
        if change >= 0.5 * before and before <= tolerance * sweeper.scale:
            change = before
            break
        if change >= 0.5 * before:
            better = values
            change = sweeper.stages(better, discount, block=block)
            for _ in range(replies):
                better = evaluator.against_best_reply(discount, better, _MOST_ROUNDS)
                change = sweeper.stages(better, discount, block=block)
                if change < 0.5 * before:
                    break
        values = better
        if change >= 0.5 * before:
            break
    return values, change


def iterate_values(
    sweeper: Sweeper, discount: float, tolerance: float, on_round: OnRound, most: int = 10_000
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shapley's value iteration from both sides: (lower, upper) values, which enclose the true ones after every pass.

    Part after part, it ends where they are nowhere further apart than `tolerance` and nothing moves, where nothing moves any more at
    all, or after `most` passes. `on_round` is called with how far they are apart.
    """
    least, largest = sweeper.range
    lower, upper = sweeper.filled(least, -largest), sweeper.filled(largest, -least)
    for block in sweeper.order.blocks:
        members = sweeper.order.positions[block.first : block.last]
        passes = _PASSES if block.comes_back else 1
        for _ in range(0, most, passes):
            moved = sweeper.enclose(block, (lower, upper), discount, passes)
            apart = float((upper[members] - lower[members]).max())
            on_round(apart)
            if not block.comes_back or (apart <= tolerance and moved <= _STILL * tolerance) or moved == 0.0:
                break
    return lower, upper


_STILL = 1e-2
"""Of the tolerance: what still moves when a part is left, so that what leads to it comes near enough too."""
