"""A dense simplex on the condensed tableau, shared by matrix games and by bound windows.

A tableau row reads ``basic = rhs - sum(table[i, j] * nonbasic[j])`` with the right-hand side in the last used
column; the objective is one more row, to be minimised, and can fall while it has a positive coefficient. One
column per nonbasic variable and one row per basic variable means that a pivot touches (rows + 1) x (columns +
1) numbers and nothing else, and that primal and dual solution are both read off the final tableau.

Callers scale their numbers so that the largest difference of pay-offs lies in [1, 2): every tolerance here is
therefore relative to the range of the matrix. The scale is a power of two, so integers stay exact.
"""

import math

from ..compiled import jit, jit_inline

# A coefficient of the objective at or below this counts as zero: what is left on the table is worth no more
# than this much of the range per unit of probability.
COST_TOLERANCE = 1e-13
# Smaller entries are never pivots.
PIVOT_TOLERANCE = 1e-11
PRECISE_PIVOT_TOLERANCE = 1e-13
# A step whose right-hand side is not above this leaves the objective where it was.
STALL_TOLERANCE = 1e-13
PRECISE_STALL_TOLERANCE = 1e-20
# 2 ** 27 + 1 splits a float64 into two halves of 26 bits.
SPLITTER = 134217729.0

# Position in a scratch array of the count of calls that could not keep their promise.
FAILURES = 0

# How a minimisation ended.
OPTIMAL = 0
STOPPED = 1
FAILED = 2


@jit
def power_of_two_scale(span):
    """Return the power of two that brings `span` > 0 into [1, 2); below 1e-301, where none does, the largest there is."""
    _, exponent = math.frexp(span)
    return math.ldexp(1.0, min(1 - exponent, 1000))


@jit
def pivot(table, total, width, leaving, entering):
    """Exchange the basic variable of row `leaving` for the nonbasic one of column `entering`.

    All `total` rows, objectives included, and all `width` columns, right-hand side included, are rewritten.
    """
    inverse = 1.0 / table[leaving, entering]
    for j in range(width):
        table[leaving, j] *= inverse
    table[leaving, entering] = inverse
    for i in range(total):
        if i != leaving:
            factor = table[i, entering]
            if factor != 0.0:
                # With a zero here the common update also leaves the right entry in the pivot column.
                table[i, entering] = 0.0
                for j in range(width):
                    table[i, j] -= factor * table[leaving, j]


@jit_inline
def sum_exact(a, b):
    """Return a + b and its rounding error (Knuth 1969)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@jit_inline
def product_exact(a, b):
    """Return a * b and its rounding error (Dekker 1971)."""
    product = a * b
    shifted = SPLITTER * a
    a_high = shifted - (shifted - a)
    a_low = a - a_high
    shifted = SPLITTER * b
    b_high = shifted - (shifted - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@jit_inline
def _multiply(a, a_low, b, b_low):
    """Multiply two numbers held as unevaluated sums of two floats."""
    product, error = product_exact(a, b)
    error += a * b_low + a_low * b
    high = product + error
    return high, error - (high - product)


@jit_inline
def add_pairs(a, a_low, b, b_low):
    """Add two numbers held as unevaluated sums of two floats."""
    total, error = sum_exact(a, b)
    tail, tail_error = sum_exact(a_low, b_low)
    error += tail
    high = total + error
    error = (error - (high - total)) + tail_error
    total = high + error
    return total, error - (total - high)


@jit
def _pivot_precise(table, low, total, width, leaving, entering):
    """`pivot` with 106 bits: `low` holds what `table` rounds away."""
    head = table[leaving, entering]
    head_low = low[leaving, entering]
    inverse = 1.0 / head
    # One Newton step doubles the digits of the reciprocal.
    product, error = _multiply(head, head_low, inverse, 0.0)
    rest, rest_low = add_pairs(1.0, 0.0, -product, -error)
    inverse, inverse_low = add_pairs(inverse, 0.0, inverse * rest, inverse * rest_low)
    for j in range(width):
        product, error = _multiply(table[leaving, j], low[leaving, j], inverse, inverse_low)
        table[leaving, j] = product
        low[leaving, j] = error
    table[leaving, entering] = inverse
    low[leaving, entering] = inverse_low
    for i in range(total):
        if i != leaving:
            factor = -table[i, entering]
            factor_low = -low[i, entering]
            if factor != 0.0:
                table[i, entering] = 0.0
                low[i, entering] = 0.0
                for j in range(width):
                    product, error = _multiply(factor, factor_low, table[leaving, j], low[leaving, j])
                    high, tail = add_pairs(table[i, j], low[i, j], product, error)
                    table[i, j] = high
                    low[i, j] = tail


@jit
def _entering_column(table, columns, objective, nonbasic, bland):
    """Return the column that enters the basis, -1 at the optimum."""
    entering = -1
    if bland:
        label = math.inf
        for j in range(columns):
            if table[objective, j] > COST_TOLERANCE and nonbasic[j] < label:
                label = nonbasic[j]
                entering = j
    else:
        largest = COST_TOLERANCE
        for j in range(columns):
            if table[objective, j] > largest:
                largest = table[objective, j]
                entering = j
    return entering


@jit
def _leaving_row(table, rows, columns, entering, basic, bland, preferred, smallest):
    """Return the row that first reaches zero as the entering variable grows, -1 if none does.

    Ties go to row `preferred`, then to the lowest label (Bland) or else to the largest pivot. Entries up to
    `smallest` are taken for zero.
    """
    leaving = -1
    best_level = 0.0
    best_rate = 0.0
    for i in range(rows):
        rate = table[i, entering]
        if rate > smallest:
            level = max(table[i, columns], 0.0)
            if leaving < 0:
                better = True
            else:
                # level / rate < best_level / best_rate, without the divisions.
                mine = level * best_rate
                other = best_level * rate
                if mine != other:
                    better = mine < other
                elif leaving == preferred:
                    better = False
                elif i == preferred:
                    better = True
                elif bland:
                    better = basic[i] < basic[leaving]
                else:
                    better = rate > best_rate
            if better:
                leaving = i
                best_level = level
                best_rate = rate
    return leaving


@jit
def minimise(table, low, precise, rows, columns, total, objective, basic, nonbasic, stop_row):
    """Minimise row `objective` over the tableau; the right-hand sides must be non-negative.

    The first `rows` rows take part in the ratio test, all `total` rows are updated. The largest coefficient
    enters; after a run of steps without progress Bland's rule takes over until there is progress again, which
    excludes cycling. With `precise` numbers have 106 bits: they are pairs of floats whose second halves are in
    `low`, which is not looked at otherwise.

    Returns OPTIMAL, STOPPED as soon as the variable of row `stop_row` has left the basis (-1: no such row),
    or FAILED (no row bounds the step, or too many pivots), which for a bounded problem means lost precision.
    """
    smallest, stalled = PIVOT_TOLERANCE, STALL_TOLERANCE
    if precise:
        smallest, stalled = PRECISE_PIVOT_TOLERANCE, PRECISE_STALL_TOLERANCE
    stalls = 0
    for _ in range(100 + 40 * (rows + columns)):
        bland = stalls > rows + columns
        entering = _entering_column(table, columns, objective, nonbasic, bland)
        if entering < 0:
            return OPTIMAL
        leaving = _leaving_row(table, rows, columns, entering, basic, bland, stop_row, smallest)
        if leaving < 0:
            return FAILED
        stalls = 0 if table[leaving, columns] > stalled else stalls + 1
        # Rounding, or an entry too small for a pivot, may have left a level just below zero. Moving the
        # constraint there costs no more than that much; dividing it by a small pivot could cost anything.
        below = table[leaving, columns] < 0.0
        if below:
            table[leaving, columns] = 0.0
        if precise:
            if below:
                low[leaving, columns] = 0.0
            _pivot_precise(table, low, total, columns + 1, leaving, entering)
        else:
            pivot(table, total, columns + 1, leaving, entering)
        basic[leaving], nonbasic[entering] = nonbasic[entering], basic[leaving]
        if leaving == stop_row:
            return STOPPED
    return FAILED
