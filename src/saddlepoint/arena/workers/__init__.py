"""Where games are played: in this process, in processes of this machine, on a Dask cluster."""

from .base import Batch, Say, Workers
from .local import HereWorkers, LocalWorkers
from .make import make_workers

__all__ = ["Batch", "HereWorkers", "LocalWorkers", "Say", "Workers", "make_workers"]
