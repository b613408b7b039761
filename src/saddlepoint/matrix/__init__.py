"""One zero-sum matrix game: saddle points, value, equilibrium, best response, dominance; `solve.py` says what they promise."""

from .lp import GAP_TOLERANCE as GAP_TOLERANCE
from .simplex import FAILURES as FAILURES
from .smab_windows import column_window as column_window, row_window as row_window
from .solve import (
    CLOSED_FORM as CLOSED_FORM,
    LP as LP,
    METHODS as METHODS,
    SADDLE as SADDLE,
    MatrixSolution as MatrixSolution,
    best_response_column as best_response_column,
    best_response_row as best_response_row,
    eliminate_dominated as eliminate_dominated,
    find_saddle as find_saddle,
    matrix_nash_conv as matrix_nash_conv,
    nash_conv as nash_conv,
    saddle_points as saddle_points,
    solve as solve,
    solve_matrix as solve_matrix,
    undominated as undominated,
    value_of as value_of,
    work_size as work_size,
)
