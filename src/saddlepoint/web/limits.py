"""The server's settings from the command line, the limits of clients' requests, their refusals, and the queues in which they wait."""

import asyncio
import json
import queue
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Generator, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import anyio
from starlette.requests import ClientDisconnect, Request

from ..system.text import error_line

if TYPE_CHECKING:
    from ..game.base import Game


@dataclass(frozen=True)
class Served:
    """Own games, opponents and files: whatever else a client may name is this library's."""

    games: "Mapping[str, Game]"
    """By the texts that name them."""
    players: tuple[str, ...] = ()
    weights: Sequence[str] = ()
    """Files of weights."""
    replays: Sequence[str] = ()
    ledgers: Sequence[str] = ()
    fits: Sequence[str] = ()
    """The outputs of fits, finished or not."""
    kept: Path | None = None
    """The file of the games between people; None: nobody can play a friend."""
    people: int = 200
    """People at tables and in rooms at the same time."""
    rooms: int = 1000
    """Tables and rooms that are kept."""
    hours: float = 720.0
    """How long each is kept after its last change."""
    view: str = ""
    """The fragment of the address that is opened: what was named first on the command line."""


# What one client may ask for, and all together.

MESSAGE = 65_536
"""Bytes of a request's body, and of a message on a WebSocket."""
UPLOAD = 4_000_000
"""Bytes of a file of games dropped on the page, each of which is held in memory; one named on the command line may have more."""
MOVES = 4096
"""Moves of a game."""
BRANCHES = 1000
"""Moves that were tried beside a game, in one analysis."""
POSITIONS = 1024
"""Positions in one answer."""
VARIATIONS = 200_000
"""Characters of the variations that a file has of a game."""
TEXT = 20_000
"""Characters of a position."""
NAME = 24
"""Characters of what a person is called."""
KEY = 80
"""Characters of a secret link's key."""
SPEC = 1000
"""Characters of a game's or a player's spec."""
SECONDS = 10.0
"""Thinking time of a move."""
ANALYSIS_SECONDS = 60.0
REVIEW_SECONDS = 5.0
"""Thinking time for each turn of a review."""
NODES = 50_000_000
"""Positions that a search for one move may look at; it ends with its time, too."""
SEARCHES = 2
"""Searches at the same time; others wait."""
WAITING = 16
"""Searches that may wait for their turn."""
CALLS = 4
"""Other work (rules, pictures, ledgers) at the same time."""
CALLS_WAITING = 256
ANALYSES = 4
"""Analyses at the same time, of all clients together."""
ANALYSIS_THREADS = 3
"""Of one analysis at most: the search, the alternatives, the overlays."""
SOCKETS = 64
BODY_SECONDS = 20.0
"""Seconds in which a request's body must have come."""
PLAYERS = 6
"""Players kept ready between two moves; each has its tables."""
BOARDS = 24
"""Games of other sizes than the usual ones for which rules are compiled: what is compiled stays in memory."""


def to_json() -> dict[str, float]:
    """The limits that the page needs to know."""
    return {
        "seconds": SECONDS,
        "analysis_seconds": ANALYSIS_SECONDS,
        "nodes": NODES,
        "message": MESSAGE,
        "upload": UPLOAD,
        "moves": MOVES,
        "positions": POSITIONS,
    }


# Requests that are refused or have to wait, and the bodies of requests, with their size and time checked.


class Refused(Exception):
    """A request that is answered with a status and one sentence."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


class StillCompiling(Exception):
    """The request can be answered once `what` is compiled; it has waited `seconds`, and `ahead` others come first."""

    def __init__(self, what: str, seconds: float, ahead: int) -> None:
        super().__init__(what)
        self.what, self.seconds, self.ahead = what, seconds, ahead


@contextmanager
def refusing(*kinds: type[Exception], status: int = 400) -> Generator[None]:
    """Answer errors of these kinds by the first line of their text."""
    try:
        yield
    except kinds as error:
        raise Refused(error_line(error), status) from None


def blamed(error: BaseException, files: Iterable[str] = ()) -> str:
    """The kind of an error in somebody's own code, with the last of its lines in these `files`.

    Its text is left out, since it may hold private data; it is printed where the server was started.
    """
    lines = [(frame.f_code.co_filename, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    own = [f" ({PurePath(file).name}, line {number})" for file, number in lines if file in files]
    return f"{type(error).__name__}{own[-1] if own else ''}"


async def read_body(request: Request, most: int = MESSAGE, too_long: str = "") -> bytes:
    """A request's body, of `most` bytes at most; `too_long` is the sentence of the refusal."""
    too_long = too_long or f"the request has more than {most} bytes"
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise Refused(too_long, 413)
    parts: list[bytes] = []
    size = 0
    try:
        with anyio.fail_after(BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise Refused(too_long, 413)
                parts.append(part)
    except TimeoutError:
        raise Refused("the request did not arrive in time", 408) from None
    except ClientDisconnect:
        raise Refused("the client is gone") from None
    return b"".join(parts)


async def read_json(request: Request) -> bytes:
    """The body of a request that says that it is JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused("expected JSON, with the content type application/json", 415)
    return await read_body(request)


# The queues of the server: calls for a thread, messages for a client.

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
