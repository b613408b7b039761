"""What an action gives away at a stage where both players choose."""

from typing import Any

import numpy as np

_TOLERANCE = 1e-9
"""By how much, of the matrix's range, a strategy may miss the value and still count as one of equilibrium."""
_NOISE = 1e-6
"""Losses below this share of the range come from that tolerance."""


_APART = 1e-3
"""The least singular value, of a system scaled by the range, with which its solution counts as the only one."""


def row_losses(matrix: Any, value: float, strategies: tuple[Any, Any] | None = None) -> list[float]:
    """What every row gives away, as `row_loss`; with an equilibrium at hand, the row player's strategy first, mostly without solving
    anything more."""
    matrix = np.asarray(matrix, np.float64)
    extent = float(np.ptp(matrix)) or 1.0
    own, other = strategies if strategies is not None else (None, None)
    playable = np.ones(matrix.shape[1], bool)
    if own is not None:  # a column that gets less than the value against it is in no strategy of equilibrium
        playable = np.asarray(own) @ matrix <= value + _NOISE * extent
    most = value - (matrix[:, playable].min(axis=1) if playable.any() else matrix.min(axis=1))
    least = np.full(len(matrix), -np.inf) if other is None else value - matrix @ np.asarray(other)
    known = most - least <= _NOISE * extent
    if own is not None and _is_only((matrix[np.asarray(own) > _NOISE][:, playable] - value) / extent):
        known[:] = True
    return [
        0.0 if most[row] <= _NOISE * extent else _told(float(least[row]), extent) if known[row] else row_loss(matrix, value, row)
        for row in range(len(matrix))
    ]


def column_losses(matrix: Any, value: float, strategies: tuple[Any, Any] | None = None) -> list[float]:
    """The same of the columns, whose player minimises."""
    turned = None if strategies is None else (strategies[1], strategies[0])
    return row_losses(-np.asarray(matrix, np.float64).T, -value, turned)


def _is_only(system: Any) -> bool:
    """Whether one strategy alone, of the columns of this system, makes all of its rows 0: then there is one equilibrium strategy."""
    rows, columns = system.shape
    if rows + 1 < columns:
        return False
    whole = np.vstack([system, np.ones((1, columns))])
    return columns > 0 and float(np.linalg.svd(whole, compute_uv=False)[-1]) >= _APART


def _told(lost: float, extent: float) -> float:
    return lost if lost > _NOISE * extent else 0.0


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
    return _told(lost, extent)


def column_loss(matrix: Any, value: float, column: int) -> float:
    """The same of a column, whose player minimises."""
    return row_loss(-np.asarray(matrix, np.float64).T, -value, column)
