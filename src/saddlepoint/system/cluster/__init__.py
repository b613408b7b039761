"""Work on the machines of a Dask cluster: how it is named, the connection, and what its workers must have in common with this machine.

The extra `cluster` brings Dask; `DaskCluster` is loaded when it is first used: whoever waits for a program asks for the cores.
"""

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .versions import library_digest as library_digest

if TYPE_CHECKING:
    from .dask import DaskCluster

__all__ = ["cluster_address", "connect", "library_digest", "usable_cores"]


def usable_cores() -> int:
    """The cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# How a cluster is named: dask://HOST:PORT.

_DASK = re.compile(r"dask://((?:tls://)?[^/]+:\d+)")


def cluster_address(executor: str) -> str:
    """HOST:PORT, or tls://HOST:PORT, of the option --executor; raises ValueError for what is no address."""
    address = _DASK.fullmatch(executor)
    if address is None:
        raise ValueError(
            f"an executor is dask://HOST:PORT, the address of a Dask scheduler, not {executor!r}"
        )
    return address[1]


def connect(executor: str, say: Callable[[str], None], way_out: str, **limits: Any) -> "DaskCluster":
    """The cluster that the option --executor names; for the other arguments, and what is raised, see `DaskCluster`."""
    address = cluster_address(executor)
    from .dask import DaskCluster  # an extra

    return DaskCluster(address, say, way_out=way_out, **limits)
