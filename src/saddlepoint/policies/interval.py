"""A confidence interval for the mean of bounded numbers, which holds for few of them too.

Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting (JRSS B, 2024), the hedged capital process: against
each mean that may be the true one two bets are laid, on larger and on smaller numbers, in sizes that the numbers so far suggest. If a
mean is the true one the capital is a martingale, and exceeds 1 / alpha with a probability of alpha at most (Ville), whatever the
distribution. What is left are the means against which no capital grew so large.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_GRID = 2000
_MOST = 0.5
"""Of the capital that is at stake in one bet."""


def mean_interval(numbers: Sequence[float], low: float, high: float, alpha: float = 0.05) -> tuple[float, float]:
    """The means of independent numbers from `low` to `high` that are left with a confidence of 1 - alpha; all without any number.

    It holds for every number of numbers and every distribution within the bounds. Their order is a part of the method.
    """
    if not len(numbers) or high <= low:
        return low, high
    x = np.clip((np.asarray(numbers, float) - low) / (high - low), 0.0, 1.0)
    count = len(x)
    places = np.arange(1, count + 1)
    means = (0.5 + np.cumsum(x)) / (places + 1)
    variances = (0.25 + np.cumsum((x - means) ** 2)) / (places + 1)
    before = np.concatenate([[0.25], variances[:-1]])
    stakes = np.sqrt(2 * math.log(2 / alpha) / (count * before))
    grid = np.arange(_GRID + 1) / _GRID
    with np.errstate(divide="ignore"):
        capital = np.concatenate([_grown(x, stakes, some) for some in np.array_split(grid, max(1, count // 100))])
    left = np.flatnonzero(capital + math.log(0.5) < math.log(1 / alpha))
    if not len(left):  # the numbers contradict themselves: an order that is no sample's
        return low, high
    first, last = max(left[0] - 1, 0), min(left[-1] + 1, _GRID)  # the grid's own width
    return float(low + (high - low) * first / _GRID), float(low + (high - low) * last / _GRID)


def _grown(x: NDArray[np.float64], stakes: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of the most that the capital of the better bet against each of these means ever was."""
    m = means[:, None]
    up, down = np.minimum(stakes, _MOST / np.maximum(m, 1e-12)), np.minimum(stakes, _MOST / np.maximum(1 - m, 1e-12))
    rising, falling = (np.cumsum(np.log1p(bet * (x - m)), axis=1).max(axis=1) for bet in (up, -down))
    return np.maximum(rising, falling)
