"""Cells of a grid as bytes, one each, for a game's `planes`."""

import numpy as np

from ..compiled import jit_inline


@jit_inline
def put_cells(grid, words, out):
    """Write a 1 to `out`, an array of rows and columns, for each of the grid's cells whose bit is set in the words, and a 0 else."""
    for y in range(grid.height):
        first = y * grid.stride
        row = words[first >> 6] >> np.uint64(first & 63)
        for x in range(grid.width):
            out[y, x] = (row >> np.uint64(x)) & np.uint64(1)


@jit_inline
def put_cell(grid, cell, out):
    """Write a 1 to `out`, an array of rows and columns, for this cell of the grid."""
    out[cell // grid.stride, cell % grid.stride] = 1


@jit_inline
def put_riders(grid, walls, heads, player, out):
    """Write three planes, (3, rows, columns): the blocked cells, the player's own head, the other's head."""
    put_cells(grid, walls, out[0])
    put_cell(grid, heads[player], out[1])
    put_cell(grid, heads[1 - player], out[2])
