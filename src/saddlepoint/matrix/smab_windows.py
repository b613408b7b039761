"""How far a cell of a matrix of bounds may rise before its row, or fall before its column, stops being
dominated.

Simultaneous-move alpha-beta (Saffidine, Finnsson and Buro, "Alpha-Beta Pruning for Games with Simultaneous
Moves", AAAI 2012) searches the cell (a, b) of a matrix whose cells are known between P (pessimistic, lower)
and O (optimistic, upper) with a window. At or below its lower end row a is dominated by a mixture of the
other rows and of one artificial row worth alpha everywhere, at or above its upper end the column is dominated
likewise.

Both ends come from the same linear program over mixtures of *options* (the other actions and the artificial
one). Option k has a margin in every *column* of the program and a value; the best value of a mixture all of
whose margins are non-negative is sought.
"""

import math

from ..compiled import jit_part
from .simplex import FAILURES, OPTIMAL, STOPPED, jit, minimise, pivot, power_of_two_scale

# Coefficients below this cannot drive the infeasibility out of the basis.
_NEGLIGIBLE = 1e-9
# A level of infeasibility below this, as a fraction of the range, may be rounding: the result is checked
# anyway.
_BORDERLINE = 1e-13
# A shortfall up to this fraction of the range is a tie lost to rounding and not a failure of the solver.
_EXCUSED = 1e-12
# Margin asked for, as a fraction of the range, when rounding left the first answer short of a non-negative
# one.
_CUSHION = 2.0**-44
# Mixtures in ratios of whole numbers up to this are recovered from their rounded weights.
_LARGEST_RATIO = 128

_FEASIBLE = 0
_INFEASIBLE = 1
_LOST = 2


@jit
def _fill(options, columns, stride, start, scale, cushion, has_feasible, work, table, basic, nonbasic):
    """Write the tableau with option `start` played; labels: option k is k, slack j is options + j, then the
    shortfall.

    If `start` alone is feasible, its weight takes the last constraint row and its column stays empty.
    Otherwise the shortfall u >= 0, added to every margin, takes that row; it equals minus the worst margin of
    `start`, whose slack is nonbasic in the column of `start`, while the weight of `start` takes the row of
    that slack. The objective, minus the value, is the row after.
    """
    first = 1 + start * stride
    worst = 0
    for j in range(1, columns):
        if work[first + j] < work[first + worst]:
            worst = j
    base = 0.0 if has_feasible else work[first + worst] * scale - cushion
    for j in range(columns):
        level = work[first + j] * scale - cushion - base
        basic[j] = options + j
        for k in range(options):
            other = 1 + k * stride
            change = (work[first + j] - work[other + j]) * scale
            if not has_feasible:
                change += (work[other + worst] - work[first + worst]) * scale
            table[j, k] = change
        table[j, start] = 0.0 if has_feasible else -1.0
        table[j, options] = level
    for k in range(options):
        other = 1 + k * stride
        nonbasic[k] = k
        table[columns, k] = (work[other + worst] - work[first + worst]) * scale
        table[columns + 1, k] = (work[other + columns] - work[first + columns]) * scale
    table[columns + 1, start] = 0.0
    table[columns + 1, options] = 0.0
    weight_row = columns
    if not has_feasible:
        weight_row = worst
        table[columns, start] = -1.0
        table[columns, options] = -base
        basic[columns] = options + columns
    for k in range(options):
        table[weight_row, k] = 1.0
    table[weight_row, start] = 0.0
    table[weight_row, options] = 1.0
    basic[weight_row] = start
    nonbasic[start] = options + (columns + 1 if has_feasible else worst)


@jit
def _largest_entry(table, row, options):
    largest = 0
    for k in range(1, options):
        if abs(table[row, k]) > abs(table[row, largest]):
            largest = k
    return largest


@jit
def _optimise(options, columns, has_feasible, table, basic, nonbasic):
    """Drive the shortfall out of the basis, then minimise the last row."""
    if not has_feasible:
        status = minimise(
            table, table, False, columns + 1, options, columns + 2, columns, basic, nonbasic, columns
        )
        if status == OPTIMAL:
            if table[columns, options] > _BORDERLINE:
                return _INFEASIBLE
            entering = _largest_entry(table, columns, options)
            if abs(table[columns, entering]) <= _NEGLIGIBLE:
                return _INFEASIBLE
            table[columns, options] = 0.0
            pivot(table, columns + 2, options + 1, columns, entering)
            basic[columns], nonbasic[entering] = nonbasic[entering], basic[columns]
        elif status != STOPPED:
            return _LOST
        # The shortfall is now nonbasic; an empty column keeps it at zero.
        for k in range(options):
            if nonbasic[k] == options + columns:
                for j in range(columns + 2):
                    table[j, k] = 0.0
    status = minimise(
        table, table, False, columns + 1, options, columns + 2, columns + 1, basic, nonbasic, -1
    )
    return _FEASIBLE if status == OPTIMAL else _LOST


@jit
def _restore_ratios(options, columns, table, basic):
    """Round the weights to a ratio of small whole numbers and return whether they are that close to one.

    With whole-number pay-offs a row is often matched exactly by a mixture such as 1 : 2 : 2, of which floats
    hold only an approximation, which may lie just outside of the constraints.
    """
    largest = 0.0
    for i in range(columns + 1):
        if basic[i] < options:
            largest = max(largest, table[i, options])
    if largest <= 0.0:
        return False
    for parts in range(1, _LARGEST_RATIO + 1):
        close = True
        for i in range(columns + 1):
            if basic[i] < options:
                share = max(table[i, options], 0.0) / largest * parts
                if abs(share - math.floor(share + 0.5)) > 1e-10:
                    close = False
                    break
        if close:
            for i in range(columns + 1):
                if basic[i] < options:
                    share = max(table[i, options], 0.0) / largest * parts
                    table[i, options] = math.floor(share + 0.5)
            return True
    return False


@jit
def _mixture_value(options, columns, stride, table, basic, work):
    """Return (value, how far the worst margin lies below zero) of the mixture in the tableau.

    Weights are used without normalising them, so that mixtures in small whole ratios are judged exactly.
    """
    # Values are taken relative to the highest in the mixture: exact when they are equal.
    top = -math.inf
    total = 0.0
    for i in range(columns + 1):
        if basic[i] < options and table[i, options] > 0.0:
            top = max(top, work[1 + int(basic[i]) * stride + columns])
            total += table[i, options]
    if total <= 0.0:
        return -math.inf, math.inf
    below = 0.0
    for i in range(columns + 1):
        if basic[i] < options and table[i, options] > 0.0:
            below += table[i, options] * (top - work[1 + int(basic[i]) * stride + columns])
    worst = 0.0
    for j in range(columns):
        margin = 0.0
        for i in range(columns + 1):
            if basic[i] < options and table[i, options] > 0.0:
                margin += table[i, options] * work[1 + int(basic[i]) * stride + j]
        worst = min(worst, margin)
    return top - below / total, -worst / total


# Sizes and flags below come out of functions: a variable that starts as a literal would make Numba compile
# everything it is passed to once more for that literal.


@jit
def _best_alone(options, columns, work):
    """Return (option, worst margin, value) of the best option alone.

    If none is feasible, it is the one that falls short by the least, and the value -inf.
    """
    stride = columns + 1
    best = 0
    best_margin = -math.inf
    best_value = -math.inf
    for k in range(options):
        first = 1 + k * stride
        margin = math.inf
        for j in range(columns):
            margin = min(margin, work[first + j])
        if margin >= 0.0:
            if best_margin < 0.0 or work[first + columns] > best_value:
                best = k
                best_margin = margin
                best_value = work[first + columns]
        elif margin > best_margin:
            best = k
            best_margin = margin
    return best, best_margin, best_value


@jit
def _spread(options, columns, work):
    """Return (highest value, largest difference between two margins or two values)."""
    stride = columns + 1
    lowest = math.inf
    highest = -math.inf
    least = math.inf
    most = -math.inf
    for k in range(options):
        first = 1 + k * stride
        for j in range(columns):
            lowest = min(lowest, work[first + j])
            highest = max(highest, work[first + j])
        least = min(least, work[first + columns])
        most = max(most, work[first + columns])
    return most, max(highest - lowest, most - least)


@jit
def _best_mixture(options, columns, work):
    """Return the best value of a mixture of options without a negative margin, -inf if there is none.

    ``work[1 + k * (columns + 1) + j]`` is the margin of option k in column j, its value stands at j =
    columns.
    """
    start, start_margin, start_value = _best_alone(options, columns, work)
    most, span = _spread(options, columns, work)
    if options <= 1 or start_value == most:
        return start_value
    stride = columns + 1
    scale = power_of_two_scale(span)
    offset = 1 + options * stride
    size = (columns + 2) * (options + 1)
    table = work[offset : offset + size].reshape((columns + 2, options + 1))
    basic = work[offset + size : offset + size + columns + 1]
    nonbasic = work[offset + size + columns + 1 : offset + size + columns + 1 + options]
    cushion = 0.0
    shortfall = math.inf
    for _ in range(2):
        has_feasible = start_margin * scale >= cushion
        _fill(options, columns, stride, start, scale, cushion, has_feasible, work, table, basic, nonbasic)
        status = _optimise(options, columns, has_feasible, table, basic, nonbasic)
        if status == _INFEASIBLE:
            return start_value
        if status == _FEASIBLE:
            value, shortfall = _mixture_value(options, columns, stride, table, basic, work)
            if shortfall > 0.0 and _restore_ratios(options, columns, table, basic):
                value, shortfall = _mixture_value(options, columns, stride, table, basic, work)
            if shortfall == 0.0:
                return max(value, start_value)
        else:
            shortfall = math.inf
        cushion = _CUSHION
    # No mixture could be confirmed. That is as it should be where all fall short by mere rounding.
    if shortfall > _EXCUSED * span:
        work[FAILURES] += 1.0
    return start_value


@jit
def _count_others(alive, size, action):
    """Return how many alive actions there are besides `action`."""
    count = 0
    for k in range(size):
        if k != action and alive[k] != 0:
            count += 1
    return count


@jit_part
def _load_options(low, high, sign, m, n, a, b, alpha, rows_alive, columns_alive, columns, work):
    """Write the options of `row_window` to `work` and return their number, -1 if some column is out of
    reach.

    The bounds are `sign` times `low` and `high`: -1 is for the column player, to whom the transposed upper bounds are
    the lower ones.
    """
    # No mixture reaches what no row reaches: the usual end while most cells are unknown.
    for j in range(n):
        if j != b and columns_alive[j] != 0 and alpha < sign * high[a, j]:
            possible = False
            for i in range(m):
                if sign * low[i, j] >= sign * high[a, j] and i != a and rows_alive[i] != 0:
                    possible = True
                    break
            if not possible:
                return -1
    options = 0
    for i in range(m):
        if i != a and rows_alive[i] != 0:
            # A row nowhere above alpha adds nothing to the artificial row.
            useful = sign * low[i, b] > alpha
            position = 1 + options * (columns + 1)
            work[position + columns] = sign * low[i, b]
            for j in range(n):
                if j != b and columns_alive[j] != 0:
                    useful = useful or sign * low[i, j] > alpha
                    work[position] = sign * low[i, j] - sign * high[a, j]
                    position += 1
            if useful:
                options += 1
    if alpha > -math.inf:
        position = 1 + options * (columns + 1)
        work[position + columns] = alpha
        for j in range(n):
            if j != b and columns_alive[j] != 0:
                work[position] = alpha - sign * high[a, j]
                position += 1
        options += 1
    return options


@jit
def row_window(P, O, m, n, a, b, alpha, rows_alive, columns_alive, work):  # noqa: E741
    """Return the largest value of cell (a, b) at which row a is still dominated, -inf if it cannot be.

    That is the maximum, over mixtures x of the other alive rows and an artificial row worth `alpha`
    everywhere, of sum(x[i] * P[i, b]) subject to sum(x[i] * P[i, j]) >= O[a, j] in every alive column j other
    than b.

    - `P`: lower bounds of the cells, shape (m, n) at least, finite.
    - `O`: upper bounds of the cells, shape (m, n) at least, finite.
    - `m`: how many rows.
    - `n`: how many columns.
    - `a`: the cell's row.
    - `b`: the cell's column.
    - `alpha`: what the artificial row is worth, finite; -inf for none.
    - `rows_alive`: non-zero for each row still in the game.
    - `columns_alive`: non-zero for each column still in the game.
    - `work`: scratch memory of `work_size` numbers, see the module `matrix`.

    The result is safe: it is the value of a mixture whose constraints have been checked after the program was
    solved. So it does not exceed the optimum but through the rounding of those sums, about 1e-15 of the
    range, and it may fall short. Infeasible is -inf. If the program cannot be solved, the best single row, or
    -inf, is returned as well, and ``work[FAILURES]`` goes up by one.
    """
    columns = _count_others(columns_alive, n, b)
    options = _load_options(P, O, 1.0, m, n, a, b, alpha, rows_alive, columns_alive, columns, work)
    return -math.inf if options <= 0 else _best_mixture(options, columns, work)


@jit
def column_window(P, O, m, n, a, b, beta, rows_alive, columns_alive, work):  # noqa: E741
    """Return the smallest value of cell (a, b) at which column b is still dominated, inf if it cannot be.

    The mirror image of `row_window`: the minimum, over mixtures y of the other alive columns and an
    artificial column worth `beta` everywhere, of sum(O[a, j] * y[j]) subject to sum(O[i, j] * y[j]) <= P[i,
    b] in every alive row i other than a. Safe in the same sense: not below the optimum.

    - `P`: lower bounds of the cells, shape (m, n) at least, finite.
    - `O`: upper bounds of the cells, shape (m, n) at least, finite.
    - `m`: how many rows.
    - `n`: how many columns.
    - `a`: the cell's row.
    - `b`: the cell's column.
    - `beta`: what the artificial column is worth, finite; inf for none.
    - `rows_alive`: non-zero for each row still in the game.
    - `columns_alive`: non-zero for each column still in the game.
    - `work`: scratch memory of `work_size` numbers, see the module `matrix`.
    """
    rows = _count_others(rows_alive, m, a)
    options = _load_options(O.T, P.T, -1.0, n, m, b, a, -beta, columns_alive, rows_alive, rows, work)
    if options <= 0:
        return math.inf
    return -_best_mixture(options, rows, work)
