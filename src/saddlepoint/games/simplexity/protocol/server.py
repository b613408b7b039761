"""`csl 1` over stdin and stdout, or over TCP for programs of the same machine."""

import contextlib
import queue
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO, NoReturn

from ....play.timely import SWITCH_INTERVAL, LoadMaker
from .session import Connection, Engine

_LOOPBACK = "127.0.0.1"
_CONNECTIONS = 64
_LONGEST_LINE = 1 << 18
_BACKLOG = 1000  # lines that wait at most
_SHUTDOWN = 0.2  # seconds
_LAST_ANSWERS = 5.0  # seconds that open requests have when the input ends
_CUT_SHORT = 0.5  # seconds for what a search has found when its connection ends
_UNREAD = struct.pack("ll", 0, 100_000)  # seconds, microseconds for an answer nobody reads: the others must not wait


def run_pipe(
    player: str, load: LoadMaker, source: BinaryIO, answers: BinaryIO, log: Callable[[str], None] | None = None
) -> bool:
    """Play until `quit` or the end of the input; True if all threads have ended as well.

    At the end of the input, requests that are open have some seconds for their answers, unless nobody can read these; at `quit` they
    get a quick move.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    engine = Engine(player, load, log)

    def send(text: str) -> None:
        answers.write(text.encode(errors="replace"))
        answers.flush()

    _converse(Connection(engine, send, lambda: _is_closed(answers)), source, engine)
    return engine.players.close(time.monotonic() + _SHUTDOWN)


def _is_closed(answers: BinaryIO) -> bool:
    """Whether the other end of a pipe was closed, as a program's are when it ends."""
    try:
        poll = select.poll()
        poll.register(answers.fileno(), 0)
    except (OSError, ValueError):  # there is no pipe
        return False
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))


def run_tcp(player: str, load: LoadMaker, port: int, log: Callable[[str], None] | None = None) -> NoReturn:
    """Serve connections from this machine until the process is ended; port 0 is any free one, told in the log.

    Every connection has matches of its own. `quit` ends the connection that says it: any user of the machine can connect,
    and must not be able to end the server for the others. Raises OSError where the port is taken.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    with socket.create_server((_LOOPBACK, port)) as listener:
        engine = Engine(player, load, log)
        engine.warn(f"listening on {_LOOPBACK}:{listener.getsockname()[1]}")
        places = threading.BoundedSemaphore(_CONNECTIONS)

        def serve(connected: socket.socket) -> None:
            with places, connected, connected.makefile("rb") as source:
                _converse(Connection(engine, _sender(connected)), source, engine, over=True)
                with contextlib.suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)  # the thread that reads is waiting for more

        while True:
            connected, _ = listener.accept()
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _UNREAD)
            threading.Thread(target=serve, args=(connected,), daemon=True).start()


def _sender(connected: socket.socket) -> Callable[[str], None]:
    def send(text: str) -> None:
        try:
            connected.sendall(text.encode(errors="replace"))
        except OSError:
            # Let the thread that reads know: nobody is there, or nobody reads.
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)
            raise

    return send


def _converse(connection: Connection, source: BinaryIO, engine: Engine, over: bool = False) -> None:
    """Until the other side says `quit`, its input ends, or nobody reads the answers.

    `over`: the end of the input is the end of the connection, of which nobody waits for long searches.
    """
    wanted = False
    arrived: queue.Queue[tuple[float, str] | None] = queue.Queue(_BACKLOG)

    def read() -> None:
        # Its own thread, so that the time a line waits for those before it counts.
        for line in lines(source, engine.warn):
            arrived.put((time.monotonic(), line))
        arrived.put(None)

    threading.Thread(target=read, name="reader", daemon=True).start()
    while (item := arrived.get()) is not None:
        asked, line = item
        wanted = not connection.handle(line, asked)
        if wanted or connection.broken:
            break
    connection.finish(0.0 if wanted else time.monotonic() + (_CUT_SHORT if over else _LAST_ANSWERS), over)


def lines(source: BinaryIO, warn: Callable[[str], None]) -> Iterator[str]:
    """The lines of a stream until it ends, without those that are too long."""
    whole = True
    try:
        while part := source.readline(_LONGEST_LINE):
            ends = part.endswith(b"\n")
            if whole and (ends or len(part) < _LONGEST_LINE):
                yield part.decode(errors="replace")
            elif whole:
                warn(f"line ignored: longer than {_LONGEST_LINE} bytes")
            whole = ends
    except (OSError, ValueError):
        return
