"""The cores of this machine, and what a cluster's worker does for a run: only where it has the same library is its result the same."""

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any


def usable_cores() -> int:
    """The cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_PACKAGE = Path(__file__).resolve().parents[1]
VERSIONS = "saddlepoint, Numba or Python"
INSTALL = "install the same on all machines, and start Dask there again"


class OtherVersionError(ValueError):
    """A worker has not the same version of this library as the machine that sends it work."""


@functools.cache
def library_digest() -> str:
    """Digest of everything that a result from elsewhere depends on: all sources of this library, Numba and Python."""
    digest = hashlib.blake2b(f"{version('numba')} {sys.version_info[:2]}".encode(), digest_size=8)
    for path in sorted((*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("*.pyi"))):
        digest.update(str(path.relative_to(_PACKAGE)).encode() + path.read_bytes())
    return digest.hexdigest()


# What a cluster's worker does for a run: it computes for it until the run says that it is over.
#
# A worker outlives the runs it serves, and its threads cannot be ended from outside: that is why a run that stops has to tell
# its workers, and why work that takes long asks now and then whether anybody waits for it.


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
