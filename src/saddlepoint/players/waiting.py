"""A player's own time: that on the wall, less the seconds in which it was ready to run and had no core.

Linux counts for every thread how long it ran, and how long it waited for a core (its run-queue delay), in /proc/PID/task/TID/schedstat.
Where the system does not, the processor time counts. A thread that sleeps, or is stopped, waits for nothing.
"""

import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import NamedTuple

from ..compiled.call import seconds_compiling
from ..system.cluster import usable_cores

PROC = "/proc"
_MOST = 1000  # threads of a player that are looked at: whoever has more waits at its own cost
_WORTH_ASKING = 0.001  # seconds: in less nobody was kept from a core


class Spent(NamedTuple):
    """Seconds of a thread."""

    ran: float
    waited: float


def of_thread(path: str = "thread-self") -> Spent | None:
    """The time a thread has spent: this one, or that of `PID/task/TID`.

    None where the system does not report it.
    """
    with suppress(OSError, ValueError), open(f"{PROC}/{path}/schedstat", "rb") as file:
        ran, waited, _ = file.read().split()
        return Spent(int(ran) / 1e9, int(waited) / 1e9)
    return None


@functools.cache
def system_tells() -> bool:
    """Whether this system counts how long a thread waited for a core."""
    spent = of_thread()
    return spent is not None and spent.ran > 0


def _of_processes(pids: Iterable[int]) -> dict[str, Spent]:
    """The time spent by the threads of these processes.

    By processes, without waits, if the system reports no more.
    """
    if not system_tells():
        return {str(pid): Spent(ran, 0.0) for pid in pids if (ran := _processor_time(pid)) is not None}
    found: dict[str, Spent] = {}
    for pid in pids:
        with suppress(OSError):  # gone
            for task in islice(os.listdir(f"{PROC}/{pid}/task"), _MOST + 1 - len(found)):
                path = f"{pid}/task/{task}"
                if (spent := of_thread(path)) is not None:
                    found[path] = spent
        if len(found) > _MOST:
            return {}
    return found


def _processor_time(pid: int) -> float | None:
    import psutil

    with suppress(psutil.Error):
        used = psutil.Process(pid).cpu_times()
        return float(used.user + used.system)
    return None


class Processes:
    """The time that another program's processes wait for a core from now on; `pids` lists them."""

    def __init__(self, pids: Callable[[], Iterable[int]]) -> None:
        self._pids = pids
        self._before = _of_processes(pids())
        self._seen: dict[str, Spent] = {}
        self._began = time.monotonic()

    def look(self) -> None:
        """Note what they have spent until now: the system forgets it of a thread that ends."""
        self._seen.update(_of_processes(self._pids()))

    def waited(self, beside: float = 0.0) -> float:
        """Seconds until now in which they were ready and had no core, with those that whoever reads their answer waited `beside`.

        The two may have waited at the same time. A program that keeps itself from the cores gains nothing: its own time is at least what
        its busiest thread ran, and what all ran divided by the cores there are.
        """
        passed = time.monotonic() - self._began
        if passed < _WORTH_ASKING:
            return 0.0
        self.look()
        return waited_of(self._before, self._seen, passed, beside)


def waited_of(
    before: Mapping[str, Spent], after: Mapping[str, Spent], passed: float, beside: float = 0.0
) -> float:
    """The seconds of `passed` in which threads waited, by their times before and after, or in which others
    did (`beside`).
    """
    spent = [
        Spent(now.ran - then.ran, min(now.waited - then.waited, passed))
        for thread, now in after.items()
        for then in (before.get(thread, Spent(0.0, 0.0)),)
    ]
    if not spent:
        return beside
    least = max(*(one.ran for one in spent), sum(one.ran for one in spent) / usable_cores())
    waited = sum(one.waited for one in spent) if system_tells() else passed
    return min(waited + beside, max(passed - least, 0.0))


class Stopwatch:
    """The own time of a player that this thread asks, from now on.

    A player of this process thinks in this thread; of one that searches on several `threads` the processor time counts, a share for each,
    since Linux forgets what an ended thread has spent. What this thread compiles is nobody's time.
    """

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._ran, self._process = time.thread_time(), time.process_time()
        self._began = time.perf_counter()
        # A wait between two looks must count on the wall, too: the clock on the wall is the first here, and the last in `read`.
        self._compiled, self._before = seconds_compiling(), of_thread() if system_tells() else None

    def read(self, waited: float | None = None) -> tuple[float, float]:
        """The player's own seconds, and those on the wall.

        `waited` did another process that it plays by; None: it thinks here. While that one thinks, this thread sleeps.
        """
        passed = self._passed()
        if passed < _WORTH_ASKING:
            return max(passed, 0.0), max(passed, 0.0)
        if waited is None and self._threads > 1:
            return min(passed, (time.process_time() - self._process) / self._threads), passed
        after = None if self._before is None else of_thread()
        passed = self._passed()
        if self._before is not None and after is not None:
            own = passed - (after.waited - self._before.waited) - (waited or 0.0)
        else:
            own = time.thread_time() - self._ran if waited is None else passed - waited
        return min(max(own, 0.0), passed), passed

    def _passed(self) -> float:
        return time.perf_counter() - self._began - (seconds_compiling() - self._compiled)


@contextmanager
def noticing_stops() -> Generator[Callable[[], int]]:
    """Gives a function that returns how often this process was continued after a stop, as by Ctrl-Z; only the main thread hears of it."""
    count = 0

    def note(*_: object) -> None:
        nonlocal count
        count += 1

    goes_on = getattr(signal, "SIGCONT", None)  # Unix alone has it
    is_main = threading.current_thread() is threading.main_thread()
    with ExitStack() as restored:
        if goes_on is not None and is_main and signal.getsignal(goes_on) is signal.SIG_DFL:
            signal.signal(goes_on, note)
            restored.callback(signal.signal, goes_on, signal.SIG_DFL)
        yield lambda: count
