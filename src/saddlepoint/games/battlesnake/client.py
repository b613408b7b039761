"""HTTP to a server that is not trusted: bounded in time and size, no redirects, no proxies, one connection that is kept."""

import io
import re
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

from ..interface import (
    Clock,
    FaultKind,
    PlayerError,
    SpecError,
)

Connect = Callable[[float], socket.socket]
"""A socket that is connected to the server, within that number of seconds; raises OSError."""
Waited = Callable[[], float]
"""The seconds in which the server has waited for a core since it was asked."""
Left = Callable[[], float]
"""The seconds that are left for an answer; raises TimeoutError where none are."""

_LARGEST_ANSWER = 1 << 16  # bytes, with the header
_TOO_LONG = f"an answer of more than {_LARGEST_ANSWER} bytes"
_LEAST = 0.002  # seconds between two looks at how long a server waited for a core
_PATH = re.compile(r"[!-~]*")
_OK = 200


class _Stale(Exception):
    """The server closed a connection that was kept, before it said anything to this request."""


class Address:
    """The address of a server: `http://HOST:PORT` or `https://...`, with a path if wanted.

    Raises SpecError for anything else.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        host = parts.hostname or ""
        if (
            parts.scheme not in ("http", "https")
            or not host
            or parts.username is not None
            or parts.query
            or parts.fragment
            or (port == 0 or not _PATH.fullmatch(url))
        ):
            raise SpecError(
                f"a server's address is http://HOST:PORT or https://HOST, with a path if wanted, not {url!r}"
            )
        self.host, self.named, self.path = host, parts.netloc, parts.path.rstrip("/")
        self.is_secure = parts.scheme == "https"
        self.port = port or (443 if self.is_secure else 80)

    def connect(self, seconds: float) -> socket.socket:
        deadline = time.monotonic() + seconds
        plain = socket.create_connection((self.host, self.port), max(seconds, 0.001))
        if not self.is_secure:
            return plain
        try:
            plain.settimeout(max(deadline - time.monotonic(), 0.001))
            return ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise


class Client:
    """Asks a server, one request at a time; the connection is kept while both sides keep it, until `close`.

    Whatever the server does, a request ends in time, with an answer or with a PlayerError in a few words.
    """

    def __init__(self, address: Address, connect: Connect | None = None) -> None:
        self.address = address
        self._connect = connect or address.connect
        self._socket: socket.socket | None = None

    def get(self, path: str, seconds: float) -> bytes:
        """The body of the answer to a GET; within `seconds`. Raises PlayerError."""
        return self._ask(f"GET {self._target(path)} HTTP/1.1\r\n", b"", seconds)

    def post(self, path: str, body: bytes, seconds: float, waited: Waited | None = None) -> bytes:
        """The same for a POST of some JSON; what the server has `waited` for a core does not count, within the wall limit."""
        head = f"POST {self._target(path)} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return self._ask(head, body, seconds, waited)

    def close(self) -> None:
        """End the connection; the next request makes a new one. A request under way in another thread fails."""
        found, self._socket = self._socket, None
        if found is not None:
            with suppress(OSError):
                found.shutdown(socket.SHUT_RDWR)
            with suppress(OSError):
                found.close()

    def _target(self, path: str) -> str:
        return self.address.path + path or "/"

    def _ask(self, head: str, body: bytes, seconds: float, waited: Waited | None = None) -> bytes:
        left = _seconds_left(seconds, waited)
        message = (
            f"{head}Host: {self.address.named}\r\nAccept: application/json\r\nUser-Agent: saddlepoint\r\n\r\n".encode()
            + body
        )
        try:
            with suppress(_Stale):
                return self._exchange(message, left)
            self.close()
            return self._exchange(message, left)
        except TimeoutError:
            self.close()
            raise PlayerError(f"no answer within {seconds:.3f} s", FaultKind.LATE) from None
        except (OSError, HTTPException, ValueError) as error:
            self.close()
            raise PlayerError(_in_words(error)) from None
        except BaseException:
            self.close()
            raise

    def _exchange(self, message: bytes, left: Left) -> bytes:
        is_kept = self._socket is not None
        if self._socket is None:
            self._socket = self._connect(left())
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream = _Stream(self._socket, left)
        try:
            stream.send(message)
            response = HTTPResponse(stream)  # type: ignore[arg-type]
            response.begin()
        except (ConnectionError, RemoteDisconnected):
            if is_kept and not stream.received:
                raise _Stale from None
            raise
        if response.status != _OK:
            raise HTTPException(f"status {response.status}")
        if response.length is not None and response.length > _LARGEST_ANSWER:
            raise HTTPException(_TOO_LONG)
        answer = response.read(_LARGEST_ANSWER + 1)
        if len(answer) > _LARGEST_ANSWER:
            raise HTTPException(_TOO_LONG)
        if response.length:
            raise HTTPException("the answer broke off")
        if response.will_close or not response.isclosed():
            self.close()
        return answer


def _seconds_left(seconds: float, waited: Waited | None) -> Left:
    """Gives the seconds that are left of these, more where the server has waited for a core; it raises TimeoutError where none are."""
    began = time.monotonic()

    def left() -> float:
        passed = time.monotonic() - began
        found = seconds - passed
        if found <= 0 and waited is not None and not Clock(seconds).is_late(0.0, passed):
            found += waited()
        if found <= 0:
            raise TimeoutError
        return found

    return left


class _Stream(io.RawIOBase):
    """A socket as HTTPResponse wants it: all of it within a deadline and a limit of bytes. Closing it leaves the connection open."""

    def __init__(self, connection: socket.socket, left: Left) -> None:
        super().__init__()
        self._connection, self._left = connection, left
        self.received = 0

    def send(self, data: bytes) -> None:
        self._connection.settimeout(self._left())
        self._connection.sendall(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if self.received > _LARGEST_ANSWER:
            raise HTTPException(_TOO_LONG)
        while True:
            self._connection.settimeout(max(self._left(), _LEAST))
            with suppress(TimeoutError):  # is it really over?
                count = self._connection.recv_into(buffer)
                self.received += count
                return count

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)


def _in_words(error: Exception) -> str:
    """The reason why there is no answer, on one short line without the server's own text."""
    if isinstance(error, ssl.SSLError):
        return f"no secure connection: {error.reason or type(error).__name__}"
    if isinstance(error, RemoteDisconnected):
        return "the connection was closed without an answer"
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return str(error) if type(error) is HTTPException else "the answer is no HTTP"
