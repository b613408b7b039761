"""Games in which positions come back: stochastic games, discounted or ended by absorption, with certified bounds of the value."""

from .solve import (
    METHODS as METHODS,
    CycleCounts as CycleCounts,
    certificate_of_cycles as certificate_of_cycles,
    check_cycles as check_cycles,
    explored_again as explored_again,
    solve_cycles as solve_cycles,
)
