"""A dense simplex on the condensed tableau, shared by matrix games and by bound windows.

A tableau row reads ``basic = rhs - sum(table[i, j] * nonbasic[j])`` with the right-hand side in the last used
column; the objective is one more row, to be minimised, and can fall while it has a positive coefficient. One
column per nonbasic variable and one row per basic variable means that a pivot touches (rows + 1) x (columns + 1)
numbers and nothing else, and that primal and dual solution are both read off the final tableau.

Callers scale their numbers so that the largest difference of pay-offs lies in [1, 2): every tolerance here is
therefore relative to the range of the matrix. The scale is a power of two, so integers stay exact.
"""

import math

import numba

jit = numba.njit(cache=False, nogil=True)
jit_inline = jit

# A coefficient of the objective at or below this counts as zero: what is left on the table is worth no more than
# this much of the range per unit of probability.
COST_TOLERANCE = 1e-13
# Smaller entries are never pivots.
PIVOT_TOLERANCE = 1e-11
# A step whose right-hand side is not above this leaves the objective where it was.
STALL_TOLERANCE = 1e-13

OPTIMAL = 0
STOPPED = 1
FAILED = 2


@jit
def power_of_two_scale(span):
    """Return the power of two that brings `span` > 0 into [1, 2)."""
    _, exponent = math.frexp(span)
    return math.ldexp(1.0, 1 - exponent)


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
def _leaving_row(table, rows, columns, entering, basic, bland, preferred):
    """Return the row that first reaches zero as the entering variable grows, -1 if none does.

    Ties go to row `preferred`, then to the lowest label (Bland) or else to the largest pivot.
    """
    leaving = -1
    best_level = 0.0
    best_rate = 0.0
    for i in range(rows):
        rate = table[i, entering]
        if rate > PIVOT_TOLERANCE:
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
def minimise(table, rows, columns, total, objective, basic, nonbasic, always_bland, stop_row):
    """Minimise row `objective` over the tableau; the right-hand sides must be non-negative.

    The first `rows` rows take part in the ratio test, all `total` rows are updated. The largest coefficient
    enters; after a run of steps without progress Bland's rule takes over until there is progress again, which
    excludes cycling. `always_bland` uses it throughout.

    Returns OPTIMAL, STOPPED as soon as the variable of row `stop_row` has left the basis (-1: no such row), or
    FAILED (no row bounds the step, or too many pivots), which for a bounded problem means lost precision.
    """
    stalls = 0
    for _ in range(100 + 40 * (rows + columns)):
        bland = always_bland or stalls > rows + columns
        entering = _entering_column(table, columns, objective, nonbasic, bland)
        if entering < 0:
            return OPTIMAL
        leaving = _leaving_row(table, rows, columns, entering, basic, bland, stop_row)
        if leaving < 0:
            return FAILED
        if table[leaving, columns] > STALL_TOLERANCE:
            stalls = 0
        else:
            stalls += 1
        pivot(table, total, columns + 1, leaving, entering)
        label = basic[leaving]
        basic[leaving] = nonbasic[entering]
        nonbasic[entering] = label
        if leaving == stop_row:
            return STOPPED
    return FAILED
