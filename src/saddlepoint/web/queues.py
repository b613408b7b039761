"""The queues of the server: calls for a thread, messages for a client."""

import asyncio
import json
import queue
import threading
import time
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from .limits import Refused

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """`count` threads, and at most `waiting` calls that wait for one; more are refused."""

    def __init__(self, name: str, count: int, waiting: int) -> None:
        self._name, self._count = name, count
        self._most = count + waiting
        self._under_way = 0
        self._started = 0
        self._closed = False
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    async def run(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The result of the function, called in one of the threads.

        Raises Refused when the server is busy or ends.
        """
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
        self._closed = True
        for _ in range(self._started):
            self._queue.put(None)

    def _serve(self) -> None:
        while (work := self._queue.get()) is not None:
            work()


# How often one address may ask.

_ADDRESSES = 10_000
"""Addresses that are remembered."""


class Rate:
    """What each address may do: `most` at once, and as many again in `seconds`."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._left: dict[str, tuple[float, float]] = {}
        """What an address had left, and when."""

    def take(self, address: str) -> None:
        """Count one; raises Refused where nothing is left."""
        now = time.monotonic()
        left, then = self._left.pop(address, (float(self._most), now))
        left = min(self._most, left + (now - then) * self._most / self._seconds)
        self._left[address] = (max(left - 1, 0.0), now)
        if len(self._left) > _ADDRESSES:
            del self._left[next(iter(self._left))]  # who has not asked for longest
        if left < 1:
            raise Refused("so much came from your address that it has to wait; try again in a moment", 429)


# What waits to be sent to one client: the newest message of each kind, so that a slow client never has a queue to work off.

_PAUSE = 0.05
"""Seconds between two times of sending: no eye sees more."""
_MOST = 8192
"""Messages that may wait; only those with parts, of a review, can be that many."""

Content = Callable[[], dict[str, Any]]


class Outbox:
    """Filled from any thread, emptied by one task of the event loop in which it was made."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[tuple[int | None, str, Hashable], Content] = {}
        self._loop = asyncio.get_running_loop()
        self._filled = asyncio.Event()
        self._closed = False

    def put(self, number: int | None, kind: str, content: Content, part: Hashable = None) -> None:
        """Send this of an analysis, in the place of what waits of the same kind and part; `content` is called when it is sent."""
        key = number, kind, part
        with self._lock:
            if self._closed or (len(self._waiting) >= _MOST and key not in self._waiting):
                return
            wakes = not self._waiting
            self._waiting.pop(key, None)  # the newest comes last
            self._waiting[key] = content
        if wakes:
            with suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._filled.set)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._waiting.clear()

    async def send_all(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send what comes, until cancelled or the client is gone."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            with self._lock:
                waiting, self._waiting = self._waiting, {}
            for (number, kind, _), content in waiting.items():
                text = json.dumps({"id": number, "kind": kind} | content(), separators=(",", ":"))
                try:
                    await send(text)
                except Exception:  # the client has gone; its endpoint sees that too
                    self.close()
                    return
            await asyncio.sleep(_PAUSE)
