"""What ends a long compiled search early: a number of nodes, a deadline, a flag that another thread may set."""

from typing import Any

import numpy as np

from ..compiled import PLAIN_PYTHON, jit_inline, monotonic_ns, python_monotonic_ns

CONTROL = np.dtype([("stop", "u1"), ("node_limit", "i8"), ("deadline", "i8"), ("nodes", "i8")], align=True)
"""What `is_last_node` reads (the first three) and counts: any record with these fields will do.

`deadline` is in nanoseconds of the monotonic clock, 0 for none.
"""


@jit_inline
def is_last_node(control, clock_interval):
    """Count a node, and say whether a limit, looked at, ends the search; the clock is read at nodes & `clock_interval` = 0."""
    control.nodes += 1
    if control.nodes & clock_interval == 0 and control.deadline != 0 and monotonic_ns() >= control.deadline:
        control.stop = 1
    if control.nodes > control.node_limit:
        control.stop = 1
    return control.stop != 0


def new_control(nodes: int | None = None, seconds: float | None = None) -> Any:
    """A record of limits, the seconds from now; None is no limit."""
    memory = np.zeros(1, CONTROL)
    record = memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]
    record["node_limit"] = np.iinfo(np.int64).max if nodes is None else nodes
    record["deadline"] = 0 if seconds is None else python_monotonic_ns() + round(seconds * 1e9)
    return record
