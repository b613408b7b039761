"""The socket of a server of ours, the page's or a snake's, and what happens on its connections."""

import asyncio
import errno
import socket
import time
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

USUAL_PORT = 8000
_PORTS = 20
"""Ports that are tried, where none was asked for."""


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port on the usual one or the next that is free. Raises OSError or ValueError."""
    try:
        family, _, _, _, found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        raise ValueError(f"--host {host!r} is no address of this machine") from None
    for one in [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + _PORTS), 0]:
        # asyncio sends small answers at once only over sockets that say that they are TCP's; else they wait 40 ms for an acknowledgement.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((found[0], one))
            made.listen(128)
            made.setblocking(False)
        except OSError as error:
            made.close()
            if port is None and error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            reason = {
                errno.EADDRINUSE: "is taken by another program",
                errno.EACCES: "is not for everybody's programs",
            }
            if error.errno == errno.EADDRNOTAVAIL:
                raise ValueError(f"--host {host!r} is no address of this machine") from None
            raise ValueError(
                f"port {port} {reason.get(error.errno or 0, str(error))}; leave --port out for one that is free"
            ) from None
        else:
            return made
    raise AssertionError("port 0 is always free")


# A connection of our HTTP servers: the page's, a snake's.
#
# Who connects and says nothing whole holds a connection for some seconds only, and never keeps others out: where there are as many
# connections as allowed, the one that has waited longest for its next request makes room.

MOST = 512
"""Connections at the same time."""
HEADER_SECONDS = 10.0
"""Seconds in which the head of a request must have come, from the connection's or the request's first byte on."""


class HttpConnection(H11Protocol):
    """A connection of uvicorn's HTTP/1.1 with a time limit for a request's head and a limit of connections."""

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
            self.connections.discard(oldest)  # it learns of its end later, and the place is needed now

    def _expect_a_request(self) -> None:
        if self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(self.header_seconds, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
