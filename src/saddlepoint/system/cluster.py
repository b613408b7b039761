"""The cores of this machine, and a Dask cluster: a scheduler somewhere, workers on other machines, and this one, which keeps the results.

A worker that dies loses nothing: the scheduler gives its work to another. Only where it has the same library is its result the same. The
extra `cluster` brings Dask.
"""

import functools
import hashlib
import logging
import os
import re
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .patience import SCHEDULER
from .terminal import how_to_install


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


# The cluster as the machine sees it that sends the work.

_COUNT_AGAIN = 1.0  # seconds until the cluster's workers are counted again
_LOOK_AGAIN = 0.5  # seconds until the connection is looked at again
_ALONE = 60.0  # seconds without any worker until a run is given up
_REACHED = 1.0  # seconds for a worker's answer
_GOODBYE = 10.0  # seconds for the workers to hear that a run is over


class DaskCluster:
    """The workers of a cluster for one run, which does as many things at a time as they have threads; give each worker one thread.

    `address` is HOST:PORT, or tls://HOST:PORT with Dask's settings for certificates. `say` is called with what takes long; `way_out`
    ends the sentence of a run that is given up. Raises ConnectionError where no scheduler answers within `patience` seconds,
    ValueError where Dask is not installed. A run without any worker for `alone` seconds fails with a ConnectionError. `large`: results
    are large, and come straight from the workers where these can be reached from here, not by way of the scheduler.
    """

    def __init__(
        self,
        address: str,
        say: Callable[[str], None] = lambda text: None,
        *,
        way_out: str,
        patience: float = SCHEDULER,
        alone: float = _ALONE,
        large: bool = False,
    ) -> None:
        try:
            from dask import config
            from distributed import Client, KilledWorker
        except ImportError as error:
            raise ValueError(
                f"a Dask cluster needs a few packages more: {how_to_install('cluster')}"
            ) from error
        logging.getLogger("distributed").setLevel(
            logging.CRITICAL
        )  # what matters is said in the errors raised here
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        if address.startswith("tls://") and config.get("distributed.comm.tls.ca-file", None) is None:
            raise ValueError(f"{address} needs certificates in Dask's settings, as docs/cluster.md shows")
        self._address, self._say, self._way_out, self._patience, self._alone = (
            address,
            say,
            way_out,
            patience,
            alone,
        )
        self._killed, self._settings = KilledWorker, config
        self._large = large and config.get("distributed.client.direct-to-workers", None) is None
        self._asked, self._reaching = set[str](), threading.Lock()
        try:
            where = address if "://" in address else f"tcp://{address}"
            self._client: Any = Client(where, timeout=patience, set_as_default=False)
        except OSError as error:
            raise ConnectionError(
                f"no Dask scheduler answers at {address}: start one with `dask scheduler`"
            ) from error
        self._executor: Any = self._client.get_executor(pure=False)
        self.run = uuid.uuid4().hex
        """The name of the run, by which workers learn that it is over."""
        self._open: set[Future[Any]] = set()
        self._lost = False
        self._closed = threading.Event()
        self.slots = 1
        """The cluster's threads; they may come and go."""
        for watch in (self._count, self._watch_connection):
            threading.Thread(target=watch, daemon=True).start()

    def prepare(
        self,
        inspect: Callable[..., Any],
        question: tuple[Any, ...],
        check: Callable[[str, Any], None],
        warm: Callable[..., Any],
        args: tuple[Any, ...],
    ) -> None:
        """Wait for workers, refuse those with another version, and let each of them compile.

        `inspect(*question)` is called on each and gives (digest of its library, something); `check` is called with the worker's address and
        that, and raises for a worker that cannot take part. `warm(*args)` is called on each, on one of each machine first.
        """
        self._inspect_scheduler()
        workers = self._wait_for_workers()
        self._inspect_workers(inspect, question, check)
        self._reach(set(workers))
        self.slots = sum(workers.values())
        self._say(f"warming {len(workers)} worker{'s' * (len(workers) > 1)} ...")
        began = time.monotonic()
        # An address is like tcp://10.0.0.2:34567; the other workers of a machine find its code in the cache.
        first = {worker.rpartition(":")[0]: worker for worker in workers}
        for group in (list(first.values()), [one for one in workers if one not in first.values()]):
            # A worker that dies meanwhile leaves its part to another.
            futures = [
                self._client.submit(warm, *args, workers=[one], allow_other_workers=True, pure=False)
                for one in group
            ]
            try:
                self._client.gather(futures)
            except (CancelledError, OSError) as error:
                raise self.gone() from error
        self._say(f"warm after {time.monotonic() - began:.0f} s")

    def _inspect_scheduler(self) -> None:
        """Refuse a scheduler with another version: it reads what it passes on."""
        try:
            digest = self._client.run_on_scheduler(library_digest)
        except OSError as error:
            raise self.gone() from error
        except Exception as error:
            if self._client.status != "running":  # a client whose connection is lost may fail in several ways
                raise self.gone() from error
            raise ValueError(
                f"the scheduler cannot pass this work on ({type(error).__name__}: {error}): {INSTALL}"
            ) from error
        if digest != library_digest():
            raise ValueError(
                f"the scheduler at {self._address} has another version of {VERSIONS} than this machine: {INSTALL}"
            )

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
            raise self.gone() from error

    def _inspect_workers(
        self, inspect: Callable[..., Any], question: tuple[Any, ...], check: Callable[[str, Any], None]
    ) -> None:
        """Refuse workers that would not compute the same."""
        try:
            answers = self._client.run(inspect, *question, on_error="return")
        except OSError as error:
            raise self.gone() from error
        for worker, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # it has just died
            if isinstance(answer, BaseException):
                raise ValueError(
                    f"the worker {worker} cannot take part ({type(answer).__name__}: {answer}): {INSTALL}"
                )
            digest, rest = answer
            if digest != library_digest():
                raise ValueError(
                    f"the worker {worker} has another version of {VERSIONS} than this machine: {INSTALL}"
                )
            check(worker, rest)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Let a worker call a function, as `remote.call` does."""
        result: Future[Any] = Future()
        self._open.add(result)
        try:
            with self._settings.set(
                {"distributed.admin.large-graph-warning-threshold": "1GB"}
            ):  # arguments may be large
                remote: Future[Any] = self._executor.submit(call, self.run, library_digest(), function, args)
        except Exception as error:  # a client whose connection is lost may fail in several ways
            self._open.discard(result)
            if self._client.status == "running":
                raise
            raise self.gone() from error
        remote.add_done_callback(lambda _: self._pass_on(remote, result))
        result.add_done_callback(
            lambda _: remote.cancel() if result.cancelled() else None
        )  # what no worker has begun
        return result

    def _pass_on(self, remote: Future[Any], result: Future[Any]) -> None:
        self._open.discard(result)
        if result.cancelled():
            return
        error = self.gone() if remote.cancelled() else remote.exception()
        if isinstance(error, OtherVersionError):
            error = ValueError(
                f"a worker joined that has another version of {VERSIONS} than this machine: {INSTALL}"
            )
        if isinstance(error, ImportError):
            error = ValueError(f"a worker joined that cannot take part ({error}): {INSTALL}")
        with suppress(InvalidStateError):  # given up meanwhile
            if error is None:
                result.set_result(remote.result())
            else:
                result.set_exception(error)

    def gone(self) -> ConnectionError:
        """The error that ends a run whose scheduler is gone."""
        self._lost = True
        return ConnectionError(f"the Dask scheduler at {self._address} is gone: {self._way_out}")

    def _reach(self, workers: set[str]) -> None:
        """Let results come straight from the workers if all of them can be reached from here."""
        with self._reaching:
            if self._large and workers != self._asked:
                known = self._asked if self._client.direct_to_workers else set[str]()
                self._client.direct_to_workers = workers <= known  # until the new ones have answered
                self._client.direct_to_workers = all(
                    worker in known or _answers(worker) for worker in workers
                )
                self._asked = workers

    def _count(self) -> None:
        """Count the workers as they come and go; without any, fail what waits for them."""
        alone_since: float | None = None
        while not self._closed.wait(_COUNT_AGAIN):
            try:
                workers = self._client.nthreads()
            except Exception:
                continue  # the work's own futures tell that the scheduler is gone
            self._reach(set(workers))
            threads = sum(workers.values())
            self.slots = max(1, threads)
            now = time.monotonic()
            alone_since = None if threads else alone_since or now
            if alone_since is not None and now - alone_since > self._alone:
                error = ConnectionError(
                    f"the Dask scheduler at {self._address} has had no workers for {self._alone:.0f} s: {self._way_out}"
                )
                self._give_up(error)

    def _watch_connection(self) -> None:
        """Fail what is sent while Dask's client tries to connect again: a new scheduler would know nothing of the old work."""
        while not self._closed.wait(_LOOK_AGAIN):
            if self._client.status != "running":
                self._lost = True
            if self._lost:
                self._give_up(self.gone())

    def _give_up(self, error: Exception) -> None:
        for result in list(self._open):
            with suppress(InvalidStateError):
                result.set_exception(error)

    def is_death(self, error: BaseException) -> bool:
        """Whether work failed because all workers that tried it died."""
        return isinstance(error, self._killed)

    def close(self, goodbye: Callable[[str], None] = end_run) -> None:
        """End the run: nobody waits for what is under way; `goodbye(run)` is called on every worker."""
        if self._closed.is_set():
            return
        self._closed.set()
        if not self._lost:
            self._executor.shutdown(wait=False)  # nobody waits for work that is still under way
            _within(_GOODBYE, lambda: self._client.run(goodbye, self.run, on_error="ignore"))
        _within(_GOODBYE, lambda: self._client.close(timeout=_GOODBYE / 2))


def _answers(worker: str) -> bool:
    """Whether a worker with an address like tcp://10.0.0.2:34567 can be reached from here."""
    place = urlsplit(worker)
    with suppress(OSError, ValueError), socket.create_connection((place.hostname, place.port), _REACHED):
        return True
    return False


def _within(seconds: float, call: Callable[[], object]) -> None:
    """Call this, and do not wait longer nor care whether it works."""

    def quietly() -> None:
        with suppress(Exception):
            call()

    thread = threading.Thread(target=quietly, daemon=True)
    thread.start()
    thread.join(seconds)


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


def connect(executor: str, say: Callable[[str], None], way_out: str, **limits: Any) -> DaskCluster:
    """The cluster that the option --executor names; for the other arguments, and what is raised, see `DaskCluster`."""
    address = cluster_address(executor)
    return DaskCluster(address, say, way_out=way_out, **limits)
