"""Where games are played: in this process, in processes of this machine, on a Dask cluster.

All of them take batches of jobs and give futures, as any `concurrent.futures.Executor`.
"""

import multiprocessing
import re
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from ..terms import Job, PlayedGame, Terms, VoidGame
from .load import current_load, usable_cores
from .worker import begin_worker, close_players, play_jobs

Batch = Future[list[PlayedGame | VoidGame]]
Say = Callable[[str], None]
"""Tells the user, in a line, what takes a while."""

_GOODBYE = 2.0  # seconds for a process to end its players by itself
_DASK = re.compile(r"dask://((?:tls://)?[^/]+:\d+)")


class Workers(ABC):
    """Something that plays batches of games; close it when no more follow."""

    slots: int
    """Batches that are played at the same time."""
    loses_all = True
    """Whether the death of one process loses all batches that are under way."""

    def warm(self, terms: Terms, players: tuple[str, ...]) -> None:
        """Compile what the players need before the first game; by default each process does it with its first."""

    def is_death(self, error: BaseException) -> bool:
        """Whether a batch failed because its process died."""
        return isinstance(error, BrokenExecutor)

    @abstractmethod
    def submit(self, terms: Terms, jobs: list[Job]) -> Batch:
        """Play the jobs one after another on one of the processes."""

    def restart(self) -> None:
        """Begin anew after a process has died; batches that were not finished are lost."""

    @abstractmethod
    def close(self, at_once: bool = False) -> None:
        """End all processes; games under way are not waited for with `at_once`."""


class HereWorkers(Workers):
    """Plays in the calling process, when asked to."""

    slots = 1

    def submit(self, terms: Terms, jobs: list[Job]) -> Batch:
        future: Batch = Future()
        future.set_result(play_jobs(terms, jobs))
        return future

    def close(self, at_once: bool = False) -> None:
        close_players()


class LocalWorkers(Workers):
    """Processes of this machine."""

    def __init__(self, processes: int) -> None:
        self.slots = processes
        self._others = set(multiprocessing.active_children())
        self._executor = self._make()

    def _make(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.slots, multiprocessing.get_context("spawn"), begin_worker)

    def submit(self, terms: Terms, jobs: list[Job]) -> Batch:
        with _interrupts_held_back():
            return self._executor.submit(play_jobs, terms, jobs)

    def restart(self) -> None:
        self._end(at_once=True)
        self._executor = self._make()

    def close(self, at_once: bool = False) -> None:
        self._end(at_once)

    def _end(self, at_once: bool) -> None:
        if at_once:
            processes = set(multiprocessing.active_children()) - self._others
            for process in processes:
                process.terminate()
            deadline = time.monotonic() + _GOODBYE
            for process in processes:
                process.join(max(0.0, deadline - time.monotonic()))
                if process.is_alive():  # deep in a search; what it started ends with it
                    process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held_back() -> Generator[None, None, None]:
    """A process started meanwhile is deaf to Ctrl-C from its first moment, as `begin_worker` keeps it: its parent ends it.

    For the parent it is only put off: ignored, a Ctrl-C of just this moment would be lost.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def make_workers(executor: str | None, concurrency: int, say: Say = lambda text: None) -> Workers:
    """The workers that an option names: none for this machine, dask://host:port for a cluster.

    `say` is told what takes long. Raises ValueError for another option, ConnectionError where no scheduler answers.
    """
    if executor is None:
        return HereWorkers() if concurrency <= 1 else LocalWorkers(concurrency)
    address = _DASK.fullmatch(executor)
    if address is None:
        raise ValueError(f"an executor is dask://HOST:PORT, the address of a Dask scheduler, not {executor!r}")
    from .dask import DaskWorkers

    return DaskWorkers(address[1], say)


def default_concurrency(terms: Terms, players: tuple[str, ...]) -> int:
    """Games at a time that keep the clocks honest: cores by threads of the player that has most.

    The players of a game think one after another, so a game needs no more cores than its hungriest player's threads.
    """
    return max(1, usable_cores() // max([1, *(threads_of(terms, spec) for spec in players)]))


def threads_of(terms: Terms, spec: str) -> int:
    """The threads a player searches with; 1 where it does not say."""
    from ...roster.make import make_player

    player: Any = make_player(spec, terms.game, terms.limits)
    try:
        return int(getattr(getattr(player, "algorithm", None), "threads", 1))
    finally:
        player.close()


def oversubscribed(concurrency: int, threads: int) -> str:
    """A warning if the machine has fewer free cores than the games need; an empty string if not."""
    cores = usable_cores()
    if concurrency * threads > cores:
        wise = max(1, cores // threads)
        return f"{concurrency} games at a time with {threads} thread(s) each on {cores} core(s): moves will be late; use -j {wise}"
    load = current_load().average
    if load + concurrency * threads > cores + 1:
        return f"the machine is busy already (load {load:.1f} on {cores} core(s)): players get less than their time"
    return ""
