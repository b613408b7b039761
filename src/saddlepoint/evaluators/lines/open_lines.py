"""What lines are still open, for games in which pieces fall into columns and a line of one's own wins."""

from typing import Any

from ...boards.columns import Columns, runs, runs_by_gaps, spread
from ...boards.formula import size


def prospects(columns: Columns, board: Any, empty: Any) -> tuple[Any, Any, Any]:
    """How many lines the pieces can still complete; how many of them lack two; the cells that lines lack alone."""
    win, open_, pairs, threats = columns.win, 0, 0, 0
    for step in columns.steps:
        open_ = size(runs(board | empty, win, step)) + open_
        _, one, two = runs_by_gaps(board, empty, win, step, 2)
        pairs = size(two) + pairs
        threats = spread(one, win, step) | threats
    return open_, pairs, empty & threats
