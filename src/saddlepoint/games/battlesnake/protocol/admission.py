"""Which request a server works on first, so that a burst of them delays no game that is under way; and when one has come."""

import asyncio
import selectors
import time
from typing import NamedTuple, Protocol

_A_ROUND = 1
"""Requests that are begun in one round of the event loop: each takes some milliseconds, and between rounds games are answered."""
_PAUSE = 3.0
"""While games are played the loop begins none of the others for so many times as long as the last one took: a search that begins wants
the interpreter too."""
_PATIENCE = 10.0
"""Seconds that a request may wait; the game it is of has gone on by then."""
_MOST = 256
"""Requests that may wait."""
_AT_ONCE = 0.0002
"""Seconds: what takes no longer was not waited for."""


class Arrivals(selectors.DefaultSelector):
    """The event loop's selector, which knows how long what it found may have been there.

    What it finds without waiting came while the loop was at work: at the earliest when it last looked.
    """

    def __init__(self) -> None:
        super().__init__()
        self._looked = self.earliest = time.monotonic()
        """When, at the earliest, what was found last has come (time.monotonic())."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As every selector."""
        began = time.monotonic()
        found = super().select(timeout)
        now = time.monotonic()
        self.earliest = self._looked if now - began < _AT_ONCE else now
        self._looked = now
        return found


class ReadableConnection(Protocol):
    """A connection on which something has come."""

    def take(self, data: bytes, since: float) -> None:
        """Work on it; it came then."""

    def refuse(self) -> None:
        """Say that there is no time for it, and close."""

    @property
    def is_closing(self) -> bool:
        """Whether nobody is there any more."""
        ...


class _Entry(NamedTuple):
    connection: ReadableConnection
    data: bytes
    since: float


class Admission:
    """Lets requests in: those of games under way at once, of all others a few in each round of the event loop.

    While there are games under way the others get a quarter of its time. Of these the newest goes first, for it has the most time
    left; one that has waited for long is refused, and where too many wait the oldest at once.
    """

    def __init__(self, arrivals: Arrivals | None = None, patience: float = _PATIENCE) -> None:
        self._arrivals, self._patience = arrivals, patience
        self._known: set[object] = set()
        self._waiting: dict[ReadableConnection, list[_Entry]] = {}
        self._is_due = False
        """Whether another round will come."""

    @property
    def now(self) -> float:
        """When, at the earliest, what the event loop works on has come."""
        return self._arrivals.earliest if self._arrivals is not None else time.monotonic()

    def know(self, client: object) -> None:
        """A game under way is played from that address and port."""
        self._known.add(client)

    def forget(self, client: object, connection: ReadableConnection) -> None:
        """The connection from there is closed."""
        self._known.discard(client)
        self._waiting.pop(connection, None)

    def receive(self, client: object, connection: ReadableConnection, data: bytes) -> None:
        """Something has come; it is worked on now, or in a later round of the event loop."""
        if connection in self._waiting:
            self._waiting[connection].append(_Entry(connection, data, self.now))
        elif client in self._known:
            connection.take(data, self.now)
        else:
            if not self._is_due:
                self._is_due = True
                asyncio.get_running_loop().call_soon(self._round)
            elif len(self._waiting) >= _MOST:
                oldest = next(iter(self._waiting))
                del self._waiting[oldest]
                oldest.refuse()
            self._waiting[connection] = [_Entry(connection, data, self.now)]

    def _round(self) -> None:
        """Begin a few of those that wait."""
        began, taken = time.monotonic(), 0
        while self._waiting and taken < _A_ROUND:
            connection, entries = self._waiting.popitem()
            if connection.is_closing:
                continue
            if time.monotonic() - entries[0].since > self._patience:
                connection.refuse()
                continue
            taken += 1
            for entry in entries:
                connection.take(entry.data, entries[0].since)
        asyncio.get_running_loop().call_soon(self._pause, began)  # behind the work that this has begun

    def _pause(self, began: float) -> None:
        """The next round comes at once, or while games are played after a pause."""
        self._is_due = bool(self._waiting)
        if self._is_due:
            pause = _PAUSE * (time.monotonic() - began) if self._known else 0.0
            asyncio.get_running_loop().call_later(pause, self._round)
