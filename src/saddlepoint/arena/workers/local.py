"""Workers of this machine: the calling process, or processes that it starts."""

import multiprocessing
import multiprocessing.connection
import signal
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

from ..conditions import MatchConditions
from ..job import Job
from .base import Batch, Workers
from .worker import MatchPlayers, ThreadPlayers, begin_worker, play_jobs

P = ParamSpec("P")
T = TypeVar("T")

_GOODBYE = 2.0  # seconds for a process to end its players by itself


class HereWorkers(Workers):
    """Plays in the calling process, when asked to; with `players` as long as the conditions are theirs."""

    slots = 1

    def __init__(self, players: MatchPlayers | None = None) -> None:
        self._own = ThreadPlayers(players)

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        future: Batch = Future()
        future.set_result(self._own.play(conditions, jobs))
        return future

    def close(self, at_once: bool = False) -> None:
        self._own.close()


class LocalWorkers(Workers):
    """Processes of this machine."""

    def __init__(self, processes: int) -> None:
        self.slots = processes
        self._processes: set[BaseProcess] = set()
        self._executor = self._make()

    def _make(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.slots, multiprocessing.get_context("spawn"), begin_worker)

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        try:
            return self.run(play_jobs, conditions, jobs)
        except BrokenProcessPool as error:  # a process ended a moment ago, and what it played will say so too
            future: Batch = Future()
            future.set_exception(error)
            return future

    def run(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """Have one of the processes do something else."""
        before = set(multiprocessing.active_children())
        with _interrupts_held_back():
            future = self._executor.submit(work, *arguments, **named)
        self._processes |= set(multiprocessing.active_children()) - before
        return future

    def restart(self) -> None:
        self.close(at_once=True)
        self._processes = set()
        self._executor = self._make()

    def close(self, at_once: bool = False) -> None:
        if not at_once:
            self._executor.shutdown(wait=False, cancel_futures=True)
            at_once = not self._end_by_themselves()
        if at_once:
            for process in self._processes:
                process.terminate()
            try:
                deadline = time.monotonic() + _GOODBYE
                for process in self._processes:
                    process.join(max(0.0, deadline - time.monotonic()))
            finally:  # whoever asks a second time waits no longer
                for process in self._processes:
                    if process.is_alive():  # deep in a search, or in a rule without an end; what it started ends with it
                        process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _end_by_themselves(self) -> bool:
        """Wait for the processes, which are to end; False where one was killed: others may wait for ever for a lock that it held."""
        while living := [process.sentinel for process in self._processes if process.is_alive()]:
            if any(process.exitcode for process in self._processes):
                return False
            multiprocessing.connection.wait(living)
        return True


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
