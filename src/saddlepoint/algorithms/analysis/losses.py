"""What an action gives away at a stage where both players choose."""

from typing import Any

import numpy as np

_TOLERANCE = 1e-9
"""By how much, of the matrix's range, a strategy may miss the value and still count as one of equilibrium."""
_NOISE = 1e-6
"""Losses below this share of the range come from that tolerance."""


def row_losses(matrix: Any, value: float) -> list[float]:
    """What every row gives away, as `row_loss`."""
    matrix = np.asarray(matrix, np.float64)
    extent = float(np.ptp(matrix)) or 1.0
    safe = matrix.min(axis=1) >= value - _NOISE * extent  # it gets the value against every strategy: nothing is to be solved
    return [0.0 if safe[row] else row_loss(matrix, value, row) for row in range(len(matrix))]


def column_losses(matrix: Any, value: float) -> list[float]:
    """The same of the columns, whose player minimises."""
    return row_losses(-np.asarray(matrix, np.float64).T, -value)


def row_loss(matrix: Any, value: float, row: int) -> float:
    """What a row gives away against the equilibrium strategy of the column player that punishes it most: 0 or more.

    `value` is the matrix's, which the row player maximises. A stage may have many equilibria: where the column player loses
    whatever it does, all of its strategies are of equilibrium, and a row that one of them punishes was a mistake. That does
    not depend on the equilibrium that a solver happens to find.
    """
    from scipy.optimize import linprog

    matrix = np.asarray(matrix, np.float64)
    extent = float(np.ptp(matrix)) or 1.0
    rows, columns = matrix.shape
    # A column strategy is of equilibrium if no row gets more than the value against it.
    found = linprog(
        matrix[row], A_ub=matrix, b_ub=np.full(rows, value + _TOLERANCE * extent),
        A_eq=np.ones((1, columns)), b_eq=[1.0], bounds=(0.0, None),
    )  # fmt: skip
    lost = value - float(found.fun) if found.success else 0.0
    return lost if lost > _NOISE * extent else 0.0


def column_loss(matrix: Any, value: float, column: int) -> float:
    """The same of a column, whose player minimises."""
    return row_loss(-np.asarray(matrix, np.float64).T, -value, column)
