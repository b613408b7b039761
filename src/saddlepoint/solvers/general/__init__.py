"""Every finite game, solved from its end: the values of all positions that can come about, kept, asked and checked."""

from .certificate import (
    BrokenSolution as BrokenSolution,
    Certificate as Certificate,
    certificate_of as certificate_of,
)
from .check import (
    TOLERANCE as TOLERANCE,
    check_solution as check_solution,
    check_values as check_values,
)
from .checkpoint import (
    CheckpointError as CheckpointError,
    Checkpoints as Checkpoints,
    checkpoint_path as checkpoint_path,
    load_checkpoint as load_checkpoint,
    save_checkpoint as save_checkpoint,
)
from .exact import ExactValue as ExactValue, exact_value as exact_value
from .file import (
    SolutionFileError as SolutionFileError,
    load_solution as load_solution,
    save_solution as save_solution,
)
from .reached import check_reached as check_reached
from .solution import Solution as Solution, Stage as Stage
from .solve import (
    Induction as Induction,
    SolveCounts as SolveCounts,
    solve_positions as solve_positions,
    solve_the_rest as solve_the_rest,
)
