"""A position of Simplexity as machine words."""

from typing import NamedTuple

import numpy as np

WHITE, RED = 0, 1
ROUND, SQUARE = 0, 1
UNDECIDED, WHITE_WON, RED_WON, DRAW = 0, 1, 2, 3
SHAPES = "rs"
"""How the shapes are written."""


class State(NamedTuple):
    """A position: three sets of cells of the game's `columns`, each a tuple of words.

    The number of words is part of the compiled type. The boards of 6x7 and all others of up to 64 bits are one word,
    which the compiler keeps in a register; larger boards run through the same formulas as longer integers.
    """

    white: tuple[np.uint64, ...]
    """The white pieces, of either shape."""
    round: tuple[np.uint64, ...]
    """The round pieces, of either colour."""
    filled: tuple[np.uint64, ...]
    """All pieces."""
    moves: int
    """Pieces dropped so far; White moves at even numbers."""
    result: int
    """UNDECIDED, WHITE_WON, RED_WON or DRAW."""
