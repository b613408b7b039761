"""Whether a solution of a game with cycles is one.

Where positions come back, values that agree with their successors' need not be the true ones. They are where the strategies are proven
to reach them. Some games have no such strategies, or values that nobody comes nearer to: those are solved again.
With a discount every value is right to `TOLERANCE` of the range, without one to `PROVEN`.
"""

from collections.abc import Callable

import numpy as np

from ..general.certificate import BrokenSolution, Certificate
from ..general.check import TOLERANCE, check_claim, span
from ..general.solution import Solution, least_probability
from .bounds import guaranteed
from .solve import (
    METHODS,
    PROVEN,
    certificate_from,
    certificate_of_cycles,
    explored_again,
    solve_cycles,
    values_of,
)
from .sweeps import Sweeper


def check_cycles(
    solution: Solution, claimed: Certificate | None = None, on_progress: Callable[[int, str], None] | None = None
) -> Certificate:
    """The certificate of a solution that anybody may have made; raises BrokenSolution where anything in it is wrong.

    Compared are all positions with those that can come about, every value with what those of its successors give and with the bounds
    that its strategies guarantee, and `claimed` with what is found. Where that proves nothing the game is solved again, and the values
    compared with those. `on_progress` is told what is done.
    """

    def told(done: int, what: str) -> None:
        if on_progress is not None:
            on_progress(done, what)

    scale, discount = span(solution.game), solution.discount or 1.0
    if len(solution) == 0:
        certificate = certificate_of_cycles(solution)
        check_claim(certificate, claimed, TOLERANCE * scale)
        return certificate
    told(0, "positions; exploring the game again")
    found = explored_again(solution)
    told(len(solution), "positions; comparing values, checking best responses")
    sweeper, values = Sweeper(found.graph), values_of(solution, found.graph)
    error = sweeper.stages(values, discount, least_probability(discount))
    bounds = guaranteed(sweeper, values, discount)
    lower, upper = bounds
    own, worst = values[: len(lower)], float((upper - lower).max())
    outside = float(np.maximum(lower - own, own - upper).max())
    if not outside <= TOLERANCE * scale:
        raise BrokenSolution(f"a value is {outside:.2g} beyond what its strategies prove")
    # The true values lie within the bounds too, so that these prove the values. Without a discount they may never come nearer.
    near = TOLERANCE if discount < 1.0 else PROVEN
    if error > TOLERANCE * scale or worst + max(outside, 0.0) > near * scale:
        _compare_with_solved_again(solution, near * scale, on_progress)
    certificate = certificate_from(found, bounds)
    check_claim(certificate, claimed, near * scale)
    return certificate


def _compare_with_solved_again(
    solution: Solution, tolerance: float, on_progress: Callable[[int, str], None] | None
) -> None:
    """Raise BrokenSolution unless one of the methods finds these values."""
    away = np.inf
    for method in METHODS:
        again = solve_cycles(
            solution.game, solution.root, discount=solution.discount or 1.0, method=method, check=False, on_progress=on_progress,
            fold=solution.is_folded,
        )
        away = min(away, float(np.abs(again.solution.values - solution.values).max()))
        if away <= tolerance:
            return
    raise BrokenSolution(f"its values are {away:.2g} away from those that are found when the game is solved again")
