"""Games on a Dask cluster: a scheduler somewhere, workers on other machines, the ledger here.

A worker that dies loses nothing: the scheduler gives its games to another. The extra `cluster` brings Dask.
"""

import time
from concurrent.futures import Future
from typing import Any

from .terms import Job, Terms
from .worker import play_jobs, warm_players
from .workers import Batch, Workers

_COUNT_AGAIN = 2.0  # seconds until the cluster's workers are counted again
_PATIENCE = 10.0
_DEATHS = 5  # of workers that a batch may see before its players are suspected


class DaskWorkers(Workers):
    """The workers of a cluster, as many games at a time as they have threads; give each worker one thread.

    Raises ValueError where no scheduler answers or Dask is not installed.
    """

    loses_all = False

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker
        except ImportError as error:
            raise ValueError("a Dask cluster needs the extra: pip install 'saddlepoint[cluster]'") from error
        self._killed = KilledWorker
        try:
            self._client: Any = Client(f"tcp://{address}", timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ValueError(f"no Dask scheduler answers at {address}: start one with `dask scheduler`") from error
        self._executor: Any = self._client.get_executor(pure=False, retries=_DEATHS)
        self._counted = -_COUNT_AGAIN
        self._slots = 1

    @property
    def slots(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The cluster's threads; they may come and go."""
        if time.monotonic() - self._counted > _COUNT_AGAIN:
            self._slots = max(1, sum(self._client.nthreads().values()))
            self._counted = time.monotonic()
        return self._slots

    def warm(self, terms: Terms, players: tuple[str, ...]) -> None:
        """Compile on every worker; raises ValueError where a worker has another version of this library."""
        from ..compiled.sources import package_digest

        workers = list(self._client.nthreads())
        if not workers:
            raise ValueError("the Dask scheduler has no workers yet: start some with `dask worker HOST:PORT --nthreads 1`")
        futures = [self._client.submit(warm_players, terms, players, workers=[one], pure=False) for one in workers]
        for worker, digest in zip(workers, self._client.gather(futures, errors="raise"), strict=True):
            if digest != package_digest():
                raise ValueError(f"the worker {worker} has another version of saddlepoint than this machine: install the same")

    def submit(self, terms: Terms, jobs: list[Job]) -> Batch:
        future: Future[Any] = self._executor.submit(play_jobs, terms, jobs)
        return future

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, self._killed)

    def close(self, at_once: bool = False) -> None:
        self._executor.shutdown(wait=not at_once, cancel_futures=at_once)
        self._client.close()
