"""What waits to be sent to one client: the newest message of each kind, so that a slow client never has a queue to work off."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from typing import Any

_PAUSE = 0.05
"""Seconds between two times of sending: no eye sees more."""
_MOST = 8192
"""Messages that may wait; only those with parts, of a review, can be so many."""

Content = Callable[[], dict[str, Any]]


class Outbox:
    """Filled from any thread, emptied by one task of the event loop in which it was made."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, tuple[int | None, str, Content]] = {}
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
            self._waiting[key] = number, kind, content
        if wakes:
            with suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._filled.set)

    def close(self) -> None:
        """Nobody listens any more."""
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
            for number, kind, content in waiting.values():
                text = json.dumps({"id": number, "kind": kind} | content(), separators=(",", ":"))
                try:
                    await send(text)
                except Exception:  # the client has gone; its endpoint sees that too
                    self.close()
                    return
            await asyncio.sleep(_PAUSE)
