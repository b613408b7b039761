"""The server's settings from the command line, the limits of clients' requests, and their refusals."""

import traceback
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

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
