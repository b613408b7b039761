"""SMAB's windows: how good a cell must be for its row, or its column, not to be dominated.

The lower edge of cell (a, b) is the largest value at which row a is still dominated by a mixture of the other rows and
one artificial row worth alpha everywhere (Saffidine, Finnsson, Buro 2012): maximise sum_i x_i P_ib subject to
sum_i x_i P_ij >= O_aj for every other column j. The upper edge is the mirror image for columns.
"""

import numpy as np

from ..compiled import jit, jit_inline
from ..matrix import solve

_STEPS = 64  # far more than the finite convergence below ever took


@jit_inline
def _pessimistic(ply, i, j, mirrored, ws):
    """The bound of a cell that favours the other player; mirrored, columns are the rows of the negated game."""
    return -ws.upper[ply, j, i] if mirrored else ws.lower[ply, i, j]


@jit_inline
def _optimistic(ply, i, j, mirrored, ws):
    return -ws.lower[ply, j, i] if mirrored else ws.upper[ply, i, j]


@jit
def window_edge(ply, m, n, a, b, artificial, mirrored, ws):
    """The lower edge for row a of cell (a, b), -inf where no mixture dominates the row's other cells.

    `mirrored` asks the same of the negated and transposed game: the negative of the upper edge.

    The program is solved as matrix games: a mixture reaches the edge t if and only if the game with columns
    P_ij - O_aj (j != b) and P_ib - t has a value of at least 0. From a t that is too large, the column player's optimal
    mixture y gives the next, t + value / y_b (Dinkelbach 1967); each step ends on another face, so it ends. The
    result errs on the lower side by 1e-11 of the range, so that rounding never cuts what is not dominated.
    """
    rows = ws.columns[ply] if mirrored else ws.rows[ply]
    columns = ws.rows[ply] if mirrored else ws.columns[ply]
    # Most windows are open: some cell of the row may be better than anything the others guarantee there.
    for j in range(n):
        if j != b and columns[j]:
            most = artificial
            for i in range(m):
                if i != a and rows[i]:
                    most = max(most, _pessimistic(ply, i, j, mirrored, ws))
            if most < _optimistic(ply, a, j, mirrored, ws):
                return -np.inf
    game, x, y = ws.window, ws.window_x, ws.window_y
    count, width = 0, 0
    edge = artificial
    for i in range(m + 1):
        if i < m and (i == a or not rows[i]):
            continue
        width = 1
        worth = _pessimistic(ply, i, b, mirrored, ws) if i < m else artificial
        edge = max(edge, worth)
        game[count, 0] = worth
        for j in range(n):
            if j != b and columns[j]:
                own = _pessimistic(ply, i, j, mirrored, ws) if i < m else artificial
                game[count, width] = own - _optimistic(ply, a, j, mirrored, ws)
                width += 1
        count += 1
    margin = 1e-11 * (ws.high - ws.low)
    if width == 1:
        return edge - margin
    for k in range(count):
        game[k, 0] -= edge
    for _ in range(_STEPS):
        value, _method = solve(game, count, width, x, y, ws.work)
        if value >= -1e-13 * (ws.high - ws.low):
            return edge - margin
        if y[0] <= 1e-12:
            return -np.inf
        step = value / y[0]
        edge += step
        for k in range(count):
            game[k, 0] -= step
    return -np.inf
