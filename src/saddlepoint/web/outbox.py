"""What waits to be sent to one client: the newest message of each kind, so that a slow client never has a queue to work off."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

_PAUSE = 0.05
"""Seconds between two times of sending: no eye sees more."""

Message = dict[str, Any] | Callable[[], dict[str, Any]]


class Outbox:
    """Filled from any thread, emptied by one task of the event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, tuple[Any, str, Message]] = {}
        self._loop = asyncio.get_running_loop()
        self._filled = asyncio.Event()
        self._closed = False

    def put(self, number: Any, kind: str, content: Message | str = "", part: Hashable = None) -> None:
        """Send this of an analysis, instead of what waits of the same kind and part. A function is called when it is sent.

        An error is its sentence.
        """
        message: Message = {"error": content} if isinstance(content, str) and kind == "error" else content  # type: ignore[assignment]
        with self._lock:
            if self._closed:
                return
            wakes = not self._waiting
            key = (number, kind, part)
            if kind in _LAST:
                self._waiting.pop(key, None)
            self._waiting[key] = (number, kind, message)
        if wakes:
            try:
                self._loop.call_soon_threadsafe(self._filled.set)
            except RuntimeError:  # the server has ended
                pass

    def forget(self, number: Any) -> None:
        """Send nothing more of what waits of an analysis."""
        with self._lock:
            for key in [key for key, one in self._waiting.items() if one[0] == number]:
                del self._waiting[key]

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
            for number, kind, message in waiting.values():
                content = message() if callable(message) else message
                try:
                    await send(json.dumps({"id": number, "kind": kind} | content, separators=(",", ":")))
                except Exception:  # the client has gone; its endpoint sees that too
                    self.close()
                    return
            await asyncio.sleep(_PAUSE)


_LAST = ("done",)
"""Kinds that come after all that waits."""
