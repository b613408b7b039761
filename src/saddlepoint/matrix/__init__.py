"""One zero-sum matrix game: value, equilibrium, dominance, windows; `solve.py` says what they promise."""

from .dominance import eliminate_dominated as eliminate_dominated
from .lp import GAP_TOLERANCE as GAP_TOLERANCE
from .simplex import FAILURES as FAILURES
from .smab_windows import column_window as column_window, row_window as row_window
from .solve import (
    CLOSED_FORM as CLOSED_FORM,
    LP as LP,
    METHODS as METHODS,
    SADDLE as SADDLE,
    MatrixSolution as MatrixSolution,
    matrix_nash_conv as matrix_nash_conv,
    nash_conv as nash_conv,
    solve as solve,
    solve_matrix as solve_matrix,
    work_size as work_size,
)
