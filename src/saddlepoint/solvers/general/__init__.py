"""Every finite game, solved from its end: the values of all positions that can come about, kept, asked and checked.

`saddlepoint.solve` solves a game.
"""

from .certificate import (
    BrokenSolution as BrokenSolution,
    Certificate as Certificate,
    certificate_of as certificate_of,
)
from .check import ExactValue as ExactValue, check_solution as check_solution, exact_value as exact_value
from .file import (
    SolutionFileError as SolutionFileError,
    load_solution as load_solution,
    save_solution as save_solution,
)
from .solution import Solution as Solution, Stage as Stage
