"""Sets of cells as bits: neighbours, the outermost cells, discs that stay. Cell (x, y) is bit 8 * y + x, whatever the size."""

import numpy as np

from ..interface import jit_inline

_FIRST_COLUMN, _LAST_COLUMN = 0x0101010101010101, 0x8080808080808080


@jit_inline
def shifted(discs, direction):
    """The discs one cell on in one of 8 directions, 0 to the right and on clockwise; none comes in at the other side."""
    if direction in (7, 0, 1):
        discs &= ~np.uint64(_LAST_COLUMN)
    elif direction in (3, 4, 5):
        discs &= ~np.uint64(_FIRST_COLUMN)
    # A row is 8 bits further, the cell beside it 7 or 9, and the four directions back are the opposite ones of the first four.
    way = direction & 3
    step = np.uint64(1 if way == 0 else 10 - way)
    return discs << step if direction < 4 else discs >> step


@jit_inline
def around(cells):
    """The cells next to these, in any of the 8 directions."""
    beside = shifted(cells, 0) | shifted(cells, 4)
    row = cells | beside
    return beside | shifted(row, 2) | shifted(row, 6)


@jit_inline
def sides(size, board):
    """The outermost rows and the outermost columns."""
    last = np.uint64(size - 1)
    row = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    column = np.uint64(_FIRST_COLUMN) & board
    return row | row << (np.uint64(8) * last), column | column << last


@jit_inline
def stable(rows, columns, discs):
    """Discs with a neighbour that is stable, or the edge, on one side at least along each of the four lines."""
    edge = rows | columns
    found = np.uint64(0)
    reached = discs & rows & columns
    while reached != found:
        found = reached
        along = columns | shifted(found, 0) | shifted(found, 4)
        upright = rows | shifted(found, 2) | shifted(found, 6)
        falling = edge | shifted(found, 1) | shifted(found, 5)
        rising = edge | shifted(found, 3) | shifted(found, 7)
        reached = discs & along & upright & falling & rising
    return found
