"""Solve a game with cycles: a stochastic game, discounted or ended by absorption."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled.states import as_machine_words
from ...game import TERMINAL, Game
from ..general.certificate import BrokenSolution, Certificate
from ..general.packing import first_packing
from ..general.solution import Solution, least_probability
from .bounds import Bounds, guaranteed
from .graph import Explored, Graph
from .policies import ROUNDING, iterate_policies, iterate_values
from .sweeps import Sweeper

METHODS = ("policies", "values")
_STEPS = tuple(1.0 - 10.0**-k for k in range(1, 9))
"""Discounts on the way to none: each begins where the one before ended. The last one's strategies put off nothing good for ever."""
_NEAR = 1e-5
"""How near to its values such a step has to come, as a share of what is lost with each move."""


@dataclass(frozen=True)
class CycleCounts:
    """What solving did."""

    positions: int
    chance_positions: int
    edges: int
    """Joint actions and outcomes of chance, of all positions."""
    sweeps: int
    """Times that all stages were solved."""
    seconds: float


@dataclass(frozen=True)
class Solved:
    """A game with cycles and what is known of it."""

    solution: Solution
    certificate: Certificate | None
    """What both strategies guarantee; the value of the game lies between the two."""
    counts: CycleCounts
    interval: tuple[float, float] | None
    """Of value iteration: lower and upper value of the start, whatever endless play is worth in the range of the results."""


def solve_cycles(
    game: Game,
    state: Any = None,
    *,
    discount: float = 1.0,
    method: str = "policies",
    tolerance: float = 1e-9,
    check: bool = True,
    memory: float = float("inf"),
    folder: Path | None = None,
    on_progress: Callable[[int, str], None] | None = None,
    on_disk: Callable[[int], None] | None = None,
) -> Solved:
    """Solve every position that can come about from `state`, by default from the start, of a game in which positions may come back.

    A result after n moves of the players is worth discount^n of itself, endless play 0. The game's clock (`Game.clock`) stands still.
    `method`: "policies" (policy iteration) or "values" (value iteration from both sides until they are `tolerance` apart). With
    `check` the certificate is computed. `memory`, `folder` and `on_disk` are as for `Induction`; `on_progress` is told the positions
    and what is done. Raises ValueError for another discount than one in (0, 1], GameError where a rule breaks its own limits.
    """
    check_discount(discount)
    if method not in METHODS:
        raise ValueError(f"method must be {' or '.join(METHODS)}, not {method!r}")
    root = as_machine_words(game.initial_state() if state is None else state)
    if game.current_player(root) == TERMINAL:
        return _ended(game, root, discount)
    started = time.perf_counter()

    def told(what: str) -> Callable[[float], None]:
        return lambda number: None if on_progress is None else on_progress(len(found.graph), what.format(number))

    found = Explored(
        game, root, memory=memory, folder=folder, on_disk=on_disk,
        on_progress=None if on_progress is None else lambda count: on_progress(count, "positions found"),
    )  # fmt: skip
    sweeper, interval = Sweeper(found.graph), None
    if method == "values":
        lower, upper = iterate_values(sweeper, discount, tolerance, told("positions; the bounds are {:.2g} apart"))
        values, interval = (lower + upper) / 2, (float(lower[0]), float(upper[0]))
    else:
        values = _values(sweeper, discount, told("positions; values change by {:.2g}"))
    solution = _solution(found, values[: len(found.graph)], discount)
    counts = CycleCounts(
        len(found.graph), found.graph.chance_positions, len(found.graph.children), sweeper.sweeps, time.perf_counter() - started
    )
    return Solved(solution, _certificate(sweeper, values, discount) if check else None, counts, interval)


def check_discount(discount: float) -> None:
    """Raise ValueError for what is no discount."""
    if not 0 < discount <= 1:
        raise ValueError(f"a discount is above 0 and at most 1, not {discount}")


def _values(sweeper: Sweeper, discount: float, on_round: Callable[[float], None]) -> NDArray[np.float64]:
    """The values by policy iteration; without a discount those, of the last discounts towards it, whose strategies guarantee most."""
    values, candidates = sweeper.filled(0.0), list[NDArray[np.float64]]()
    for step in (one for one in _STEPS if one < discount):
        tolerance = max(_NEAR * (1 - step), ROUNDING)
        after, change = iterate_policies(sweeper, step, values, on_round, tolerance=tolerance)
        if change > tolerance * sweeper.scale:
            break
        values = after
        candidates.append(values)
    if discount < 1:
        return iterate_policies(sweeper, discount, values, on_round)[0]
    exact, _ = iterate_policies(sweeper, 1.0, values, on_round, replies=0)
    return min((exact, *candidates[:-3:-1]), key=lambda one: float(np.ptp(guarantees(sweeper, one, 1.0), axis=0).max()))


def guarantees(sweeper: Sweeper, values: NDArray[np.float64], discount: float) -> Bounds:
    """What the strategies that follow from the values guarantee, whatever these are."""
    sweeper.stages(values, discount, least_probability(discount))
    return guaranteed(sweeper, values, discount)


def certificate_of_cycles(solution: Solution) -> Certificate:
    """What a solution's strategies guarantee, found from the rules again; raises BrokenSolution where its positions are others."""
    if len(solution) == 0:
        return _ended(solution.game, solution.root, 1.0).certificate or Certificate(0.0, 0.0, 0.0, 0)
    found = explored_again(solution)
    return _certificate(Sweeper(found.graph), values_with_ends(solution, found.graph), solution.discount or 1.0)


def values_with_ends(solution: Solution, graph: Graph) -> NDArray[np.float64]:
    """A solution's values in the order of the graph's positions, and the results behind them."""
    return np.concatenate([solution.rows().reshape(len(solution), -1)[:, -1].copy().view(np.float64), graph.ends])


def explored_again(solution: Solution) -> Explored:
    """The positions that can come about, found by the rules from the start; raises BrokenSolution where a solution has others."""
    broken = BrokenSolution(f"the positions are not those of {solution.game!r} from this start")

    def on_progress(count: int) -> None:
        if count > len(solution):
            raise broken

    found = Explored(solution.game, solution.root, on_progress=on_progress)
    words, known, packing = found.positions.words(), solution.packing, found.positions.packing
    same = len(words) == len(solution) and np.array_equal(known.base, packing.base) and np.array_equal(known.mask, packing.mask)
    if not same or not np.array_equal(solution.rows().reshape(len(solution), -1)[:, :-1], words):
        raise broken
    return found


def _certificate(sweeper: Sweeper, values: Any, discount: float) -> Certificate:
    lower, upper = guarantees(sweeper, values, discount)
    return Certificate(float(lower[0]), float(upper[0]), max(float((upper - lower).max()), 0.0), len(lower))


def _solution(found: Explored, values: Any, discount: float) -> Solution:
    words = found.positions.words()
    order = np.lexsort(words.T[::-1])
    return Solution(
        found.game, found.root, found.positions.packing, np.ascontiguousarray(words[order]), values[order], order.astype(np.uint32),
        discount=discount,
    )  # fmt: skip


def _ended(game: Game, root: Any, discount: float) -> Solved:
    result = float(game.returns(root))
    none = np.zeros(0)
    solution = Solution(game, root, first_packing([0]), np.zeros((0, 1), np.uint64), none, none.astype(np.uint32), discount=discount)
    return Solved(solution, Certificate(result, result, 0.0, 0), CycleCounts(0, 0, 0, 0, 0.0), None)


__all__ = ["CycleCounts", "Graph", "Solved", "certificate_of_cycles", "explored_again", "solve_cycles"]
