"""Matrix games without a saddle point: 3 x 3 in closed form, all others by the linear program."""

import math

from .simplex import FAILURES, add_pairs, jit, minimise, power_of_two_scale, sum_exact

# 3 x 3 matrix games in closed form.
#
# A game without a saddle point has an equilibrium that is the solution of a square kernel, and here that leaves
# the 2 x 2 kernels and the whole matrix (Shapley and Snow, "Basic Solutions of Discrete Games", 1950). Every
# candidate is checked; degenerate matrices in which rounding hides the kernel are left to the linear program.

# What a candidate may leave to gain, as a fraction of the range.
_TOLERANCE = 1e-14


@jit
def _two_by_two_kernel(matrix, span, x, y):
    """Look for an equilibrium with two actions of each player; return (found, value)."""
    allowed = _TOLERANCE * span
    for unused_row in range(3):
        i = 1 if unused_row == 0 else 0
        j = 1 if unused_row == 2 else 2
        for unused_column in range(3):
            k = 1 if unused_column == 0 else 0
            l = 1 if unused_column == 2 else 2  # noqa: E741
            # Without a saddle point in the kernel the better reply turns round, in rows and in columns.
            first = matrix[i, k] - matrix[i, l]
            second = matrix[j, l] - matrix[j, k]
            left = matrix[i, k] - matrix[j, k]
            right = matrix[j, l] - matrix[i, l]
            if (first > 0.0 and second > 0.0 and left > 0.0 and right > 0.0) or (
                first < 0.0 and second < 0.0 and left < 0.0 and right < 0.0
            ):
                p = second / (first + second)
                q = right / (left + right)
                # Pay-offs less that of (j, k), then less that of (j, l): exact differences, whatever the
                # offset.
                value = p * left
                column_reply = (matrix[j, unused_column] - matrix[j, k]) + p * (
                    matrix[i, unused_column] - matrix[j, unused_column]
                )
                row_reply = (matrix[unused_row, l] - matrix[j, l]) + q * (
                    matrix[unused_row, k] - matrix[unused_row, l]
                )
                if column_reply >= value - allowed and row_reply <= allowed - q * second:
                    x[unused_row] = 0.0
                    x[i] = p
                    x[j] = 1.0 - p
                    y[unused_column] = 0.0
                    y[k] = q
                    y[l] = 1.0 - q
                    return True, matrix[j, k] + value
    return False, 0.0


@jit
def _full_kernel(matrix, span, x, y):
    """Look for an equilibrium with all actions: x is at right angles to every difference of two columns, y of
    rows.

    Returns (found, value).
    """
    # Pay-offs less the first one, then differences of columns and of rows.
    base = matrix[0, 0]
    a01, a02 = matrix[0, 1] - base, matrix[0, 2] - base
    a10, a11, a12 = matrix[1, 0] - base, matrix[1, 1] - base, matrix[1, 2] - base
    a20, a21, a22 = matrix[2, 0] - base, matrix[2, 1] - base, matrix[2, 2] - base
    u0, u1, u2 = a01, a11 - a10, a21 - a20
    w0, w1, w2 = a02, a12 - a10, a22 - a20
    x0, x1, x2 = u1 * w2 - u2 * w1, u2 * w0 - u0 * w2, u0 * w1 - u1 * w0
    x_sum = x0 + x1 + x2
    u0, u1, u2 = a10, a11 - a01, a12 - a02
    w0, w1, w2 = a20, a21 - a01, a22 - a02
    y0, y1, y2 = u1 * w2 - u2 * w1, u2 * w0 - u0 * w2, u0 * w1 - u1 * w0
    y_sum = y0 + y1 + y2
    if not (0.0 < abs(x_sum) < math.inf and 0.0 < abs(y_sum) < math.inf):
        return False, 0.0
    x0, x1, x2 = x0 / x_sum, x1 / x_sum, x2 / x_sum
    y0, y1, y2 = y0 / y_sum, y1 / y_sum, y2 / y_sum
    if not (x0 >= 0.0 and x1 >= 0.0 and x2 >= 0.0 and y0 >= 0.0 and y1 >= 0.0 and y2 >= 0.0):
        return False, 0.0
    first = x1 * a10 + x2 * a20
    second = x0 * a01 + x1 * a11 + x2 * a21
    third = x0 * a02 + x1 * a12 + x2 * a22
    low = min(first, second, third)
    first = y1 * a01 + y2 * a02
    second = y0 * a10 + y1 * a11 + y2 * a12
    third = y0 * a20 + y1 * a21 + y2 * a22
    high = max(first, second, third)
    if not high - low <= _TOLERANCE * span:
        return False, 0.0
    x[0], x[1], x[2] = x0, x1, x2
    y[0], y[1], y[2] = y0, y1, y2
    return True, base + 0.5 * (low + high)


@jit
def solve_three(matrix, span, x, y):
    """Return (True, value) and write the strategies of a 3 x 3 game without a saddle point, or return (False,
    0)."""
    found, value = _two_by_two_kernel(matrix, span, x, y)
    return (True, value) if found else _full_kernel(matrix, span, x, y)


# The linear program of a matrix game, for what has neither a saddle point nor two rows or columns.

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
def best_reply(matrix, m, n, mixture, sign, base):
    """Return (best pay-off, row) of the pure replies to a mixture of the columns, the first of equals.

    Pay-offs are `sign` times what an entry exceeds `base` by: -1 is for the column player, who replies in the
    transposed matrix.
    """
    best, row = -math.inf, -1
    for i in range(m):
        reply = 0.0
        for j in range(n):
            reply += sign * (matrix[i, j] - base) * mixture[j]
        if reply > best:
            best, row = reply, i
    return best, row


@jit
def guarantees(matrix, m, n, x, y):
    """Return what x guarantees the row player and what y guarantees the column player, both less matrix[0,
    0].

    Taking a common pay-off away first keeps the rounding relative to the range, however far the matrix is
    from 0.
    """
    base = matrix[0, 0]
    low, _ = best_reply(matrix.T, n, m, x, -1.0, base)
    high, _ = best_reply(matrix, m, n, y, 1.0, base)
    return 0.0 - low, high


@jit
def _highest_row(matrix, m, column):
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
    row = _highest_row(matrix, m, column)
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
