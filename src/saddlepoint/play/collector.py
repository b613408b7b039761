"""Garbage collections at moments at which nobody waits: with all that is imported one holds all threads for 0.1 s and more."""

import gc
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager


class _Overlapping:
    """Calls `begin` where the first of several that overlap begins, and `end` where the last one ends, in whatever threads."""

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._begin, self._end = begin, end
        self._lock = threading.Lock()
        self._under_way = 0

    @contextmanager
    def __call__(self) -> Generator[None]:
        with self._lock:
            self._under_way += 1
            if self._under_way == 1:
                self._begin()
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                if not self._under_way:
                    self._end()


def _go_on() -> None:
    gc.freeze()
    gc.enable()


pause_of_collector = _Overlapping(gc.disable, _go_on)
"""No garbage collection while a player is made; what is there then is left out of all later ones."""
short_collections = _Overlapping(gc.freeze, gc.unfreeze)
"""What is there now is left out of the collections meanwhile: a game's players would pay for its time."""
