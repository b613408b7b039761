"""Ctrl-C that comes while a search is handed over to its thread."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest


def interrupted_executor(searches: int) -> type[ThreadPoolExecutor]:
    """So many searches are handed over; of the last one the interruption comes before that is known."""
    rest = [searches]

    class InterruptedExecutor(ThreadPoolExecutor):
        def submit(self, *args: Any, **named: Any) -> Future[Any]:
            rest[0] -= 1
            running = super().submit(*args, **named)
            if rest[0] == 0:
                raise KeyboardInterrupt
            return running

    return InterruptedExecutor


def goes_through(ask: Callable[[], object], end: Callable[[], object]) -> bool:
    """Whether the interruption ends `ask` within a minute; `end` ends it otherwise."""
    interrupted: list[bool] = []

    def asking() -> None:
        with pytest.raises(KeyboardInterrupt):
            ask()
        interrupted.append(True)

    thread = threading.Thread(target=asking)
    thread.start()
    thread.join(60)
    in_time = not thread.is_alive()
    end()
    thread.join()
    return in_time and bool(interrupted)
