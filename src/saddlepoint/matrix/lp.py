"""The linear program of a matrix game, for what has neither a saddle point nor two rows or columns."""

import math

from .simplex import FAILURES, add_pairs, jit, minimise, power_of_two_scale, sum_exact

# The promise: best-response gap of every solution, as a fraction of the largest difference between two
# entries.
GAP_TOLERANCE = 1e-9
# A gap above this fraction makes the linear program start again with more digits.
PROGRAM_TOLERANCE = 1e-11


@jit
def _fill_tableau(matrix, m, n, row, column, scale, table, basic, nonbasic):
    """Write the tableau of the column player's program at the pure strategies `row` and `column`.

    The program is: minimise v subject to slack[i] = v - sum(matrix[i, j] * y[j]) >= 0, y >= 0, sum(y) = 1.
    With `column` played and `row` the best reply, v and y[column] are eliminated through slack[row] and
    sum(y) = 1, so every entry is a difference of pay-offs and no shift to positive numbers is needed. Row
    `row` then holds y[column] and column `column` holds slack[row]. Labels: y[j] is j, slack[i] is n + i.
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


@jit
def _fill_low(matrix, m, n, row, column, scale, table, low):
    """Complete the tableau of `_fill_tableau` to 106 bits: `low` gets what the differences in `table` round
    away."""
    corner = matrix[row, column] * scale
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
def guarantees(matrix, m, n, x, y):
    """Return what x guarantees the row player and what y guarantees the column player, both less matrix[0,
    0].

    Taking a common pay-off away first keeps the rounding relative to the range, however far the matrix is
    from 0.
    """
    base = matrix[0, 0]
    high = -math.inf
    for i in range(m):
        reply = 0.0
        for j in range(n):
            reply += (matrix[i, j] - base) * y[j]
        high = max(high, reply)
    low = math.inf
    for j in range(n):
        reply = 0.0
        for i in range(m):
            reply += x[i] * (matrix[i, j] - base)
        low = min(low, reply)
    return low, high


@jit
def _best_reply(matrix, m, column):
    row = 0
    for i in range(1, m):
        if matrix[i, column] > matrix[row, column]:
            row = i
    return row


@jit
def solve_program(matrix, m, n, column, span, x, y, work):
    """Solve by the simplex method, starting from the pure strategy `column`, and return the value.

    The best-response gap is computed afterwards. Where tiny pivots (actions that differ by a hair) have
    spoilt it, the program is solved once more with numbers of 106 bits.
    """
    row = _best_reply(matrix, m, column)
    scale = power_of_two_scale(span)
    size = (m + 1) * (n + 1)
    table = work[1 : 1 + size].reshape((m + 1, n + 1))
    low = work[1 + size : 1 + 2 * size].reshape((m + 1, n + 1))
    labels = 1 + 2 * size
    basic = work[labels : labels + m]
    nonbasic = work[labels + m : labels + m + n]
    worst, best = 0.0, 0.0
    # At most one more round, with more digits.
    for precise in (False, True):
        _fill_tableau(matrix, m, n, row, column, scale, table, basic, nonbasic)
        if precise:
            _fill_low(matrix, m, n, row, column, scale, table, low)
        minimise(table, low, precise, m, n, m + 1, m, basic, nonbasic, -1)
        _read_tableau(table, m, n, basic, nonbasic, x, y)
        worst, best = guarantees(matrix, m, n, x, y)
        if best - worst <= PROGRAM_TOLERANCE * span:
            break
    if not best - worst <= GAP_TOLERANCE * span:
        work[FAILURES] += 1.0
    return matrix[0, 0] + 0.5 * (worst + best)
