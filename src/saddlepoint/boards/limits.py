"""What ends a long compiled search early: a number of nodes, a deadline, a flag that another thread may set."""

from typing import Any

import numpy as np

from ..compiled import (
    LISTEN_EVERY,
    PLAIN_PYTHON,
    is_interrupted,
    jit_inline,
    monotonic_ns,
    python_monotonic_ns,
)

CONTROL = np.dtype([("stop", "u1"), ("node_limit", "i8"), ("deadline", "i8"), ("listen", "i8"), ("nodes", "i8")], align=True)
"""What `is_last_node` reads (the first four) and counts: any record with these fields will do.

`deadline`, 0 for none, and `listen`, when it next looks for signals, are in nanoseconds of the monotonic clock.
"""
LISTEN_AT = 1023
"""As a mask: where a loop's steps take no time it asks `listened` at every 1,024th."""
DEAF = np.iinfo(np.int64).max
"""As `listen`: a search in a thread that another search has started, and stops."""


@jit_inline
def is_last_node(control, clock_interval):
    """Count a node, and say whether a limit, looked at, ends the search; the clock is read at nodes & `clock_interval` = 0."""
    control.nodes += 1
    if control.nodes & clock_interval == 0:
        now = monotonic_ns()
        if control.deadline != 0 and now >= control.deadline:
            control.stop = 1
        if now >= control.listen:
            if control.listen != 0 and is_interrupted():  # what a short search is sent, Python hears after it
                control.stop = 1
            control.listen = now + LISTEN_EVERY
    if control.nodes > control.node_limit:
        control.stop = 1
    return control.stop != 0


@jit_inline
def listened(listen):
    """For a long loop without such a record: (when it next looks for signals, at first 0; whether it has to end)."""
    now = monotonic_ns()
    if now < listen:
        return listen, False
    return now + LISTEN_EVERY, listen != 0 and is_interrupted()


def new_control(nodes: int | None = None, seconds: float | None = None) -> Any:
    """A record of limits, the seconds from now; None is no limit."""
    memory = np.zeros(1, CONTROL)
    record = memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]
    record["node_limit"] = np.iinfo(np.int64).max if nodes is None else nodes
    record["deadline"] = 0 if seconds is None else python_monotonic_ns() + round(seconds * 1e9)
    return record
