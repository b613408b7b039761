"""Work of the server that takes long, in threads which nobody waits for at the end: Ctrl-C ends the program at once."""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

from .errors import Refused

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """So many threads, and so many calls that may wait for one; more are refused."""

    def __init__(self, name: str, count: int, waiting: int) -> None:
        self._name, self._count = name, count
        self._most = count + waiting
        self._under_way = 0
        self._started = 0
        self._closed = False
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    async def run(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What the function gives, called in one of the threads."""
        if self._closed:
            raise Refused("the server ends", 503)
        if self._under_way >= self._most:
            raise Refused("the server is busy; try again in a moment", 503)
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(function(*arguments, **named))
            except BaseException as error:  # it is raised where it is awaited
                future.set_exception(error)

        if self._started < min(self._count, self._under_way + 1):
            self._started += 1
            threading.Thread(target=self._serve, name=f"{self._name} {self._started}", daemon=True).start()
        self._under_way += 1
        self._queue.put(work)
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._under_way -= 1

    def close(self) -> None:
        """Let each thread end when it has done what it was given; from now on calls are refused."""
        self._closed = True
        for _ in range(self._started):
            self._queue.put(None)

    def _serve(self) -> None:
        while (work := self._queue.get()) is not None:
            work()
