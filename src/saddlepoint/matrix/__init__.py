"""One zero-sum matrix game: saddle points, value, equilibrium, best response, dominance; `solve.py` says what they promise."""

from .dominance import eliminate_dominated
from .lp import GAP_TOLERANCE
from .simplex import FAILURES
from .smab_windows import column_window, row_window
from .solve import (
    CLOSED_FORM,
    LP,
    METHODS,
    SADDLE,
    MatrixSolution,
    best_response_column,
    best_response_row,
    exploitability,
    find_saddle,
    matrix_exploitability,
    saddle_points,
    solve,
    solve_matrix,
    undominated,
    value_of,
    work_size,
)

__all__ = [
    "CLOSED_FORM",
    "FAILURES",
    "GAP_TOLERANCE",
    "LP",
    "METHODS",
    "SADDLE",
    "MatrixSolution",
    "best_response_column",
    "best_response_row",
    "column_window",
    "eliminate_dominated",
    "exploitability",
    "find_saddle",
    "matrix_exploitability",
    "row_window",
    "saddle_points",
    "solve",
    "solve_matrix",
    "undominated",
    "value_of",
    "work_size",
]
