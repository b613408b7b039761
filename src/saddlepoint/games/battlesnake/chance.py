"""What chance does after a round: a piece of food on a cell, a side of the board."""

import numpy as np

from ...boards.bitboard import count, free_cells, is_empty, lowest, neighbours, single, words_of_board
from ...boards.grid import with_bit
from ...compiled import jit_inline, jit_part, popcount, trailing_zeros
from .rules import room_for_food, row_of
from .state import head_of

NOTHING = 0
"""The outcome of no new food; 1 + y * width + x is a piece on the cell (x, y), whose row is counted from the bottom."""

LEFT_SIDE, RIGHT_SIDE, BOTTOM_SIDE, TOP_SIDE = 1, 2, 3, 4
SIDES = ("left", "right", "bottom", "top")
"""The outcomes 1 to 4 of a draw in royale, by name."""


@jit_part
def outcome_of(grid, cell):
    """The outcome that places food on the grid's cell."""
    y = row_of(grid, cell)
    return 1 + (grid.height - 1 - y) * grid.width + (cell - y * grid.stride)


@jit_part
def cell_of(grid, outcome):
    """The grid's cell on which the outcome places food."""
    y = (outcome - 1) // grid.width
    return (grid.height - 1 - y) * grid.stride + (outcome - 1 - y * grid.width)


@jit_inline
def places(grid, outside, state):
    """The cells among which chance chooses for the next piece of food; `outside`: the words of what is no cell."""
    inside = free_cells(grid, outside)
    near0 = neighbours(grid, single(grid, head_of(state.snake0)))
    near1 = neighbours(grid, single(grid, head_of(state.snake1)))
    return room_for_food(grid, state, inside, near0, near1)


@jit_inline
def list_places(grid, room, share, out, probabilities, found):
    """Append the outcomes of a piece of food, which comes with the probability `share`; returns the count."""
    here = share / max(1, count(room))
    while not is_empty(room):
        cell = lowest(room)
        out[found] = outcome_of(grid, cell)
        probabilities[found] = here
        found += 1
        room = room & ~single(grid, cell)
    return found


@jit_inline
def drawn_place(grid, room, random):
    """A cell of the board (of one cell at least), drawn by a random word."""
    # The high half of the product of a random half word with n is uniform in 0 .. n - 1, but for one part in 2**32 / n.
    left = np.int64(((random >> np.uint64(32)) * np.uint64(count(room))) >> np.uint64(32))
    base = 0
    for word in words_of_board(grid, room):
        here = popcount(word)
        if left < here:
            for _ in range(left):
                word &= word - np.uint64(1)
            return base + trailing_zeros(word)
        left -= here
        base += 64
    return 0


@jit_inline
def with_side(grid, hazards, taken, side):
    """(the hazards, what royale has taken) after it takes a column or row more on that side."""
    most = grid.width if side <= RIGHT_SIDE else grid.height
    already = taken >> 8 * (side - 1) & 255
    if already >= most:
        return hazards, taken
    for k in range(grid.height if side <= RIGHT_SIDE else grid.width):
        if side == LEFT_SIDE:
            cell = k * grid.stride + already
        elif side == RIGHT_SIDE:
            cell = k * grid.stride + grid.width - 1 - already
        elif side == BOTTOM_SIDE:
            cell = (grid.height - 1 - already) * grid.stride + k
        else:
            cell = already * grid.stride + k
        hazards = with_bit(hazards, cell)
    return hazards, taken + (1 << 8 * (side - 1))
