"""A position of Battlesnake as machine words, and one snake of it as a list of cells."""

from typing import NamedTuple

import numpy as np

ALIVE, HAZARD, STARVED, WALL, SELF, OTHER, HEADS = range(7)
"""What became of a snake, in the order in which the rules look for it."""

CAUSES = ("", "hazard", "out-of-health", "wall-collision", "snake-self-collision", "snake-collision", "head-collision")
"""The official names of these."""

FULL_HEALTH = 100

MAYBE = -1
"""`food_due` where one piece may come, with the map's probability."""

MOST_STACKED = 4
"""How often a cell may be in the list of hazards."""


OFF_BOARD = -1
"""In a list of cells a head that left the board: -1 over the upper edge, -2 the right, -3 the lower, -4 the left one."""


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
    """How often more than once they are in it, 0 to 3: the boards of the lower bits, then those of the higher."""
    head0: int
    """-1 off the board."""
    head1: int
    tail0: int
    tail1: int
    health0: int
    health1: int
    length0: int
    length1: int
    coiled0: int
    """How often more than once the tail's cell is in the list: growth that has not yet unfolded."""
    coiled1: int
    cause0: int
    """What became of player 0's snake: one of the numbers above, 0 while it is alive."""
    cause1: int
    round: int
    """Rounds played so far."""
    food_due: int
    """Pieces of food that chance is to place next; MAYBE: one or none."""
    sides_due: int
    """Sides of the board that chance is to draw after that."""
    taken: int
    """Columns at the left and right, rows at the bottom and top that royale has taken, 8 bits each, the left in the lowest."""


class Snake(NamedTuple):
    """One snake as the official lists have it."""

    cells: tuple[int, ...]
    """The head first, as indices of the grid; below 0 for a head off the board."""
    health: int = FULL_HEALTH
    cause: int = ALIVE
