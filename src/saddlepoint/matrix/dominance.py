"""Iterated elimination of dominated pure actions in a zero-sum matrix game."""

from .simplex import jit


@jit
def _row_dominates(matrix, n, better, worse, columns_alive, strict):
    somewhere = False
    for j in range(n):
        if columns_alive[j] != 0:
            if matrix[better, j] > matrix[worse, j]:
                somewhere = True
            elif strict or matrix[better, j] < matrix[worse, j]:
                return False
    return somewhere


@jit
def eliminate_dominated(matrix, m, n, rows_alive, columns_alive, strict):
    """Remove actions dominated by another pure action until none is left; return the rounds that removed
    some.

    rows_alive[:m], columns_alive[:n]: uint8 masks, 1 for the actions in play, updated in place. With `strict`
    an action goes if another one is better against everything, and the result does not depend on the order.
    Without, it goes if another is never worse and somewhere better; rows go first in each round, lower
    numbers first. The value survives both, but weak elimination may lose equilibria. Of equal actions all are
    kept.
    """
    rounds, columns = 0, matrix.T  # a column dominates by being lower
    while True:
        removed = False
        for i in range(m):
            if rows_alive[i] != 0:
                for k in range(m):
                    if k != i and rows_alive[k] != 0:
                        if _row_dominates(matrix, n, k, i, columns_alive, strict):
                            rows_alive[i] = 0
                            removed = True
                            break
        for j in range(n):
            if columns_alive[j] != 0:
                for k in range(n):
                    if k != j and columns_alive[k] != 0:
                        if _row_dominates(columns, m, j, k, rows_alive, strict):
                            columns_alive[j] = 0
                            removed = True
                            break
        if not removed:
            return rounds
        rounds += 1
