"""A stage reduced to some of its rows and columns."""

from ...compiled import jit_inline


@jit_inline
def compress(source, m, n, rows, columns, ply, ws):
    """Copy the cells of the rows and columns still alive to the ply's restricted matrix; returns its size."""
    count0, count1 = 0, 0
    for i in range(m):
        if rows[i]:
            ws.row_index[ply, count0] = i
            count0 += 1
    for j in range(n):
        if columns[j]:
            ws.column_index[ply, count1] = j
            count1 += 1
    for i in range(count0):
        for j in range(count1):
            ws.restricted[ply, i, j] = source[ws.row_index[ply, i], ws.column_index[ply, j]]
    return count0, count1


@jit_inline
def expand_strategies(m, n, count0, count1, ply, ws):
    """Strategies of the restricted matrix as strategies of the whole one."""
    x, y = ws.x[ply], ws.y[ply]
    for i in range(count0 - 1, -1, -1):  # from the back: an index never lies before its place in the restriction
        probability = x[i]
        x[i] = 0.0
        x[ws.row_index[ply, i]] = probability
    for j in range(count1 - 1, -1, -1):
        probability = y[j]
        y[j] = 0.0
        y[ws.column_index[ply, j]] = probability
