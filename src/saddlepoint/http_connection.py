"""A connection of our HTTP servers: the page's, a snake's.

Who connects and says nothing whole holds a connection for some seconds only, and never keeps others out: where there are as many
connections as allowed, the one that has waited longest for its next request makes room.
"""

import asyncio
import time
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 512
"""Connections at the same time."""
HEADER_SECONDS = 10.0
"""Seconds in which the head of a request must have come, from the connection's or the request's first byte on."""


class HttpConnection(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with a time limit for the head of a request and room for who comes anew."""

    most: ClassVar[int] = MOST
    header_seconds: ClassVar[float] = HEADER_SECONDS
    _deadline: asyncio.TimerHandle | None = None
    waiting_since = 0.0
    """When it began to wait for a request, by the monotonic clock."""

    @property
    def is_waiting(self) -> bool:
        """Whether no request of it is being answered."""
        return self.cycle is None or self.cycle.response_complete  # pyright: ignore[reportUnnecessaryComparison]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.waiting_since = time.monotonic()
        if len(self.connections) >= self.most - 1:
            self._make_room()
        super().connection_made(transport)
        self._expect_a_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.is_waiting and self.transport.get_protocol() is self:
            self._expect_a_request()
        else:  # a request is there, or a WebSocket has taken the connection over
            self._expect_nothing()

    def on_response_complete(self) -> None:
        self.waiting_since = time.monotonic()
        super().on_response_complete()
        if self.is_waiting and self.conn.trailing_data[0]:  # the next request had begun before this answer
            self._expect_a_request()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; where an answer was under way, it has nobody to go to any more."""
        if self.is_waiting and self.conn.our_state is h11.IDLE:
            super().send_400_response(msg)
        else:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.transport.close()

    def _make_room(self) -> None:
        """Close the connection that has waited longest for its next request, if any waits."""
        waiting = [one for one in self.connections if isinstance(one, HttpConnection) and one.is_waiting]
        if waiting:
            oldest = min(waiting, key=lambda one: one.waiting_since)
            oldest.transport.abort()
            self.connections.discard(oldest)  # it is told of its end later, and the place is needed now

    def _expect_a_request(self) -> None:
        if self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(self.header_seconds, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
