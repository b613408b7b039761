"""What lines are still open, for games in which pieces fall into columns and a line of one's own wins."""

from typing import Any

from ..boards.columns import Columns, runs, runs_by_gaps, spread
from ..boards.formula import choose, nonzero, size


def prospects(columns: Columns, board: Any, empty: Any) -> tuple[Any, Any, Any]:
    """How many lines the pieces can still complete; how many of them lack two; the cells that lines lack alone."""
    win, open_, pairs, threats = columns.win, 0, 0, 0
    for step in columns.steps:
        open_ = size(runs(board | empty, win, step)) + open_
        _, one, two = runs_by_gaps(board, empty, win, step, 2)
        pairs = size(two) + pairs
        threats = spread(one, win, step) | threats
    return open_, pairs, empty & threats


def winning(
    columns: Columns, wins0: Any, wins1: Any, empty: Any, places: Any, first_moves: Any
) -> tuple[Any, Any, Any, Any, Any]:
    """Of the cells that complete a line, player 0's less player 1's: those out of reach, in the rows that the player fills when all columns
    are filled in turn, and in the others; pairs above each other. Whether the mover wins at once, or cannot stop a win.

    `places` are the cells on which a piece would land.
    """
    mine, theirs = choose(first_moves, wins0, wins1), choose(first_moves, wins1, wins0)
    threats = theirs & places
    # Two places, or one above which there is another.
    unstoppable = (threats & (threats - 1)) | ((threats << 1) & theirs)
    later = empty & ~places
    even, odd = later & columns.even_rows, later & ~columns.even_rows
    return (
        size(wins0 & even) - size(wins1 & odd),
        size(wins0 & odd) - size(wins1 & even),
        size(wins0 & (wins0 >> 1)) - size(wins1 & (wins1 >> 1)),
        nonzero(mine & places),
        nonzero(unstoppable),
    )
