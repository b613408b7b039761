"""Where games are played: in this process, in processes of this machine, on a Dask cluster."""

from .make import Batch, HereWorkers, LocalWorkers, Say, Workers, make_workers

__all__ = ["Batch", "HereWorkers", "LocalWorkers", "Say", "Workers", "make_workers"]
