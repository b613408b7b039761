"""3 x 3 matrix games in closed form.

A game without a saddle point has an equilibrium that is the solution of a square kernel, and here that leaves
the 2 x 2 kernels and the whole matrix (Shapley and Snow, "Basic Solutions of Discrete Games", 1950). Every
candidate is checked; degenerate matrices in which rounding hides the kernel are left to the linear program.
"""

import math

from .simplex import jit

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
    if found:
        return True, value
    return _full_kernel(matrix, span, x, y)
