"""Our snake as a server: Battlesnake's API version 1, for any player of ours."""

import asyncio
import functools
import logging
import re
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..interface import (
    HttpConnection,
    LoadMaker,
    SpecError,
    json_object,
    listen,
)
from .answers import Answers
from .running import Log

_LARGEST_BODY = 1 << 19  # bytes: eight snakes that fill a board of 25x25 need a third of it
_BODY_SECONDS = 5.0
_ACCEPTED = 4
"""Connections that are accepted in one round of the event loop; the others wait in the system."""
_IDLE = 75.0  # seconds that a connection may say nothing
_GOODBYE = 1
_SPACING = 0.03
"""Seconds between two requests of new games while others are played: each takes some milliseconds from the event loop and the searches."""
_MOST_WAITING = 256
_AT_ONCE = 0.0002
"""Seconds: what takes no longer was not waited for."""
_LAST = 0.1  # seconds
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_LONGEST_NAME = 64


@dataclass(frozen=True)
class Looks:
    """How the snake looks on the board; heads and tails have the official names."""

    colour: str = "#888888"
    head: str = "default"
    tail: str = "default"
    author: str = ""

    def __post_init__(self) -> None:
        if not _COLOUR.fullmatch(self.colour):
            raise ValueError(f"--colour is written #RRGGBB, such as #3355aa, not {self.colour!r}")
        for name in ("head", "tail", "author"):
            text = getattr(self, name)
            if len(text) > _LONGEST_NAME or not text.isprintable():
                raise ValueError(
                    f"--{name} takes at most {_LONGEST_NAME} characters that can be printed, not {text[:80]!r}"
                )

    def info(self, version: str) -> dict[str, str]:
        return {
            "apiversion": "1",
            "author": self.author,
            "color": self.colour.lower(),
            "head": self.head,
            "tail": self.tail,
            "version": version,
        }


class _RefusedError(Exception):
    """A request without an answer: its status, and why in one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Arrivals(selectors.DefaultSelector):
    """The event loop's selector, with the earliest moment at which what it found last may have come.

    What it finds without waiting came while the loop was at work: at the earliest when it last looked.
    """

    def __init__(self) -> None:
        super().__init__()
        self._looked = self.earliest = time.monotonic()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        began = time.monotonic()
        found = super().select(timeout)
        now = time.monotonic()
        self.earliest = self._looked if now - began < _AT_ONCE else now
        self._looked = now
        return found


class _Connection(HttpConnection):
    """A connection that notes the arrival times of its requests."""

    def __init__(self, arrivals: Arrivals, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._arrivals = arrivals

    def data_received(self, data: bytes) -> None:
        if self.is_waiting:
            self.app_state = {"came": self._arrivals.earliest}
        super().data_received(data)


class Admission:
    """Admits requests: those of games under way at once, of the others one at a time, the newest first, at most 256 of which wait."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._waiting: list[asyncio.Future[None]] = []
        self._is_due = False
        """Whether `_admit` is called again."""

    async def wait(self, data: dict[str, Any]) -> None:
        """Return when the request may be worked on; raises _RefusedError where too many newer ones wait."""
        if self._answers.is_under_way(data):
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        if len(self._waiting) > _MOST_WAITING:
            self._waiting.pop(0).set_exception(_RefusedError(503, "too many requests at once"))
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._admit)
        await turn

    def _admit(self) -> None:
        self._is_due = bool(self._waiting)
        if self._waiting:
            turn = self._waiting.pop()
            if not turn.done():  # its connection may be closed
                turn.set_result(None)
            asyncio.get_running_loop().call_later(
                _SPACING if self._answers.games.are_played else 0.0, self._admit
            )


def make_app(answers: Answers, info: dict[str, str]) -> Starlette:
    """The snake as an ASGI application, under whatever path it is reached."""
    admission = Admission(answers)

    async def admitted(request: Request) -> dict[str, Any]:
        data = await _data(request)
        await admission.wait(data)
        return data

    async def about(request: Request) -> Response:
        return JSONResponse(info)

    async def start(request: Request) -> Response:
        answers.start(await admitted(request))
        return JSONResponse({})

    async def move(request: Request) -> Response:
        asked = getattr(request.state, "came", time.monotonic())
        data = await admitted(request)

        async def sent() -> None:
            answers.sent(data, asked)

        return JSONResponse({"move": await answers.move(data, asked)}, background=BackgroundTask(sent))

    async def end(request: Request) -> Response:
        answers.end(await admitted(request))
        return JSONResponse({})

    async def unknown(request: Request) -> Response:
        return _refusal(404, "a snake is asked by GET / and by POST /start, /move and /end")

    asked = [
        Route(path, _answering(endpoint), methods=["POST"])
        for name, endpoint in (("start", start), ("move", move), ("end", end))
        for path in (f"/{name}", f"/{{base:path}}/{name}")
    ]
    others = [
        Route("/{base:path}", about, methods=["GET"]),
        Route("/{base:path}", unknown, methods=["POST", "PUT", "PATCH", "DELETE"]),
    ]
    return Starlette(routes=[*asked, *others])


def _answering(endpoint: Callable[[Request], Any]) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except _RefusedError as refused:
            return _refusal(refused.status, str(refused))
        except ValueError as error:
            return _refusal(400, str(error))

    return answer


def _refusal(status: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, status)


async def _data(request: Request) -> dict[str, Any]:
    """The JSON object that a request carries, whatever it says of its content type."""
    if "origin" in request.headers:  # a page in a browser on this machine; referees send none
        raise _RefusedError(403, "a referee is no page in a browser")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > _LARGEST_BODY:
        raise _RefusedError(413, f"a request has at most {_LARGEST_BODY} bytes")
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > _LARGEST_BODY:
                    raise _RefusedError(413, f"a request has at most {_LARGEST_BODY} bytes")
    except TimeoutError:
        raise _RefusedError(408, "the request did not arrive in time") from None
    except ClientDisconnect:
        raise _RefusedError(400, "the client is gone") from None
    return json_object(bytes(body))


class _Server(uvicorn.Server):
    """Answers what is asked as soon as it is to end."""

    def __init__(self, config: uvicorn.Config, answers: Answers) -> None:
        super().__init__(config)
        self._answers = answers

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._watching = asyncio.create_task(self._watch())
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(HttpConnection.most)  # uvicorn has let as many wait as are accepted at once

    async def _watch(self) -> None:
        await self._answers.watch()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._watching.cancel()
        self._answers.close()
        await super().shutdown(sockets)


def run_http(
    player: str,
    load: LoadMaker,
    host: str,
    port: int | None,
    looks: Looks,
    version: str,
    compiles_apart: bool = False,
) -> bool:
    """Serve until Ctrl-C; True if all threads have ended as well.

    Without a port it is 8000, or the next one that is free. `version` names this player; with `compiles_apart` it is
    compiled in processes of its own. Raises OSError or ValueError where it cannot listen, SpecError where there is no such player:
    once that is known, and no game is under way.
    """
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # a malformed request is no news
    listening = listen(host, port)
    log = Log()
    address = listening.getsockname()
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    log.write(f"listening on http://{shown}:{address[1]}; Ctrl-C ends it")
    answers = Answers(player, load, log, compiles_apart)
    arrivals = Arrivals()
    config = uvicorn.Config(
        make_app(answers, looks.info(version)),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        http=functools.partial(_Connection, arrivals),  # type: ignore[arg-type]
        ws="none",
        limit_concurrency=HttpConnection.most,
        backlog=_ACCEPTED,
        timeout_graceful_shutdown=_GOODBYE,
        timeout_keep_alive=int(_IDLE),
    )
    try:
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(arrivals)) as runner:
            runner.run(_Server(config, answers).serve(sockets=[listening]))
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    ended = answers.ended(time.monotonic() + _LAST)
    log.close()
    if answers.pool.refusal:
        raise SpecError(answers.pool.refusal)
    return ended
