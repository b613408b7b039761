"""A position of Tron-41 as machine words."""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """A position; cells are indices of the game's grid, which leaves the border of walls out."""

    blocked: tuple[np.uint64, ...]
    """Walls, barriers, both heads, and every bit outside the field."""
    barriers: tuple[np.uint64, ...]
    """The blocked cells that a bomb clears and armor enters."""
    traps: tuple[np.uint64, ...]
    speeds: tuple[np.uint64, ...]
    bombs: tuple[np.uint64, ...]
    armors: tuple[np.uint64, ...]
    head0: int
    """Player 0's cell (`1` on the board); -1 after a crash."""
    head1: int
    turn: int
    """Who moves; while a trap is pending, who moves after it."""
    armor0: int
    armor1: int
    speed0: int
    """Moves of player 0 that will keep the turn, 0 to 4."""
    speed1: int
    trapped: int
    """The player around whom chance is about to set a trap; -1: nobody."""
