"""Work on the machines of a Dask cluster: the connection, and what its workers must have in common with this machine.

The extra `cluster` brings Dask; `DaskCluster` is loaded when it is first used.
"""

from .address import cluster_address as cluster_address, connect as connect
from .remote import OverError as OverError, leave_if_over as leave_if_over
from .versions import OtherVersionError as OtherVersionError, library_digest as library_digest

__all__ = ["OtherVersionError", "OverError", "cluster_address", "connect", "leave_if_over", "library_digest"]
