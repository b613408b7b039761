"""What the measurements of answers share: games side by side, cores that are kept busy, the figures of many answers."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager

from rich.console import Console
from rich.progress import track


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


def results_of(play, games, at_once):
    """What `play(number)` gives for each game as it ends, so many at the same time; the first failure ends it."""
    with ThreadPoolExecutor(at_once) as pool:
        under_way = [pool.submit(play, number) for number in range(games)]
        try:
            for one in track(as_completed(under_way), "games", games, console=Console(stderr=True), transient=True):
                yield one.result()
        finally:
            for one in under_way:
                one.cancel()


def figures(seconds, ms):
    """How many answers there were, how many took longer than `ms`, and their times."""
    ordered, share = sorted(seconds), len(seconds) / 100
    return {
        "answers": len(ordered), "late": sum(taken > ms / 1000 for taken in ordered),
        "median ms": round(1000 * ordered[len(ordered) // 2], 1), "99 % ms": round(1000 * ordered[int(99 * share)], 1),
        "longest ms": round(1000 * ordered[-1], 1),
    }  # fmt: skip
