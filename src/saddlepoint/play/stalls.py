"""Time for which this process did not get to run, or was compiling, while a player's clock ran.

A thread wakes every few milliseconds. Where it woke late, and the process had hardly used its cores meanwhile, the
process stood still: it was stopped, or the machine gave its cores to others. Long calls that hold Python's lock also
let it wake late, but they use a core.
"""

import threading
import time
from typing import Self

from ..compiled.announce import seconds_compiling

_PERIOD = 0.01  # seconds between two wakings
_LEAST = 0.02  # seconds: a shorter wait is every busy machine's, and costs the player whose clock runs
_SETTLING = 1.0  # seconds to wait for the thread's next waking


class StallWatch:
    """Watches within a `with` statement; without `active` it watches nothing, and nothing ever stalled."""

    def __init__(self, active: bool = True) -> None:
        self.active = active
        self._end = threading.Event()
        self._woke = threading.Condition()
        self._wakings = 0
        self._stalls: list[tuple[float, float]] = []  # when it was noticed, how long

    def __enter__(self) -> Self:
        if self.active:
            threading.Thread(target=self._watch, name="saddlepoint stall watch", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()

    def mark(self) -> tuple[float, float]:
        """Now: `lost_since` tells what was lost after it."""
        return time.perf_counter(), seconds_compiling()

    def lost_since(self, mark: tuple[float, float]) -> float:
        """Seconds that this process stood still, or this thread compiled, since `mark` was taken."""
        if not self.active:
            return 0.0
        with self._woke:
            wakings = self._wakings  # a stall that has just ended is noticed at the next waking
            self._woke.wait_for(lambda: self._wakings > wakings + 1, _SETTLING)
            return sum(seconds for at, seconds in self._stalls if at > mark[0]) + seconds_compiling() - mark[1]

    def _watch(self) -> None:
        last, used = time.perf_counter(), time.process_time()
        while not self._end.wait(_PERIOD):
            now, used_now = time.perf_counter(), time.process_time()
            missing = now - last - _PERIOD - (used_now - used)
            with self._woke:
                if missing > _LEAST:
                    self._stalls.append((now, missing))
                self._wakings += 1
                self._woke.notify_all()
            last, used = now, used_now
