"""One zero-sum matrix game: saddle points, value, equilibrium, best response, dominance.

The row player chooses i and maximises ``matrix[i, j]``, the column player chooses j and minimises it.

The functions with explicit sizes are compiled and never allocate, so that a compiled search can call them at
every node: ``matrix`` may be larger than the m x n corner that counts, and scratch memory is passed in as
``work``, a contiguous float64 array of at least ``work_size(m, n)`` numbers that was filled with zeros once, when it
was made. Everything in it may be overwritten except ``work[FAILURES]``, to which every call adds one when rounding
kept it from its promise: read it to know that this has not happened.

Entries must be finite; the largest difference between two entries has to lie between 1e-290 and 1e300, or be 0
(`solve_matrix` rescales by itself).
"""

import math

from ._simplex import add_pairs, jit, minimise, power_of_two_scale, sum_exact

SADDLE = 0
CLOSED_FORM = 1
LP = 2
METHODS = ("saddle point", "closed form", "linear program")

# Position in `work` of the count of calls that could not keep their promise.
FAILURES = 0

# The promise: best-response gap of every solution, as a fraction of the largest difference between two entries.
GAP_TOLERANCE = 1e-9
# A gap above this fraction makes the linear program start again with more digits.
PROGRAM_TOLERANCE = 1e-11
# What a closed form must reach to be believed; otherwise the linear program decides.
CLOSED_FORM_TOLERANCE = 1e-13


@jit
def work_size(m, n):
    """Return how many float64 numbers of scratch memory an m x n matrix needs in any function of this module."""
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

    A saddle point exists exactly when maximin equals minimax, and then any maximin row meets any minimax column
    in one. Comparisons are exact.
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

    Walks along the lower envelope from p = 0 until it stops rising. Returns (p, j, k, weight): the maximum lies
    where the rising line j meets the falling line k, and weight on j, the rest on k, makes the mixture level.
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


@jit
def _solve_two_rows(matrix, n, x, y, work):
    """Solve a 2 x n matrix without a saddle point."""
    first = work[1 : 1 + n]
    second = work[1 + n : 1 + 2 * n]
    for j in range(n):
        first[j] = matrix[0, j]
        second[j] = matrix[1, j]
    p, j, k, weight = _highest_crossing(first, second, n)
    x[0] = p
    x[1] = 1.0 - p
    for column in range(n):
        y[column] = 0.0
    y[k] = 1.0 - weight
    y[j] += weight
    return p * first[j] + (1.0 - p) * second[j]


@jit
def _solve_two_columns(matrix, m, x, y, work):
    """Solve an m x 2 matrix without a saddle point: for the column player the signs are reversed."""
    first = work[1 : 1 + m]
    second = work[1 + m : 1 + 2 * m]
    for i in range(m):
        first[i] = -matrix[i, 0]
        second[i] = -matrix[i, 1]
    p, i, k, weight = _highest_crossing(first, second, m)
    y[0] = p
    y[1] = 1.0 - p
    for row in range(m):
        x[row] = 0.0
    x[k] = 1.0 - weight
    x[i] += weight
    return -(p * first[i] + (1.0 - p) * second[i])


@jit
def _fill_tableau(matrix, m, n, row, column, scale, table, low, precise, basic, nonbasic):
    """Write the tableau of the column player's program at the pure strategies `row` and `column`.

    The program is: minimise v subject to slack[i] = v - sum(matrix[i, j] * y[j]) >= 0, y >= 0, sum(y) = 1. With
    `column` played and `row` the best reply, v and y[column] are eliminated through slack[row] and sum(y) = 1, so
    every entry is a difference of pay-offs and no shift to positive numbers is needed. Row `row` then holds
    y[column] and column `column` holds slack[row]. Labels: y[j] is j, slack[i] is n + i. With `precise` the
    rounding errors of the differences go to `low`.
    """
    corner = matrix[row, column] * scale
    for i in range(m):
        basic[i] = n + i
        level = corner - matrix[i, column] * scale
        for j in range(n):
            table[i, j] = (matrix[i, j] * scale - matrix[row, j] * scale) + level
        table[i, column] = -1.0
        table[i, n] = level
    for j in range(n):
        nonbasic[j] = j
        table[row, j] = 1.0
        table[m, j] = corner - matrix[row, j] * scale
    table[row, column] = 0.0
    table[row, n] = 1.0
    table[m, column] = -1.0
    table[m, n] = 0.0
    basic[row] = column
    nonbasic[column] = n + row
    if precise:
        for i in range(m + 1):
            for j in range(n + 1):
                low[i, j] = 0.0
        for i in range(m):
            if i != row:
                level, level_low = sum_exact(corner, -matrix[i, column] * scale)
                low[i, n] = level_low
                for j in range(n):
                    if j != column:
                        entry, entry_low = sum_exact(matrix[i, j] * scale, -matrix[row, j] * scale)
                        table[i, j], low[i, j] = add_pairs(entry, entry_low, level, level_low)
        for j in range(n):
            if j != column:
                table[m, j], low[m, j] = sum_exact(corner, -matrix[row, j] * scale)


@jit
def _read_tableau(table, m, n, basic, nonbasic, x, y):
    """Read both strategies from an optimal tableau: basic levels are y, prices of nonbasic slacks are x."""
    for i in range(m):
        x[i] = 0.0
    for j in range(n):
        y[j] = 0.0
    total = 0.0
    for i in range(m):
        if basic[i] < n:
            level = max(table[i, n], 0.0)
            y[int(basic[i])] = level
            total += level
    if total > 0.0:
        for j in range(n):
            y[j] /= total
    total = 0.0
    for j in range(n):
        if nonbasic[j] >= n:
            level = max(-table[m, j], 0.0)
            x[int(nonbasic[j]) - n] = level
            total += level
    if total > 0.0:
        for i in range(m):
            x[i] /= total


@jit
def _guarantees(matrix, m, n, x, y, totals):
    """Return what x guarantees the row player and what y guarantees the column player, both less matrix[0, 0].

    Taking a common pay-off away first keeps the rounding relative to the range, however far the matrix is from 0.
    """
    base = matrix[0, 0]
    for j in range(n):
        totals[j] = 0.0
    high = -math.inf
    for i in range(m):
        reply = 0.0
        for j in range(n):
            reply += (matrix[i, j] - base) * y[j]
        high = max(high, reply)
        weight = x[i]
        if weight != 0.0:
            for j in range(n):
                totals[j] += weight * (matrix[i, j] - base)
    low = math.inf
    for j in range(n):
        low = min(low, totals[j])
    return low, high


@jit
def _solve_program(matrix, m, n, row, column, span, x, y, work):
    """Solve by the simplex method and return the value; `row` is the best reply to the pure minimax `column`.

    The best-response gap is computed afterwards. Where tiny pivots (actions that differ by a hair) have spoilt it,
    the program is solved once more with numbers of 106 bits.
    """
    scale = power_of_two_scale(span)
    size = (m + 1) * (n + 1)
    table = work[1 : 1 + size].reshape((m + 1, n + 1))
    low = work[1 + size : 1 + 2 * size].reshape((m + 1, n + 1))
    labels = 1 + 2 * size
    basic = work[labels : labels + m]
    nonbasic = work[labels + m : labels + m + n]
    totals = work[labels + m + n : labels + m + 2 * n]
    _fill_tableau(matrix, m, n, row, column, scale, table, low, False, basic, nonbasic)
    minimise(table, low, False, m, n, m + 1, m, basic, nonbasic, -1)
    _read_tableau(table, m, n, basic, nonbasic, x, y)
    worst, best = _guarantees(matrix, m, n, x, y, totals)
    if not best - worst <= PROGRAM_TOLERANCE * span:
        _fill_tableau(matrix, m, n, row, column, scale, table, low, True, basic, nonbasic)
        minimise(table, low, True, m, n, m + 1, m, basic, nonbasic, -1)
        _read_tableau(table, m, n, basic, nonbasic, x, y)
        worst, best = _guarantees(matrix, m, n, x, y, totals)
        if not best - worst <= GAP_TOLERANCE * span:
            work[FAILURES] += 1.0
    return matrix[0, 0] + 0.5 * (worst + best)


@jit
def solve(matrix, m, n, x, y, work):
    lower, row, upper, column, lowest, highest = _pure_bounds(matrix, m, n)
    if lower == upper:
        _set_pure(x, m, row)
        _set_pure(y, n, column)
        return lower, SADDLE
    if m == 2:
        return _solve_two_rows(matrix, n, x, y, work), CLOSED_FORM
    if n == 2:
        return _solve_two_columns(matrix, m, x, y, work), CLOSED_FORM
    reply = 0
    for i in range(1, m):
        if matrix[i, column] > matrix[reply, column]:
            reply = i
    return _solve_program(matrix, m, n, reply, column, highest - lowest, x, y, work), LP
