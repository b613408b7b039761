"""One zero-sum matrix game: saddle points, value, equilibrium, best response, dominance."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compiled import jit_part
from .lp import best_reply, guarantees, solve_program, solve_three
from .simplex import jit


@jit
def _row_dominates(matrix, sign, n, better, worse, columns_alive, strict):
    somewhere = False
    for j in range(n):
        if columns_alive[j] != 0:
            gain = sign * (matrix[better, j] - matrix[worse, j])
            if gain > 0.0:
                somewhere = True
            elif strict or gain < 0.0:
                return False
    return somewhere


@jit
def _remove_rows(matrix, sign, m, n, rows_alive, columns_alive, strict):
    """Remove the rows that another one dominates, and return whether there were any."""
    removed = False
    for i in range(m):
        for k in range(m):
            if rows_alive[i] != 0 and rows_alive[k] != 0 and k != i:
                if _row_dominates(matrix, sign, n, k, i, columns_alive, strict):
                    rows_alive[i] = 0
                    removed = True
    return removed


@jit
def eliminate_dominated(matrix, m, n, rows_alive, columns_alive, strict):
    """Remove actions dominated by another pure action until none is left; return the rounds that removed
    some.

    The value survives, but weak elimination may lose equilibria. Of equal actions all are kept.

    - `matrix`: a float64 array of shape (m, n) at least, what the row player gets.
    - `m`: how many rows.
    - `n`: how many columns.
    - `rows_alive`: uint8, 1 for each of the m rows in play, updated in place.
    - `columns_alive`: uint8, 1 for each of the n columns in play, updated in place.
    - `strict`: an action goes if another one is better against everything, and the result does not depend on the order. Without it,
      an action goes if another is never worse and somewhere better (weak elimination); rows go first in each round, lower numbers first.

    >>> import numpy as np
    >>> from saddlepoint.matrix import eliminate_dominated
    >>> rows, columns = np.ones(2, np.bool_), np.ones(2, np.bool_)
    >>> eliminated = eliminate_dominated(np.array([[2.0, 3.0], [1.0, 0.0]]), 2, 2, rows, columns, True)
    >>> rows.tolist(), columns.tolist()
    ([True, False], [True, False])
    """
    rounds = 0
    while True:
        removed = _remove_rows(matrix, 1.0, m, n, rows_alive, columns_alive, strict)
        # A column dominates by being lower.
        if _remove_rows(matrix.T, -1.0, n, m, columns_alive, rows_alive, strict):
            removed = True
        if not removed:
            return rounds
        rounds += 1


# One zero-sum matrix game: saddle points, value, equilibrium, best response, dominance.
#
# The row player chooses i and maximises ``matrix[i, j]``, the column player chooses j and minimises it.
#
# The functions with explicit sizes are compiled and never allocate, so that a compiled search can call them at
# every node: ``matrix`` may be larger than the m x n corner that counts, and scratch memory is passed in as
# ``work``, a contiguous float64 array of at least ``work_size(m, n)`` numbers that was filled with zeros once,
# when it was made. Everything in it may be overwritten except ``work[FAILURES]``, to which every call adds one
# when rounding kept it from its promise: read it to know that this has not happened.
#
# Entries must be finite; the largest difference between two entries has to lie between 1e-290 and 1e300, or be
# 0 (`solve_matrix` rescales by itself). Where it is smaller, as in some stage of a game whose range is larger, the
# value lies between the least and the largest entry all the same, and the strategies are strategies.

SADDLE = 0
CLOSED_FORM = 1
LP = 2
METHODS = ("saddle point", "closed form", "linear program")


@jit
def work_size(m, n):
    """Return how many float64 numbers of scratch memory an m x n matrix needs in any function of this
    module.

    - `m`: how many rows.
    - `n`: how many columns.

    >>> from saddlepoint.matrix import work_size
    >>> work_size(3, 4) > 0
    True
    """
    return 1 + 2 * (m + 2) * (n + 2) + 4 * (m + n + 2)


@jit
def _pure_bounds(matrix, m, n):
    """Return (maximin, its row, minimax, its column, smallest entry, largest entry) of pure strategies."""
    lower = -math.inf
    lowest = math.inf
    row = 0
    for i in range(m):
        worst = matrix[i, 0]
        for j in range(1, n):
            worst = min(worst, matrix[i, j])
        if worst > lower:
            lower = worst
            row = i
        lowest = min(lowest, worst)
    upper = math.inf
    highest = -math.inf
    column = 0
    for j in range(n):
        worst = matrix[0, j]
        for i in range(1, m):
            worst = max(worst, matrix[i, j])
        if worst < upper:
            upper = worst
            column = j
        highest = max(highest, worst)
    return lower, row, upper, column, lowest, highest


@jit
def find_saddle(matrix, m, n):
    """Return a pure saddle point (i, j), largest of its column and smallest of its row, or (-1, -1).

    A saddle point exists exactly when maximin equals minimax, and then any maximin row meets any minimax
    column in one. Comparisons are exact.

    - `matrix`: a float64 array of shape (m, n) at least, what the row player gets.
    - `m`: how many rows.
    - `n`: how many columns.

    >>> import numpy as np
    >>> from saddlepoint.matrix import find_saddle
    >>> find_saddle(np.array([[1.0, 2.0], [0.0, 3.0]]), 2, 2)
    (0, 0)
    """
    lower, row, upper, column, _, _ = _pure_bounds(matrix, m, n)
    if lower == upper:
        return row, column
    return -1, -1


@jit
def _set_pure(strategy, size, action):
    for k in range(size):
        strategy[k] = 0.0
    strategy[action] = 1.0


@jit
def _highest_crossing(first, second, n):
    """Maximise over p in [0, 1] the lowest of the n lines p * first[j] + (1 - p) * second[j].

    Walks along the lower envelope from p = 0 until it stops rising. Returns (p, j, k, weight): the maximum
    lies where the rising line j meets the falling line k, and weight on j, the rest on k, makes the mixture
    level.
    """
    j = 0
    for k in range(1, n):
        if second[k] < second[j] or (second[k] == second[j] and first[k] < first[j]):
            j = k
    while True:
        nearest = 1.0
        crossing = -1
        for k in range(n):
            if first[k] < first[j]:
                rise = max(second[k] - second[j], 0.0)
                p = rise / (rise + (first[j] - first[k]))
                if crossing < 0 or p < nearest or (p == nearest and first[k] < first[crossing]):
                    nearest = p
                    crossing = k
        if crossing < 0:
            return 1.0, j, j, 1.0
        rising = first[j] - second[j]
        falling = second[crossing] - first[crossing]
        if falling >= 0.0:
            if rising <= 0.0:
                return 0.0, j, j, 1.0
            return nearest, j, crossing, falling / (rising + falling)
        j = crossing


@jit_part
def _solve_two_rows(matrix, sign, n, x, y, work):
    """Solve `sign` times a 2 x n matrix without a saddle point, and return `sign` times its value.

    An m x 2 matrix is one, transposed, of the column player with the sign -1.
    """
    first = work[1 : 1 + n]
    second = work[1 + n : 1 + 2 * n]
    for j in range(n):
        first[j] = sign * matrix[0, j]
        second[j] = sign * matrix[1, j]
    p, j, k, weight = _highest_crossing(first, second, n)
    x[0] = p
    x[1] = 1.0 - p
    for column in range(n):
        y[column] = 0.0
    y[k] = 1.0 - weight
    y[j] += weight
    return sign * (p * first[j] + (1.0 - p) * second[j])


@jit
def solve(matrix, m, n, x, y, work):
    """Write an equilibrium to x[:m] and y[:n] and return (value, method).

    A saddle point is looked for first (method SADDLE, exact), then two rows, two columns and 3 x 3 are solved
    in closed form (CLOSED_FORM), and only then is a linear program solved (LP). Strategies are non-negative
    and sum to 1. The best-response gap, and with it the error of the value, is at most GAP_TOLERANCE of the
    largest difference between two entries (plus, for the value, half a unit in its last place); a miss is
    counted in ``work[FAILURES]``.
    """
    lower, row, upper, column, lowest, highest = _pure_bounds(matrix, m, n)
    if lower == upper:
        _set_pure(x, m, row)
        _set_pure(y, n, column)
        return lower, SADDLE
    if m == 2:
        return _solve_two_rows(matrix, 1.0, n, x, y, work), CLOSED_FORM
    if n == 2:
        return _solve_two_rows(matrix.T, -1.0, m, y, x, work), CLOSED_FORM
    span = highest - lowest
    if m == 3 and n == 3:
        found, value = solve_three(matrix, span, x, y)
        if found:
            return value, CLOSED_FORM
    return solve_program(matrix, m, n, column, span, x, y, work), LP


@jit
def value_of(matrix, m, n, work):
    """Return the value of the game alone, as accurate as that of `solve`."""
    end = work_size(m, n)
    return solve(matrix, m, n, work[end - m - n : end - n], work[end - n : end], work)[0]


@jit
def best_response_row(matrix, m, n, y):
    """Return (pay-off, row) of the row player's best pure reply to y, the first of equals.

    - `matrix`: a float64 array of shape (m, n) at least, what the row player gets.
    - `m`: how many rows.
    - `n`: how many columns.
    - `y`: the column player's probabilities, an array.

    >>> import numpy as np
    >>> from saddlepoint.matrix import best_response_row
    >>> best_response_row(np.array([[0.0, 1.0], [-1.0, 0.0]]), 2, 2, np.array([1.0, 0.0]))[1]
    0
    """
    return best_reply(matrix, m, n, y, 1.0, 0.0)


@jit
def best_response_column(matrix, m, n, x):
    """Return (pay-off to the row player, column) of the column player's best pure reply to x, the first of
    equals.

    - `matrix`: a float64 array of shape (m, n) at least, what the row player gets.
    - `m`: how many rows.
    - `n`: how many columns.
    - `x`: the row player's probabilities, an array.

    >>> import numpy as np
    >>> from saddlepoint.matrix import best_response_column
    >>> best_response_column(np.array([[0.0, 1.0], [-1.0, 0.0]]), 2, 2, np.array([1.0, 0.0]))[1]
    0
    """
    best, column = best_reply(matrix.T, n, m, x, -1.0, 0.0)
    return 0.0 - best, column


@jit
def nash_conv(matrix, m, n, x, y):
    """Return max_i (A y)_i - min_j (x A)_j: what best replies to y and to x gain together, 0 in equilibrium (NashConv).

    For x and y that sum to 1. Pay-offs are taken relative to matrix[0, 0], see `guarantees`.
    """
    low, high = guarantees(matrix, m, n, x, y)
    return high - low


@dataclass(frozen=True)
class MatrixSolution:
    """An equilibrium of a zero-sum matrix game.

    - `value`: what the row player gets, in the units of the matrix.
    - `row_strategy`: probabilities, shape (m,).
    - `column_strategy`: probabilities, shape (n,).
    - `method`: one of METHODS.
    - `gap`: `matrix_nash_conv` of the two strategies, a bound on the error of the value.

    >>> from saddlepoint.matrix import solve_matrix
    >>> solution = solve_matrix([[1, -1], [-1, 1]])
    >>> round(solution.value, 6), solution.row_strategy.round(3).tolist()
    (0.0, [0.5, 0.5])
    """

    value: float
    row_strategy: NDArray[np.float64]
    column_strategy: NDArray[np.float64]
    method: str
    gap: float


def _checked_matrix(matrix: ArrayLike) -> NDArray[np.float64]:
    try:
        checked = np.ascontiguousarray(matrix, dtype=np.float64)
    except OverflowError as error:  # a whole number that no float64 holds
        raise ValueError(
            "A matrix game needs finite entries, without NaN or infinity, each within the range of a float64."
        ) from error
    except (TypeError, ValueError) as error:
        raise ValueError("A matrix game needs a rectangular array of numbers.") from error
    if np.ndim(matrix) != 2:
        raise ValueError(f"A matrix game needs an array with 2 dimensions, not {np.ndim(matrix)}.")
    if checked.size == 0:
        raise ValueError(f"A matrix game needs at least one row and one column, not shape {checked.shape}.")
    if not np.isfinite(checked).all():
        raise ValueError("A matrix game needs finite entries, without NaN or infinity.")
    return checked


def _checked_strategy(strategy: ArrayLike, size: int, owner: str) -> NDArray[np.float64]:
    checked = np.asarray(strategy, dtype=np.float64)
    if checked.shape != (size,):
        raise ValueError(f"The {owner} strategy needs shape ({size},), not {checked.shape}.")
    if not (checked >= 0.0).all() or abs(checked.sum() - 1.0) > 1e-6:
        raise ValueError(f"The {owner} strategy needs non-negative probabilities that sum to 1.")
    return checked


def solve_matrix(matrix: ArrayLike) -> MatrixSolution:
    """Solve a zero-sum matrix game: the row player maximises the entry, the column player minimises it.

    The value is right to GAP_TOLERANCE of the largest difference between two entries and half a unit in its last place; below 2.2e-308
    such a unit is 5e-324, so that 2.5e-324 becomes 0. A game can have many equilibria; this returns one, always the same for the same
    matrix. By von Neumann's minimax theorem (1928) all have the same value.

    - `matrix`: shape (m, n), finite numbers of any unit and size.

    Raises ValueError if the matrix is not a 2-D array of finite numbers with at least one row and one column.

    >>> from saddlepoint.matrix import solve_matrix
    >>> solution = solve_matrix([[0, -25, 50], [25, 0, -5], [-50, 5, 0]])
    >>> [round(16 * float(p), 6) for p in solution.row_strategy]
    [1.0, 10.0, 5.0]
    """
    checked = _checked_matrix(matrix)
    m, n = checked.shape
    x = np.empty(m)
    y = np.empty(n)
    # Powers of two keep the extremes of the float64 range away from the compiled solver without rounding.
    exponent = int(np.frexp(np.abs(checked).max())[1])
    scaled = np.ldexp(checked, -exponent)
    value, method = solve(scaled, m, n, x, y, np.zeros(work_size(m, n)))
    gap = max(float(nash_conv(scaled, m, n, x, y)), 0.0)
    value, gap = float(np.ldexp(value, exponent)), float(np.ldexp(gap, exponent))
    if METHODS[method] == "saddle point":  # the entry itself: scaled down, a tiny one has fewer digits
        value = float(checked[int(x.argmax()), int(y.argmax())])
    return MatrixSolution(value, x, y, METHODS[method], gap)


def matrix_nash_conv(matrix: ArrayLike, x: ArrayLike, y: ArrayLike) -> float:
    """Return how much best replies to the strategies x and y gain together, in the units of the matrix: NashConv.

    OpenSpiel's exploitability is half of it. The result, max_i (A y)_i - min_j (x A)_j, is 0 exactly in equilibrium, and the value of
    the game differs from both terms by no more than it.

    - `matrix`: shape (m, n), what the row player gets.
    - `x`: the row player's probabilities, shape (m,).
    - `y`: the column player's probabilities, shape (n,).

    Raises ValueError for a bad matrix (see `solve_matrix`) and for strategies of the wrong shape, with
    negative entries or not summing to 1.

    >>> from saddlepoint.matrix import matrix_nash_conv
    >>> matrix_nash_conv([[1, -1], [-1, 1]], [1.0, 0.0], [0.5, 0.5])
    1.0
    """
    checked = _checked_matrix(matrix)
    m, n = checked.shape
    x_checked = _checked_strategy(x, m, "row")
    y_checked = _checked_strategy(y, n, "column")
    exponent = int(np.frexp(np.abs(checked).max())[1])  # as in `solve_matrix`
    with np.errstate(over="ignore"):  # twice the largest float, where it is so much
        return float(np.ldexp(nash_conv(np.ldexp(checked, -exponent), m, n, x_checked, y_checked), exponent))


def saddle_points(matrix: ArrayLike) -> list[tuple[int, int]]:
    """Return every pure saddle point (row, column), by rows: entries lowest in their row and highest in their
    column.

    The list is empty if every equilibrium is mixed.

    - `matrix`: shape (m, n), what the row player gets.

    Raises ValueError as `solve_matrix` does.

    >>> from saddlepoint.matrix import saddle_points
    >>> saddle_points([[3, 2, 4], [1, 0, 5]])
    [(0, 1)]
    """
    checked = _checked_matrix(matrix)
    lowest = checked == checked.min(axis=1, keepdims=True)
    highest = checked == checked.max(axis=0, keepdims=True)
    return [(int(i), int(j)) for i, j in np.argwhere(lowest & highest)]


def undominated(matrix: ArrayLike, strict: bool = True) -> tuple[list[int], list[int]]:
    """Return the rows and the columns that survive iterated elimination of dominated pure actions.

    - `matrix`: shape (m, n), what the row player gets.
    - `strict`: remove only what is worse against everything; otherwise also what is never better and somewhere worse (see
      `eliminate_dominated`).

    Raises ValueError as `solve_matrix` does.

    >>> from saddlepoint.matrix import undominated
    >>> undominated([[2, 3], [1, 0]])
    ([0], [0])
    """
    checked = _checked_matrix(matrix)
    m, n = checked.shape
    rows = np.ones(m, dtype=np.uint8)
    columns = np.ones(n, dtype=np.uint8)
    eliminate_dominated(checked, m, n, rows, columns, bool(strict))
    return np.flatnonzero(rows).tolist(), np.flatnonzero(columns).tolist()
