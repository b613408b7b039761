"""Checks of a solution: against an erring player, compared with the rules, and in fractions."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import PLAIN_PYTHON, jit, jit_part, run, word_count
from ...game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ...matrix import solve
from .certificate import BrokenSolution, Certificate, examined
from .induction import cells_of_a_stage, named, new_memory
from .packing import inverse
from .reached import check_reached
from .solution import Solution
from .successors import (
    KNOWN,
    borrowed_packing,
    fill_position,
    look_up_value,
    pure_bounds,
    read_position,
    shape_of,
)

# What a solved game brings against a player who errs: among moves that all keep the value, some win more often than others.
#
# Of each position two more values: what player 0, and what player 1, gets against another who takes every action alike from here on, where
# it plays the move that gets most among those that keep the value for certain, or the equilibrium where none does.

_MOST_EDGES = 200_000 if PLAIN_PYTHON else 10_000_000
"""Joint actions that are looked at, from the end of the game on: 2 s of a core. Positions beyond count with their value."""
_SAME = 1e-9
"""Values no further apart are the same."""


@jit_part
def worth_of_stage(node, m, n, cells, solver, memory):
    """(0, what the stage is worth where player 1 errs, and where player 0 does)."""
    height, side = shape_of(node, m, n)
    values = cells[0, : height * side].reshape((height, side))
    firsts = cells[1, : height * side].reshape((height, side))
    seconds = cells[2, : height * side].reshape((height, side))
    first, second = 0.0, 0.0
    if node == CHANCE:
        for k in range(m):
            first += memory.x[k] * firsts[k, 0]
            second += memory.x[k] * seconds[k, 0]
        return 0.0, first, second
    low, high = pure_bounds(values, m, n)
    if high - low <= _SAME:
        first, second = -np.inf, np.inf
        for i in range(m):
            if values[i, :n].min() >= high - _SAME:
                first = max(first, firsts[i, :n].mean())
        for j in range(n):
            if values[:m, j].max() <= low + _SAME:
                second = min(second, seconds[:m, j].mean())
        return 0.0, first, second
    solve(values, m, n, memory.x, memory.y, memory.work)
    for i in range(m):
        first += memory.x[i] * firsts[i, :n].mean()
    for j in range(n):
        second += memory.y[j] * seconds[:m, j].mean()
    return 0.0, first, second


@jit
def fill_worths(game, like, is_folded, packing, rows, worths, arrays, inner, cells, sequence, most):
    """Fill `worths` for the positions in this sequence, the end of the game first, until `most` joint actions were looked at."""
    memory, inner, packing, width, edges = (
        named(arrays),
        named(inner),
        borrowed_packing(packing),
        rows.shape[1] - 1,
        0,
    )
    form, table = (is_folded, -1, np.uint64(0), packing, width), (rows, rows.view(np.float64), worths)
    for row in sequence:
        if edges > most:
            break
        position = read_position(
            game, like, rows[row, :width], packing, memory.words[0], memory.actions[0], memory.x
        )
        why, _, _, more = fill_position(
            game, like, position, form, look_up_value, table, worth_of_stage, 0, memory, inner, cells
        )
        if why != KNOWN:
            break
        _, node, m, n = position
        edges += m * n + more
        _, worths[row, 0], worths[row, 1] = worth_of_stage(node, m, n, cells[0], 0, memory)


class Erring:
    """The moves of a solved game that keep the value and gain most from a player's errors.

    For games without cycles.
    """

    def __init__(self, solution: Solution) -> None:
        self._solution, game = solution, solution.game
        arrays, inner = (new_memory(game, word_count(solution.root)) for _ in range(2))
        self._worths: NDArray[np.float64] = np.stack((solution.values, solution.values), axis=1)
        run(
            fill_worths,
            game,
            solution.root,
            solution.is_folded,
            solution.packing.arrays,
            solution.rows,
            self._worths,
            arrays,
            inner,
            np.zeros((2, 3, cells_of_a_stage(game))),
            inverse(solution.order),
            _MOST_EDGES,
        )

    def after(self, state: Any, player: int) -> NDArray[np.float64] | None:
        """What a player gets after each joint action, its own first, from another who errs from there on; None if not all is known."""
        cells = self._solution.cells(state, self._solution.choices(state), self._worths)
        return None if cells is None else cells[1] if player == 0 else -cells[2].T

    def better(self, state: Any, player: int, mixture: dict[int, float]) -> dict[int, float]:
        """An equilibrium's mixture, or an action that keeps the value for sure, if that gets more against
        errors.
        """
        other = 1 - player
        cells = self._solution.cells(state, self._solution.choices(state), self._worths)
        if cells is None:
            return mixture
        stage = cells if player == 0 else -cells
        values, worths = stage[0], stage[1 + player]
        least, mean = values.min(axis=other), worths.mean(axis=other)
        value = float(np.max(least))
        if values.max(axis=player).min() - value > _SAME:  # only a mixture keeps the value
            return mixture
        mean = np.where(least >= value - _SAME, mean, -np.inf)
        place = int(mean.argmax())
        known = sum(weight * mean[k] for k, weight in enumerate(mixture.values()) if weight > 0)
        return (
            mixture
            if mean[place] <= known + _SAME
            else {action: float(k == place) for k, action in enumerate(mixture)}
        )


# Whether a solution is one: every position, every value and what is claimed of it, compared with the rules.
#
# Values that agree with their successors' everywhere are the true ones, by induction from the ends, but for what the tolerance adds up
# to on the longest way.

TOLERANCE = 1e-9
"""What a value, or a bound, may differ from what it should be, as a share of the range of results. Rounding takes some 1e-15."""


def span(game: Game) -> float:
    return game.max_utility - game.min_utility


def check_values(
    solution: Solution, on_progress: Callable[[int], None] | None = None, *, threads: int = 1
) -> Certificate:
    """The certificate of a solution whose positions are the game's; raises BrokenSolution where a value differs from its successors'.

    `on_progress` is called now and then with the number of positions done.
    """
    certificate, error = examined(solution, on_progress, threads=threads)
    if not error <= TOLERANCE * span(solution.game):
        raise BrokenSolution(f"a value differs by {error:.2g} from what those of its successors give")
    return certificate


def check_claim(found: Certificate, claimed: Certificate | None, tolerance: float) -> None:
    """Raise BrokenSolution where a file claims another certificate than was found."""
    if claimed is None:
        return
    pairs = ((found.lower, claimed.lower), (found.upper, claimed.upper), (found.worst_gap, claimed.worst_gap))
    if claimed.positions != found.positions or not all(abs(one - other) <= tolerance for one, other in pairs):
        raise BrokenSolution("the certificate that it carries is not its own")


def check_solution(
    solution: Solution,
    claimed: Certificate | None = None,
    on_progress: Callable[[int, str], None] | None = None,
    *,
    threads: int = 1,
) -> Certificate:
    """The certificate of a solution that anybody may have made; raises BrokenSolution where anything in it is wrong.

    Compared are all positions with those that can come about, every value with what those of its successors give, and `claimed` with
    what is found. `on_progress` is called with how many positions are done, and what is done.
    """

    def report(what: str) -> Callable[[int], None]:
        return lambda done: None if on_progress is None else on_progress(done, what)

    check_reached(solution, report("positions; looking whether all can come about"))
    certificate = check_values(
        solution, report("positions; comparing values, checking best responses"), threads=threads
    )
    check_claim(certificate, claimed, TOLERANCE * span(solution.game))
    return certificate


# Small games solved once more in fractions, in plain Python, by the rules' checked interface: 0 is 0 there, not 8e-17.

MOST_POSITIONS = 100_000
"""More would take many minutes."""
_LARGEST_DENOMINATOR = 1_000_000


@dataclass(frozen=True)
class ExactValue:
    """The exact value of the start, and how far the solution's values are from the exact ones."""

    value: Fraction
    positions: int
    largest_error: float


def exact_fraction(number: float) -> Fraction:
    """The fraction of a float: the simple one that rounds to it, for example 1/3, else the float itself."""
    simple = Fraction(number).limit_denominator(_LARGEST_DENOMINATOR)
    return simple if float(simple) == number else Fraction(number)


def exact_value(solution: Solution) -> ExactValue:
    """Solve the game again in fractions and compare every value; raises ValueError where it is too large for that, or has cycles.

    All positions are solved, also those that a folded solution leaves out.
    """
    if solution.discount is not None:
        raise ValueError(
            "values of a game with cycles need not be fractions; --check says how far its strategies may be wrong"
        )
    if len(solution) > MOST_POSITIONS:
        raise _too_many(f"{len(solution):,}")
    game, values = solution.game, dict[Any, Fraction]()
    error, decided = 0.0, 0
    waiting = [solution.root]
    while waiting:
        state = waiting[-1]
        if state in values:
            waiting.pop()
            continue
        node = game.current_player(state)
        if node == TERMINAL:
            values[state] = exact_fraction(float(game.returns(state)))
            continue
        outcomes = game.chance_outcomes(state) if node == CHANCE else []
        own = [game.legal_actions(state, player) or [NO_ACTION] for player in (0, 1)]
        joint = [(outcome, NO_ACTION) for outcome, _ in outcomes] or [(a, b) for a in own[0] for b in own[1]]
        after = [game.advance(state, a, b) for a, b in joint]
        unknown = [one for one in after if one not in values]
        if unknown:
            waiting += unknown
            continue
        found = [values[one] for one in after]
        if node == CHANCE:
            weights = [exact_fraction(chance) for _, chance in outcomes]
            values[state] = sum((w * v for w, v in zip(weights, found, strict=True)), Fraction()) / sum(
                weights
            )
        else:
            n = len(own[1])
            values[state] = matrix_value([found[k : k + n] for k in range(0, len(found), n)])
        error, decided = (
            max(error, abs(float(values[state] - Fraction(solution.value_of(state))))),
            decided + 1,
        )
        if decided > MOST_POSITIONS:
            raise _too_many("more that come about")
    return ExactValue(values[solution.root], decided, error)


def _too_many(positions: str) -> ValueError:
    return ValueError(
        f"exact fractions are for up to {MOST_POSITIONS:,} positions; this solution has {positions}, whose certificate says how far "
        "they may be wrong"
    )


def matrix_value(matrix: list[list[Fraction]]) -> Fraction:
    """The exact value of a zero-sum matrix game, the row player's: a saddle point, or else the simplex method with Bland's rule."""
    lower, upper = max(map(min, matrix)), min(max(column) for column in zip(*matrix, strict=True))
    return lower if lower == upper else _simplex_value(matrix)


def _simplex_value(matrix: list[list[Fraction]]) -> Fraction:
    """With all entries made positive: maximise sum(q) with A q <= 1, q >= 0; the value is 1 / sum(q) (Dantzig 1951)."""
    shift = 1 - min(map(min, matrix))
    m, n = len(matrix), len(matrix[0])
    table = [
        [entry + shift for entry in row] + [Fraction(i == k) for k in range(m)] + [Fraction(1)]
        for i, row in enumerate(matrix)
    ]
    costs = [Fraction(-1)] * n + [Fraction()] * (m + 1)
    basic = list(range(n, n + m))
    while (entering := next((j for j, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basic[i], i) for i, row in enumerate(table) if row[entering] > 0]
        _, _, leaving = min(ratios)
        pivot = table[leaving] = [entry / table[leaving][entering] for entry in table[leaving]]
        for row in (*(row for i, row in enumerate(table) if i != leaving), costs):
            factor = row[entering]
            if factor:
                row[:] = [entry - factor * p for entry, p in zip(row, pivot, strict=True)]
        basic[leaving] = entering
    return 1 / costs[-1] - shift
