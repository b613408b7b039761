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
    if direction == 0:
        return discs << np.uint64(1)
    if direction == 1:
        return discs << np.uint64(9)
    if direction == 2:
        return discs << np.uint64(8)
    if direction == 3:
        return discs << np.uint64(7)
    if direction == 4:
        return discs >> np.uint64(1)
    if direction == 5:
        return discs >> np.uint64(9)
    if direction == 6:
        return discs >> np.uint64(8)
    return discs >> np.uint64(7)


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


@jit_inline
def upside_down(cells, size):
    """The rows in the opposite order."""
    cells = ((cells >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)) | (
        (cells & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)
    )
    cells = ((cells >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)) | (
        (cells & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)
    )
    return ((cells >> np.uint64(32)) | (cells << np.uint64(32))) >> np.uint64(8 * (8 - size))


@jit_inline
def across(cells, size):
    """The columns in the opposite order."""
    cells = ((cells >> np.uint64(1)) & np.uint64(0x5555555555555555)) | (
        (cells & np.uint64(0x5555555555555555)) << np.uint64(1)
    )
    cells = ((cells >> np.uint64(2)) & np.uint64(0x3333333333333333)) | (
        (cells & np.uint64(0x3333333333333333)) << np.uint64(2)
    )
    cells = ((cells >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)) | (
        (cells & np.uint64(0x0F0F0F0F0F0F0F0F)) << np.uint64(4)
    )
    return cells >> np.uint64(8 - size)


@jit_inline
def transposed(cells):
    """Rows for columns."""
    swapped = (cells ^ (cells >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    cells ^= swapped ^ (swapped << np.uint64(7))
    swapped = (cells ^ (cells >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    cells ^= swapped ^ (swapped << np.uint64(14))
    swapped = (cells ^ (cells >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return cells ^ swapped ^ (swapped << np.uint64(28))


@jit_inline
def least_image(own, other, size):
    """The least of both sets' images under the eight motions of the square, by `own` and then by `other`."""
    least, least_of_other = own, other
    for motion in range(1, 8):
        # From each image to the next one, so that all eight take eight steps.
        if motion == 4:
            own, other = transposed(own), transposed(other)
        elif motion & 1 == 1:
            own, other = across(own, size), across(other, size)
        else:
            own, other = upside_down(own, size), upside_down(other, size)
        if own < least or (own == least and other < least_of_other):
            least, least_of_other = own, other
    return least, least_of_other
