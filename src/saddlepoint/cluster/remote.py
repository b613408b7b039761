"""What a cluster's worker does for a run: it computes for it until the run says that it is over.

A worker outlives the runs it serves, and its threads cannot be ended from outside: that is why a run that stops has to tell
its workers, and why work that takes long asks now and then whether anybody waits for it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from .versions import OtherVersionError, library_digest


class OverError(Exception):
    """The run of this work is over; nobody waits for its results."""


_over: set[str] = set()


def call(run: str, digest: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Call a function with `leave`, which raises OverError once the run is over, and then with the arguments.

    `digest` is that of the run's library. Raises OtherVersionError where this worker's is another one.
    """
    if digest != library_digest():
        raise OtherVersionError
    leave = partial(_leave_if_over, run)
    leave()
    return function(leave, *args)


def _leave_if_over(run: str) -> None:
    """Raise OverError if nobody waits for this run's results any more."""
    if run in _over:
        raise OverError


def end_run(run: str) -> None:
    """The run is over."""
    _over.add(run)
