"""What the measurements of answers share: games side by side, cores kept busy, moments at which a core stood still, figures."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager

from rich.console import Console
from rich.progress import track

STILL = 0.02
"""A core that gives a program no time for so many seconds is said to stand still."""
WATCH = f"""
import os, sys, time
parent = os.getppid()
os.sched_setaffinity(0, {{int(sys.argv[1])}})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(60))
print("watches", flush=True)
last = time.monotonic()
while os.getppid() == parent:
    time.sleep(0.002)
    now = time.monotonic()
    if now - last > {STILL}:
        print(last, now, flush=True)
    last = now
"""


@contextmanager
def busy(processes, sessions=False):
    """Keep so many cores busy; with `sessions` each by a session of its own, as services are: Linux shares the cores among sessions."""
    command = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(command, start_new_session=sessions) for _ in range(processes)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


class Standstills:
    """When a core stood still for all programs, as the host of a virtual machine may have it: a real-time process on each core watches.

    Only root may have such processes; without them nothing is known.
    """

    def __init__(self):
        self.known, self._seen = hasattr(os, "sched_setscheduler"), []
        self._watchers = []
        for core in os.sched_getaffinity(0) if self.known else ():
            watcher = subprocess.Popen(
                [sys.executable, "-c", WATCH, str(core)],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            self._watchers.append(watcher)
            if watcher.stdout.readline() != "watches\n":
                self.known = False
                break
            threading.Thread(target=self._read, args=(watcher.stdout,), daemon=True).start()

    def _read(self, lines):
        for line in lines:
            began, ended = map(float, line.split())
            self._seen.append((began, ended))

    def within(self, began, ended):
        """Seconds of the longest one of a core in that time (time.monotonic())."""
        return max((one[1] - one[0] for one in self._seen if one[0] < ended and one[1] > began), default=0.0)

    def close(self):
        """End the watchers."""
        for watcher in self._watchers:
            watcher.kill()
            watcher.wait()


def results_of(play, games, at_once):
    """What `play(number)` gives for each game as it ends, so many at the same time; the first failure ends it."""
    with ThreadPoolExecutor(at_once) as pool:
        under_way = [pool.submit(play, number) for number in range(games)]
        try:
            for one in track(
                as_completed(under_way), "games", games, console=Console(stderr=True), transient=True
            ):
                yield one.result()
        finally:
            for one in under_way:
                one.cancel()


def figures(seconds, ms):
    """How many answers there were, how many took longer than `ms`, and their times."""
    ordered, share = sorted(seconds), len(seconds) / 100
    return {
        "answers": len(ordered),
        "late": sum(taken > ms / 1000 for taken in ordered),
        "median ms": round(1000 * ordered[len(ordered) // 2], 1),
        "99 % ms": round(1000 * ordered[int(99 * share)], 1),
        "longest ms": round(1000 * ordered[-1], 1),
    }
