"""The values of a stochastic game: policy iteration, with value iteration where that does not come nearer."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import splu

from ...compiled.call import run
from .sweeps import FALLING, RISING, Sweeper, count_moves, follow, list_moves

ROUNDING = 1e-14
"""A change below this share of the largest result is rounding."""
_MOST_UNKNOWNS = 200_000
"""Positions beyond which systems of equations are not solved: their factors would not fit."""
_MOST_ROUNDS = 500
_MOST_PASSES = 1_000
"""Passes that take the place of a system of equations."""


def iterate_policies(
    sweeper: Sweeper,
    discount: float,
    values: NDArray[np.float64],
    on_round: Callable[[float], None] | None = None,
    *,
    tolerance: float = ROUNDING,
    replies: int = 15,
) -> tuple[NDArray[np.float64], float]:
    """The values (and the results behind them) by Newton's method (Pollatschek and Avi-Itzhak 1969), and by how much a pass changes them.

    Each round solves all stages and then, for these strategies, the linear equations of the values. Where that brings no smaller
    change of the values, as it need not, player 1's strategy alone is kept and the best reply to it evaluated, whose values fall
    towards the true ones from then on (Hoffman and Karp 1966). `on_round` is told the largest change. It ends where that is
    below `tolerance` of the largest result, or where neither way comes nearer, the second with so many `replies`.
    """
    change = sweeper.stages(values, discount)
    for _ in range(_MOST_ROUNDS):
        if on_round is not None:
            on_round(change)
        if change <= tolerance * sweeper.scale:
            break
        before, better = change, evaluated(sweeper, discount, values)
        change = sweeper.stages(better, discount)
        if change >= 0.5 * before:
            better = values
            change = sweeper.stages(better, discount)
            for _ in range(replies):
                better = against_best_reply(sweeper, discount, better)
                change = sweeper.stages(better, discount)
                if change < 0.5 * before:
                    break
        values = better
        if change >= 0.5 * before:
            break
    return values, change


def against_best_reply(sweeper: Sweeper, discount: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What player 1's strategy of `sweeper.mixtures` is worth against the best reply to it, by policy iteration (Howard 1960)."""
    least = ROUNDING * sweeper.scale
    found = values
    for _ in range(_MOST_ROUNDS):
        found = evaluated(sweeper, discount, found)
        if sweeper.best_replies(found, least) == 0:
            break
    return found


def evaluated(sweeper: Sweeper, discount: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the strategies of `sweeper.mixtures` are worth against each other, with the results behind it; `values`: an estimate.

    Where that cannot be told, because play never ends, it is the estimate.
    """
    graph, mixtures = sweeper.graph, tuple(sweeper.mixtures)
    count = len(graph)
    counts = np.zeros(count, np.int64)
    run(count_moves, graph.arrays, mixtures, counts)
    pointers = np.concatenate([[0], np.cumsum(counts)])
    chances, followers = np.zeros(int(pointers[-1])), np.zeros(int(pointers[-1]), np.int32)
    run(list_moves, graph.arrays, mixtures, discount, chances, followers)
    if count > _MOST_UNKNOWNS:
        return _followed(pointers, chances, followers, values.copy())
    return _solved(csr_array((chances, followers, pointers), shape=(count, count + len(graph.ends))), values)


def _solved(moves: Any, values: NDArray[np.float64]) -> NDArray[np.float64]:
    count, ends = moves.shape[0], values[moves.shape[0] :]
    moves.sum_duplicates()
    try:
        found = splu((eye_array(count) - moves[:, :count]).tocsc()).solve(moves[:, count:] @ ends)
    except RuntimeError:  # singular
        return values
    return np.concatenate([found, ends]) if np.isfinite(found).all() else values


def _followed(pointers: Any, chances: Any, followers: Any, values: Any) -> Any:
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    for _ in range(_MOST_PASSES):
        if run(follow, pointers, chances, followers, values) <= ROUNDING * scale:
            break
    return values


def iterate_values(
    sweeper: Sweeper, discount: float, tolerance: float, on_round: Callable[[float], None] | None = None, most: int = 10_000
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shapley's value iteration from both sides: (lower, upper) values, which enclose the true ones after every pass.

    It ends where they are nowhere further apart than `tolerance`, where nothing moves any more, or after `most` passes.
    `on_round` is told how far they are apart.
    """
    ends = sweeper.graph.ends
    lower = sweeper.filled(float(ends.min(initial=0.0)))
    upper = sweeper.filled(float(ends.max(initial=0.0)))
    for _ in range(most):
        moved = sweeper.improve(lower, discount, RISING)
        moved = max(moved, sweeper.improve(upper, discount, FALLING))
        apart = float((upper - lower).max())
        if on_round is not None:
            on_round(apart)
        if apart <= tolerance or moved == 0.0:
            break
    return lower, upper
