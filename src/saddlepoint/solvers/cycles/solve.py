"""Games with cycles: the solver, and the check of a solution."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algorithms.algorithm import check_numbers
from ...compiled.states import as_machine_words
from ...game.base import TERMINAL, Game
from ..general.certificate import BrokenSolution, Certificate, SolvedGame
from ..general.check import TOLERANCE, check_claim, span
from ..general.packing import first_packing
from ..general.solution import Solution, least_probability, rows_of
from .graph import Explored, Graph, doubled
from .policies import (
    FIRST_PASSES,
    ROUNDING,
    Bounds,
    guaranteed,
    iterate_policies,
    iterate_values,
    iterate_values_once,
)
from .sweeps import Sweeper

METHODS = ("policies", "values")
PROVEN = 1e-6
"""What best responses may gain, as a share of the range of results, for values to be called proven; others are compared to this."""
_STEPS = tuple(1.0 - 10.0**-k for k in range(1, 9))
"""Discounts on the way to none: each begins where the one before ended. The last one's strategies put off nothing good for ever."""
_MET = 1e-9
"""Bounds that lie no further apart, as a share of the largest result, end the search for better strategies."""
_STILL = 1e-13
"""A change below this share of the largest result is as small as stages that linear programs solve let it be."""
_NEAR = 1e-5
"""The precision of a step's values, as a share of the loss with each move."""


@dataclass(frozen=True)
class CycleCounts:
    """The counts of solving a game with cycles."""

    positions: int
    chance_positions: int
    edges: int
    """Joint actions and outcomes of chance, of all positions."""
    sweeps: int
    """Times that all stages were solved."""
    seconds: float


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
    fold: bool = False,
) -> SolvedGame:
    """Solve every position that can come about from `state`, by default from the start, of a game in which positions may come back.

    A result after n moves of the players is worth discount^n of itself, endless play 0. The game's clock (`Game.clock`) stands still.
    `method`: "policies" (value iteration, and policy iteration where that takes long) or "values" (value iteration from both sides until
    they are `tolerance` apart). With `check` the certificate is computed. `memory`, `folder` and `on_disk` are as for `Induction`;
    `on_progress` is called with the positions and what is done. `fold`: of images that the game tells (`canonical`) one is solved and kept.
    Raises ValueError for another discount than one in (0, 1], GameError where a rule breaks its own limits.
    """
    if not 0 < discount <= 1:
        raise ValueError(f"a discount is above 0 and at most 1, not {discount}")
    if method not in METHODS:
        raise ValueError(f"method must be {' or '.join(METHODS)}, not {method!r}")
    check_numbers(game)
    root = as_machine_words(game.initial_state() if state is None else state)
    if game.current_player(root) == TERMINAL:
        return _ended(game, root, discount)
    started = time.perf_counter()

    def report(what: str) -> Callable[[float], None]:
        return lambda number: (
            None if on_progress is None else on_progress(len(found.graph), what.format(number))
        )

    found = Explored(
        game,
        root,
        memory=memory,
        folder=folder,
        on_disk=on_disk,
        fold=fold,
        on_progress=None if on_progress is None else lambda count: on_progress(count, "positions found"),
    )
    sweeper, interval, bounds = Sweeper(found.graph), None, None
    if method == "values":
        lower, upper = iterate_values(
            sweeper, discount, tolerance, report("positions; the bounds are {:.2g} apart")
        )
        values, interval = (lower + upper) / 2, _of_start(found, lower, upper)
        if (
            found.graph.exchanges
        ):  # halves of rounded sums: a position and its image may differ in the last bit
            values[found.graph.images :] = -values[: len(found.graph)]
    else:
        values, _, bounds = _values(sweeper, discount, report("positions; values change by {:.2g}"))
    solution = _solution(found, values[: len(found.graph)], discount)
    counts = CycleCounts(
        len(found.graph),
        int(found.graph.kinds.sum()),
        len(found.graph.children),
        sweeper.sweeps,
        time.perf_counter() - started,
    )
    certificate = None
    if check:
        certificate = certificate_from(found, bounds or guarantees(sweeper, values, discount))
    return SolvedGame(counts, solution, certificate, interval)


class _Found(NamedTuple):
    """Values, what is behind them too, and how far they are from what is wanted."""

    values: NDArray[np.float64]
    error: float
    """With a discount the largest change that one more pass would make, without one the largest gap of `bounds`."""
    bounds: Bounds | None
    """The bounds that their strategies guarantee, where these had to be computed."""


def _values(sweeper: Sweeper, discount: float, on_round: Callable[[float], None]) -> _Found:
    """The values by what is quickest: at once, or where that comes not near enough by way of smaller discounts.

    Where players are exchanged on the way, best replies are replies to oneself, of which nobody has proven that they lead to the values.
    If they do not, the game is solved again with a position of its own for each that was exchanged.
    """
    values, graph = sweeper.filled(0.0), sweeper.graph
    if discount < 1.0:
        values, change = iterate_policies(
            sweeper, discount, values, on_round, replies=0, patience=FIRST_PASSES
        )
    else:
        change = iterate_values_once(sweeper, discount, values, on_round)
    if change <= ROUNDING * sweeper.scale:
        found = _judged(sweeper, discount, values, change)
        if discount < 1.0 or found.error <= _MET * sweeper.scale:
            return found
    found = _by_steps(sweeper, sweeper, discount, on_round)
    if graph.exchanges and found.error > (_STILL if discount < 1.0 else PROVEN) * sweeper.scale:
        unfolded = Sweeper(doubled(graph))
        found = min(found, _by_steps(unfolded, sweeper, discount, on_round), key=lambda one: one.error)
        sweeper.solved += 2 * unfolded.sweeps * len(graph)
    return found


def _by_steps(sweeper: Sweeper, judge: Sweeper, discount: float, on_round: Callable[[float], None]) -> _Found:
    """Solve with smaller discounts first; the result is the candidate whose strategies guarantee most.

    `judge` has the graph whose positions are the first of `sweeper`'s: the values are for it.
    """
    steps = list(_approach(sweeper, discount, on_round))
    before = steps[-1] if steps else sweeper.filled(0.0)
    if discount < 1.0:
        candidates = [iterate_policies(sweeper, discount, before, on_round)]
    else:
        candidates = [
            iterate_policies(sweeper, 1.0, before, on_round, replies=0),
            *((one, 0.0) for one in steps[:-3:-1]),
        ]
    graph = judge.graph
    return min(
        (_judged(judge, discount, graph.with_ends(one[: len(graph)]), change) for one, change in candidates),
        key=lambda found: found.error,
    )


def _judged(sweeper: Sweeper, discount: float, values: NDArray[np.float64], change: float) -> _Found:
    if discount < 1.0:
        return _Found(values, change, None)
    bounds = guarantees(sweeper, values, discount)
    return _Found(values, _gap(bounds), bounds)


def _gap(bounds: Bounds) -> float:
    return float((bounds.upper - bounds.lower).max())


def _approach(
    sweeper: Sweeper, discount: float, on_round: Callable[[float], None]
) -> Iterator[NDArray[np.float64]]:
    """The values with smaller discounts, each begun where the one before ended, as long as they can be found."""
    values = sweeper.filled(0.0)
    for step in (one for one in _STEPS if one < discount):
        tolerance = max(_NEAR * (1 - step), ROUNDING)
        values, change = iterate_policies(
            sweeper,
            step,
            values,
            on_round,
            tolerance=tolerance,
            patience=FIRST_PASSES if step == _STEPS[0] else 0,
        )
        if change > tolerance * sweeper.scale:
            break
        yield values


def guarantees(sweeper: Sweeper, values: NDArray[np.float64], discount: float) -> Bounds:
    """The bounds guaranteed by the strategies that follow from these values, however good the values are."""
    sweeper.stages(values, discount, least_probability(discount))
    return guaranteed(sweeper, values, discount)


def certificate_of_cycles(solution: Solution) -> Certificate:
    """The certificate of a solution, from the rules again.

    Raises BrokenSolution where its positions are others.
    """
    if len(solution) == 0:
        return _ended(solution.game, solution.root, 1.0).certificate or Certificate(0.0, 0.0, 0.0, 0)
    found = explored_again(solution)
    return certificate_from(
        found, guarantees(Sweeper(found.graph), values_of(solution, found.graph), solution.discount or 1.0)
    )


def values_of(solution: Solution, graph: Graph) -> NDArray[np.float64]:
    """A solution's values in the order of the graph's positions, and what is behind them."""
    return graph.with_ends(solution.rows_as_solved().view(np.float64)[:, -1])


def explored_again(solution: Solution) -> Explored:
    """The positions that can come about, found by the rules from the start; raises BrokenSolution where a solution has others."""
    broken = BrokenSolution(f"the positions are not those of {solution.game!r} from this start")

    def on_progress(count: int) -> None:
        if count > len(solution):
            raise broken

    found = Explored(solution.game, solution.root, on_progress=on_progress, fold=solution.is_folded)
    words, known, packing = found.positions.words(), solution.packing, found.positions.packing
    are_the_same = (
        len(words) == len(solution)
        and known.is_like(packing)
        and solution.is_folded == found.is_folded
        and np.array_equal(solution.rows_as_solved()[:, :-1], words)
    )
    if not are_the_same:
        raise broken
    return found


def certificate_from(found: Explored, bounds: Bounds) -> Certificate:
    """The certificate by these bounds: those of the start, and the largest distance of both bounds anywhere."""
    return Certificate(*_of_start(found, *bounds), max(_gap(bounds), 0.0), len(bounds.lower))


def _of_start(found: Explored, lower: Any, upper: Any) -> tuple[float, float]:
    """The bounds of the start by those of the position that is kept for it."""
    low, high = sorted(found.kept.worth(float(bound[0])) for bound in (lower, upper))
    return low, high


def _solution(found: Explored, values: Any, discount: float) -> Solution:
    words = found.positions.words()
    order = np.lexsort(words.T[::-1])
    return Solution(
        found.game,
        found.root,
        found.positions.packing,
        rows_of(words[order], values[order]),
        order.astype(np.uint32),
        found.is_folded,
        discount,
    )


def _ended(game: Game, root: Any, discount: float) -> SolvedGame:
    rows, order, result = np.zeros((0, 2), np.uint64), np.zeros(0, np.uint32), float(game.returns(root))
    solution = Solution(game, root, first_packing([0]), rows, order, discount=discount)
    return SolvedGame(CycleCounts(0, 0, 0, 0, 0.0), solution, Certificate(result, result, 0.0, 0))


# Whether a solution of a game with cycles is one.
#
# Where positions come back, values that agree with their successors' need not be the true ones. They are where the strategies are proven
# to reach them. Some games have no such strategies, or values that nobody comes nearer to: those are solved again.
# With a discount every value is right to `TOLERANCE` of the range, without one to `PROVEN`.


def check_cycles(
    solution: Solution,
    claimed: Certificate | None = None,
    on_progress: Callable[[int, str], None] | None = None,
) -> Certificate:
    """The certificate of a solution that anybody may have made; raises BrokenSolution where anything in it is wrong.

    Compared are all positions with those that can come about, every value with what those of its successors give and with the bounds
    that its strategies guarantee, and `claimed` with what is found. Where that proves nothing the game is solved again, and the values
    compared with those. `on_progress` is called with what is done.
    """

    def report(done: int, what: str) -> None:
        if on_progress is not None:
            on_progress(done, what)

    scale, discount = span(solution.game), solution.discount or 1.0
    if len(solution) == 0:
        certificate = certificate_of_cycles(solution)
        check_claim(certificate, claimed, TOLERANCE * scale)
        return certificate
    report(0, "positions; exploring the game again")
    found = explored_again(solution)
    report(len(solution), "positions; comparing values, checking best responses")
    sweeper, values = Sweeper(found.graph), values_of(solution, found.graph)
    error = sweeper.stages(values, discount, least_probability(discount))
    bounds = guaranteed(sweeper, values, discount)
    lower, upper = bounds
    own = values[: len(lower)]
    outside = float(np.maximum(lower - own, own - upper).max())
    if not outside <= TOLERANCE * scale:
        raise BrokenSolution(f"a value is {outside:.2g} beyond what its strategies prove")
    # The true values lie within the bounds too, so that these prove the values. Without a discount they may never come nearer.
    near = TOLERANCE if discount < 1.0 else PROVEN
    if error > TOLERANCE * scale or _gap(bounds) + max(outside, 0.0) > near * scale:
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
            solution.game,
            solution.root,
            discount=solution.discount or 1.0,
            method=method,
            check=False,
            on_progress=on_progress,
            fold=solution.is_folded,
        )
        away = min(away, float(np.abs(again.solution.values - solution.values).max()))
        if away <= tolerance:
            return
    raise BrokenSolution(
        f"its values are {away:.2g} away from those that are found when the game is solved again"
    )
