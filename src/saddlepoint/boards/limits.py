"""The limits of a long compiled search: a number of nodes, a deadline, a flag that another thread may set."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..compiled import (
    LISTEN_EVERY,
    PLAIN_PYTHON,
    is_interrupted,
    jit,
    jit_inline,
    monotonic_ns,
    python_monotonic_ns,
    thread_ns,
)
from ..compiled.clock import forgiven_seconds

CONTROL = [
    ("stop", "u1"),
    ("node_limit", "i8"),
    ("deadline", "i8"),
    ("own_deadline", "i8"),
    ("latest", "i8"),
    ("listen", "i8"),
    ("nodes", "i8"),
]
"""What `is_last_node` reads (all but the last) and counts: any record with these fields will do.

`deadline` is in nanoseconds of the monotonic clock, 0 for none. With an `own_deadline`, in nanoseconds of a core that the thread has
used, it is put off until the thread has had its time, to the `latest` moment at most. `listen` is when it next looks for signals, in
nanoseconds of the monotonic clock.
"""
LISTEN_AT = 1023
"""As a mask: where a loop's steps take no time it asks `listened` at every 1,024th."""
DEAF = np.iinfo(np.int64).max
"""As `listen`: a search in a thread that another search has started, and stops."""


@jit
def put_off(control):
    """The deadline is over: stop, or set another one where the thread had no core for a part of the time."""
    now, left = monotonic_ns(), 0
    if control.own_deadline != 0 and now < control.latest:
        left = control.own_deadline - thread_ns()
    if left > 0:
        control.deadline = min(now + left, control.latest)
    else:
        control.stop = 1


@jit_inline
def is_last_node(control, clock_interval):
    """Count a node, and say whether a limit, looked at, ends the search; the clock is read at nodes & `clock_interval` = 0."""
    control.nodes += 1
    if control.nodes & clock_interval == 0:
        now = monotonic_ns()
        if control.deadline != 0 and now >= control.deadline:
            put_off(control)
        if now >= control.listen:
            if control.listen != 0 and is_interrupted():  # what a short search is sent, Python hears after it
                control.stop = 1
            control.listen = now + LISTEN_EVERY
    if control.nodes > control.node_limit:
        control.stop = 1
    return control.stop != 0


@jit_inline
def listened(listen):
    """(time at which to look for signals next, at first 0.

    Whether to end), for a long loop without a limits record.
    """
    now = monotonic_ns()
    if now < listen:
        return listen, False
    return now + LISTEN_EVERY, listen != 0 and is_interrupted()


def set_deadline(record: Any, seconds: float | None, started: int | None = None) -> None:
    """Set a record's deadline to `seconds` after `started` (None: now), by this thread's clock.

    None: no limit.
    """
    record["deadline"] = record["own_deadline"] = record["latest"] = 0
    if seconds is None:
        return
    now = python_monotonic_ns()
    begun, forgiven = now if started is None else started, forgiven_seconds()
    record["deadline"] = begun + round(seconds * 1e9)
    if forgiven:
        record["own_deadline"] = time.thread_time_ns() + int(record["deadline"]) - now
        record["latest"] = int(record["deadline"]) + round(forgiven * 1e9)


def share_deadline(record: Any, others: Iterable[Any]) -> None:
    """Let the searches of other threads, which begin now, end as this thread's does."""
    own = int(record["own_deadline"])
    for other in others:
        other["deadline"], other["latest"] = record["deadline"], record["latest"]
        other["own_deadline"] = own and max(
            own - time.thread_time_ns(), 1
        )  # a new thread has used nothing of a core


def note_sleep(record: Any, started: int) -> None:
    """Count the time since `started` (monotonic clock), in which this thread waited for others, as the
    search's own.
    """
    if record["own_deadline"]:
        record["own_deadline"] -= python_monotonic_ns() - started


def new_control(nodes: int | None = None, seconds: float | None = None, more: Sequence[Any] = ()) -> Any:
    """A record of limits, the seconds from now (None is no limit), with `more` fields of the search's own."""
    # Its own stand first: a record that begins like another one Numba takes for a kind of it.
    memory = np.zeros(1, np.dtype([*more, *CONTROL], align=True))
    record = memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]
    record["node_limit"] = np.iinfo(np.int64).max if nodes is None else nodes
    set_deadline(record, seconds)
    return record
