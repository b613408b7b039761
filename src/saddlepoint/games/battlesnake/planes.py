"""A position of Battlesnake as boards of bytes, for neural networks."""

from ...boards.planes import put_cell, put_cells
from ...compiled import jit_inline
from .state import NO_CELL, head_of, health_of, tail_of

PLANES = 10


@jit_inline
def put_planes(grid, state, player, out):
    """The own snake's cells, head, tail, and in all cells its health, 0 to 100; the same of the other one; food; hazards."""
    for other in range(2):
        is_first = (player == 0) == (other == 0)
        body, snake = (state.body0, state.snake0) if is_first else (state.body1, state.snake1)
        first, health = 4 * other, health_of(snake)
        put_cells(grid, body, out[first])
        if head_of(snake) != NO_CELL:
            put_cell(grid, head_of(snake), out[first + 1])
        put_cell(grid, tail_of(snake), out[first + 2])
        for y in range(grid.height):
            for x in range(grid.width):
                out[first + 3, y, x] = health
    put_cells(grid, state.food, out[8])
    put_cells(grid, state.hazards, out[9])
