"""Small games solved once more in fractions, in plain Python, by the rules' checked interface: 0 is 0 there, not 8e-17."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...game.base import CHANCE, NO_ACTION, TERMINAL
from .solution import Solution

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
    """The fraction that a float stands for: the simple one that rounds to it, such as 1/3, or else the float itself."""
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
