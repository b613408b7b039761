"""Processes of this machine that do what they are sent, and end with whoever started them."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

from .terminal import IN_WORKERS

P = ParamSpec("P")
T = TypeVar("T")

_GOODBYE = 2.0  # seconds for a process to do what is to be done at its end


class Processes:
    """At most `count` processes, started when there is work. Ctrl-C is for their parent alone, which ends them.

    `at_end` is called in a process that shall end, however busy it is; without it there is nothing to be done then.
    """

    def __init__(self, count: int, at_end: Callable[[], object] | None = None) -> None:
        self._is_killed = at_end is None
        self._processes: set[BaseProcess] = set()
        self._executor = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin, (at_end,))

    def run(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """Have one of the processes do this, after what was sent before. Raises BrokenProcessPool where one has died."""
        before = set(multiprocessing.active_children())
        with _interrupts_held_back():
            future = self._executor.submit(work, *arguments, **named)
        self._processes |= set(multiprocessing.active_children()) - before
        return future

    def close(self, at_once: bool = False) -> None:
        """End all processes; what is under way is not waited for with `at_once`, what has not begun is never done."""
        if not at_once:
            self._executor.shutdown(wait=False, cancel_futures=True)
            at_once = not self._end_by_themselves()
        if at_once:
            for process in self._processes:
                (process.kill if self._is_killed else process.terminate)()
            try:
                deadline = time.monotonic() + _GOODBYE
                for process in self._processes:
                    process.join(max(0.0, deadline - time.monotonic()))
            finally:  # whoever asks a second time waits no longer
                for process in self._processes:
                    if (
                        process.is_alive()
                    ):  # deep in a search, or in a rule without an end; what it started ends with it
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
    """A process started meanwhile is deaf to Ctrl-C from its first moment, as `_begin` keeps it: its parent ends it.

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


def _begin(at_end: Callable[[], object] | None) -> None:
    """Set up a new process: it ignores Ctrl-C, and ends with its parent, together with the processes it
    started.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # its parent held it back

    def end(number: int, frame: object) -> None:
        if at_end is not None:
            at_end()
        os._exit(1)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ.setdefault("SADDLEPOINT_QUIET", IN_WORKERS)


def _end_with_parent() -> None:
    """End this process when its parent has ended, in whatever way."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)  # the supervisors of what it started notice
