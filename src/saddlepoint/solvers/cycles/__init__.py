"""Games in which positions come back: stochastic games, discounted or ended by absorption, with certified bounds of the value."""

from .check import check_cycles as check_cycles
from .solve import (
    CycleCounts as CycleCounts,
    Solved as Solved,
    certificate_of_cycles as certificate_of_cycles,
    explored_again as explored_again,
    solve_cycles as solve_cycles,
)
