"""Work on the machines of a Dask cluster: the connection, and what its workers must have in common with this machine.

The extra `cluster` brings Dask; `DaskCluster` is loaded when it is first used.
"""

from .address import cluster_address as cluster_address, connect as connect
from .versions import library_digest as library_digest

__all__ = ["cluster_address", "connect", "library_digest"]
