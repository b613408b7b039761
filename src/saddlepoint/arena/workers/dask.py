"""Games on a Dask cluster: a scheduler somewhere, workers on other machines, the ledger here.

A worker that dies loses nothing: the scheduler gives its games to another. The extra `cluster` brings Dask.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from typing import Any

from ..conditions import MatchConditions
from ..job import Job
from ..ledger.versions import player_version
from .base import Batch, Say, Workers
from .remote import OtherVersionError, end_run, inspect_worker, library_digest, play_remotely
from .worker import warm_players

_COUNT_AGAIN = 1.0  # seconds until the cluster's workers are counted again
_LOOK_AGAIN = 0.5  # seconds until the connection is looked at again
_PATIENCE = 10.0  # seconds for a scheduler's first answer
_ALONE = 60.0  # seconds without any worker until a run is given up
_GOODBYE = 10.0  # seconds for the workers to hear that a run is over

VERSIONS = "saddlepoint, Numba or Python"
INSTALL = "install the same on all machines, and start Dask there again"


class DaskWorkers(Workers):
    """The workers of a cluster, as many games at a time as they have threads; give each worker one thread.

    `address` is HOST:PORT, or tls://HOST:PORT with Dask's settings for certificates. `say` is told what takes long.
    Raises ConnectionError where no scheduler answers within `patience` seconds, ValueError where Dask is not installed.
    A run without any worker for `alone` seconds fails with a ConnectionError.
    """

    loses_all = False

    def __init__(
        self, address: str, say: Say = lambda text: None, patience: float = _PATIENCE, alone: float = _ALONE
    ) -> None:  # fmt: skip
        try:
            from dask import config
            from distributed import Client, KilledWorker
        except ImportError as error:
            raise ValueError("a Dask cluster needs the extra: pip install 'saddlepoint[cluster]'") from error
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said in the errors raised here
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        if address.startswith("tls://") and config.get("distributed.comm.tls.ca-file", None) is None:
            raise ValueError(f"{address} needs certificates in Dask's settings, as docs/cluster.md shows")
        self._address, self._say, self._patience, self._alone = address, say, patience, alone
        self._killed = KilledWorker
        try:
            where = address if "://" in address else f"tcp://{address}"
            self._client: Any = Client(where, timeout=patience, set_as_default=False)
        except OSError as error:
            raise ConnectionError(f"no Dask scheduler answers at {address}: start one with `dask scheduler`") from error
        self._executor: Any = self._client.get_executor(pure=False)
        self._run = uuid.uuid4().hex
        self._open: set[Batch] = set()
        self._lost = False
        self._closed = threading.Event()
        self.slots = 1
        """The cluster's threads; they may come and go."""
        for watch in (self._count, self._watch_connection):
            threading.Thread(target=watch, daemon=True).start()

    def warm(self, conditions: MatchConditions, players: tuple[str, ...]) -> None:
        """Compile on every worker; raises ValueError where a worker has another version of this library or of a program."""
        self._inspect_scheduler()
        workers = self._wait_for_workers()
        self._inspect_workers(players)
        self.slots = sum(workers.values())
        self._say(f"warming {len(workers)} worker{'s' * (len(workers) > 1)} ...")
        began = time.monotonic()
        first = {_host(worker): worker for worker in workers}  # the others of a machine find its code in the cache
        for group in (list(first.values()), [one for one in workers if one not in first.values()]):
            # A worker that dies meanwhile leaves its part to another.
            futures = [
                self._client.submit(warm_players, conditions, players, workers=[one], allow_other_workers=True, pure=False)
                for one in group
            ]
            try:
                self._client.gather(futures)
            except (CancelledError, OSError) as error:
                raise self._gone() from error
        self._say(f"warm after {time.monotonic() - began:.0f} s")

    def _inspect_scheduler(self) -> None:
        """Refuse a scheduler with another version: it reads what it passes on."""
        try:
            digest = self._client.run_on_scheduler(library_digest)
        except OSError as error:
            raise self._gone() from error
        except Exception as error:
            raise ValueError(f"the scheduler cannot pass games on ({type(error).__name__}: {error}): {INSTALL}") from error
        if digest != library_digest():
            raise ValueError(f"the scheduler at {self._address} has another version of {VERSIONS} than this machine: {INSTALL}")

    def _wait_for_workers(self) -> dict[str, int]:
        """The workers and their threads, as soon as there is one."""
        end = time.monotonic() + self._patience
        while True:
            workers = self._threads()
            if workers:
                return workers
            if time.monotonic() > end:
                raise ConnectionError(
                    f"the Dask scheduler at {self._address} has no workers: start some with `dask worker HOST:PORT --nthreads 1`"
                )
            time.sleep(0.2)

    def _threads(self) -> dict[str, int]:
        try:
            return dict(self._client.nthreads())
        except (OSError, CancelledError) as error:
            raise self._gone() from error

    def _inspect_workers(self, players: tuple[str, ...]) -> None:
        """Refuse workers that would not play the same games."""
        here = [player_version(spec) for spec in players]
        try:
            answers = self._client.run(inspect_worker, players, on_error="return")
        except OSError as error:
            raise self._gone() from error
        for worker, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # it has just died
            if isinstance(answer, BaseException):
                raise ValueError(f"the worker {worker} cannot play ({type(answer).__name__}: {answer}): {INSTALL}")
            digest, versions = answer
            if digest != library_digest():
                raise ValueError(f"the worker {worker} has another version of {VERSIONS} than this machine: {INSTALL}")
            for spec, mine, its in zip(players, here, versions, strict=True):
                if mine != its:
                    raise ValueError(f"the worker {worker} has no or another file for {spec!r}: put the same at the same path")

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        batch: Batch = Future()
        self._open.add(batch)
        try:
            playing: Future[Any] = self._executor.submit(play_remotely, self._run, library_digest(), conditions, jobs)
        except Exception as error:  # a client whose connection is lost may fail in several ways
            self._open.discard(batch)
            if self._client.status == "running":
                raise
            raise self._gone() from error
        playing.add_done_callback(lambda _: self._pass_on(playing, batch))
        return batch

    def _pass_on(self, playing: Future[Any], batch: Batch) -> None:
        self._open.discard(batch)
        error = self._gone() if playing.cancelled() else playing.exception()
        if isinstance(error, OtherVersionError):
            error = ValueError(f"a worker joined that has another version of {VERSIONS} than this machine: {INSTALL}")
        if isinstance(error, ImportError):
            error = ValueError(f"a worker joined that cannot play ({error}): {INSTALL}")
        with suppress(InvalidStateError):  # given up meanwhile
            if error is None:
                batch.set_result(playing.result())
            else:
                batch.set_exception(error)

    def _gone(self) -> ConnectionError:
        self._lost = True
        return ConnectionError(
            f"the Dask scheduler at {self._address} is gone: a ledger has the finished games, and --resume plays the others"
        )

    def _count(self) -> None:
        """Count the workers as they come and go; without any, fail what waits for them."""
        alone_since: float | None = None
        while not self._closed.wait(_COUNT_AGAIN):
            try:
                threads = sum(self._client.nthreads().values())
            except Exception:
                continue  # the games' own futures tell that the scheduler is gone
            self.slots = max(1, threads)
            now = time.monotonic()
            alone_since = None if threads else alone_since or now
            if alone_since is not None and now - alone_since > self._alone:
                error = ConnectionError(
                    f"the Dask scheduler at {self._address} has had no workers for {self._alone:.0f} s: "
                    "a ledger has the finished games, and --resume plays the others"
                )
                self._give_up(error)

    def _watch_connection(self) -> None:
        """Fail what is sent while Dask's client tries to connect again: a new scheduler would know nothing of the old games."""
        while not self._closed.wait(_LOOK_AGAIN):
            if self._client.status != "running":
                self._lost = True
            if self._lost:
                self._give_up(self._gone())

    def _give_up(self, error: Exception) -> None:
        for batch in list(self._open):
            with suppress(InvalidStateError):
                batch.set_exception(error)

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, self._killed)

    def close(self, at_once: bool = False) -> None:
        if self._closed.is_set():
            return
        self._closed.set()
        if not self._lost:
            self._executor.shutdown(wait=False)  # nobody waits for games that are still under way
            _within(_GOODBYE, lambda: self._client.run(end_run, self._run, on_error="ignore"))
        _within(_GOODBYE, lambda: self._client.close(timeout=_GOODBYE / 2))


def _host(worker: str) -> str:
    """The machine of an address such as tcp://10.0.0.2:34567."""
    return worker.rpartition(":")[0]


def _within(seconds: float, call: Callable[[], object]) -> None:
    """Call this, and do not wait longer nor care whether it works."""

    def quietly() -> None:
        with suppress(Exception):
            call()

    thread = threading.Thread(target=quietly, daemon=True)
    thread.start()
    thread.join(seconds)
