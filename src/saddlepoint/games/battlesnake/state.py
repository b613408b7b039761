"""A position of Battlesnake as machine words, as boards of bytes for neural networks, and one snake of it as a list of cells."""

from typing import NamedTuple

import numpy as np

from ..interface import (
    has_bit,
    jit_inline,
    jit_part,
)

UP, RIGHT, DOWN, LEFT = range(4)

ALIVE, HAZARD, STARVED, WALL, SELF, OTHER, HEADS = range(7)
"""What became of a snake, in the order in which the rules look for it."""

CAUSES = (
    "",
    "hazard",
    "out-of-health",
    "wall-collision",
    "snake-self-collision",
    "snake-collision",
    "head-collision",
)
"""The official names of these."""

FULL_HEALTH = 100

MAYBE = -1
"""The food that is due where one piece may come, with the map's probability."""

MOST_STACKED = 4
"""How often a cell may be in the list of hazards."""


OFF_BOARD = -1
"""In a list of cells a head that left the board: -1 over the upper edge, -2 the right, -3 the lower, -4 the left one."""


DEAD = 7 << 27
"""The bits of a snake's word that are 0 while it is alive."""

NO_CELL = 1023
"""The head of a snake that left the board: no cell of any grid here, and the board of it is empty."""


class State(NamedTuple):
    """A position; cells are indices of the game's grid, whose rows are counted from the top.

    A snake's cells form a path from its tail to its head; only the tail's cell may be in its list more than once.
    """

    body0: tuple[np.uint64, ...]
    """The cells of player 0's snake, its head among them."""
    body1: tuple[np.uint64, ...]
    low: tuple[np.uint64, ...]
    """With `high` the direction, 0 to 3, from each cell of a snake to the next one towards its head; 0 everywhere else."""
    high: tuple[np.uint64, ...]
    food: tuple[np.uint64, ...]
    hazards: tuple[np.uint64, ...]
    """The cells that are in the list of hazards."""
    stacked: tuple[np.uint64, ...]
    """How often more than once they are in it, 0 to 3: the boards of the lower bits, then those of the higher.

    One word without meaning where the game has no cell twice in it.
    """
    snake0: int
    """Player 0's snake: its numbers, packed by `snake_word`."""
    snake1: int
    round: int
    """Rounds played so far."""
    due: int
    """What chance is to do next, packed by `due_word`; 0: nothing."""
    taken: int
    """Columns at the left and right, rows at the bottom and top that royale has taken, 8 bits each, the left in the lowest."""


@jit_part
def snake_word(head, tail, health, cause, length, coiled):
    """A snake's numbers in one word; `head` is NO_CELL off the board.

    `cause` is what became of it, 0 while it is alive; `coiled` how often more than once the tail's cell is in the list, for growth that
    has not yet unfolded.
    """
    return head | tail << 10 | health << 20 | cause << 27 | length << 30 | coiled << 46


@jit_part
def head_of(word):
    """The cell of a living snake's head."""
    return word & 1023


@jit_part
def tail_of(word):
    return word >> 10 & 1023


@jit_part
def health_of(word):
    """A snake's health, 0 to 100."""
    return word >> 20 & 127


@jit_part
def cause_of(word):
    """The cause of a snake's death, or ALIVE."""
    return word >> 27 & 7


@jit_part
def length_of(word):
    return word >> 30 & 65535


@jit_part
def coiled_of(word):
    """How often more than once the tail's cell is in the list."""
    return word >> 46


@jit_part
def due_word(food, sides):
    """`food` pieces of food, or MAYBE one, and after that `sides` sides of the board, as one number."""
    return food + 2 + (sides << 20) if food != 0 or sides != 0 else 0


@jit_part
def food_due(due):
    """The pieces of food that chance is to place next; MAYBE: one or none."""
    return (due & 1048575) - 2 if due != 0 else 0


@jit_part
def sides_due(due):
    """The sides of the board that chance is to draw after that."""
    return due >> 20


class Snake(NamedTuple):
    """One snake as the official lists have it."""

    cells: tuple[int, ...]
    """The head first, as indices of the grid; below 0 for a head off the board."""
    health: int = FULL_HEALTH
    cause: int = ALIVE

    @property
    def cause_name(self) -> str:
        """The official name of what it died of; empty while it is alive."""
        return CAUSES[self.cause]


PLANES = 10


@jit_inline
def put_planes(grid, state, player, out):
    """The own snake's cells, head, tail, and in all cells its health, 0 to 100; the same of the other one; food; hazards."""
    for other in range(2):
        is_first = (player == 0) == (other == 0)
        body, snake = (state.body0, state.snake0) if is_first else (state.body1, state.snake1)
        for y in range(grid.height):
            for x in range(grid.width):
                cell = grid.stride * y + x
                out[4 * other, y, x] = has_bit(body, cell)
                out[4 * other + 1, y, x] = cell == head_of(snake)
                out[4 * other + 2, y, x] = cell == tail_of(snake)
                out[4 * other + 3, y, x] = health_of(snake)
                out[8 + other, y, x] = has_bit(state.food if other == 0 else state.hazards, cell)
