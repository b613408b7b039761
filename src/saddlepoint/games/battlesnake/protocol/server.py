"""Our snake as a server: Battlesnake's API version 1, for any player of ours."""

import asyncio
import functools
import logging
import re
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ....http_connection import HttpConnection
from ....json_fields import json_object
from ....listening import listen
from ....play.timely import SWITCH_INTERVAL, LoadMaker
from ....spec import SpecError
from .admission import Admission, Arrivals
from .answers import Answers
from .log import Log

_LARGEST_BODY = 1 << 19  # bytes: eight snakes that fill a board of 25x25 need a third of it
_BODY_SECONDS = 5.0
_ACCEPTED = 4
"""Connections that are accepted in one round of the event loop; the others wait in the system."""
_IDLE = 75.0  # seconds that a connection may say nothing
_GOODBYE = 1
_OPENING = 0.1
"""Seconds: a request that comes so soon after its connection was opened for that, and its time runs from there."""
_TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
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
                raise ValueError(f"--{name} takes at most {_LONGEST_NAME} characters that can be printed, not {text[:80]!r}")

    def info(self, version: str) -> dict[str, str]:
        """What `GET /` answers."""
        return {
            "apiversion": "1", "author": self.author, "color": self.colour.lower(), "head": self.head, "tail": self.tail,
            "version": version,
        }  # fmt: skip


class _RefusedError(Exception):
    """A request without an answer: its status, and why in one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def make_app(answers: Answers, info: dict[str, str], admission: Admission) -> Starlette:
    """The snake as an ASGI application, under whatever path it is reached."""

    async def told(request: Request) -> Response:
        return JSONResponse(info)

    async def start(request: Request) -> Response:
        answers.start(await _data(request))
        return JSONResponse({})

    async def move(request: Request) -> Response:
        asked = getattr(request.state, "came", time.monotonic())
        data = await _data(request)
        response = JSONResponse({"move": await answers.move(data, asked)})
        if answers.is_under_way(data):
            admission.know(request.scope["client"])
        response.background = _Sent(answers, data, asked)  # type: ignore[assignment]
        return response

    async def end(request: Request) -> Response:
        answers.end(await _data(request))
        return JSONResponse({})

    async def unknown(request: Request) -> Response:
        return _refusal(404, "a snake is asked by GET / and by POST /start, /move and /end")

    routes: list[Route] = []
    for name, endpoint in (("start", start), ("move", move), ("end", end)):
        for path in (f"/{name}", f"/{{base:path}}/{name}"):
            routes.append(Route(path, _answering(endpoint), methods=["POST"]))
    routes.append(Route("/{base:path}", told, methods=["GET"]))
    routes.append(Route("/{base:path}", unknown, methods=["POST", "PUT", "PATCH", "DELETE"]))
    return Starlette(routes=routes)


class _Sent:
    """Called when the answer is on its way."""

    def __init__(self, answers: Answers, data: dict[str, Any], asked: float) -> None:
        self._answers, self._data, self._asked = answers, data, asked

    async def __call__(self) -> None:
        self._answers.sent(self._data, self._asked)


def _answering(endpoint: Callable[[Request], Any]) -> Callable[[Request], Any]:
    """The endpoint with its refusals as answers."""

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


class _Connection(HttpConnection):
    """A connection whose requests wait until they are let in."""

    def __init__(self, admission: Admission, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._admission = admission
        self._made: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._made = self._admission.now

    def connection_lost(self, exc: Exception | None) -> None:
        self._admission.forget(self.client, self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._admission.receive(self.client, self, data)

    def take(self, data: bytes, since: float) -> None:
        """Work on what has come since then."""
        if self.is_waiting:
            if self._made is not None and since - self._made < _OPENING:
                since = self._made
            self.app_state = {"came": since}
        self._made = None
        super().data_received(data)

    def refuse(self) -> None:
        """There was no time for it."""
        self.transport.write(_TOO_MANY)
        self.transport.close()

    @property
    def is_closing(self) -> bool:
        """Whether nobody is there any more."""
        return self.transport.is_closing()


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
    player: str, load: LoadMaker, host: str, port: int | None, looks: Looks, version: str, compiles_apart: bool = False
) -> bool:
    """Serve until Ctrl-C; True if all threads have ended as well.

    Without a port it is 8000, or the next one that is free. `version` tells this player from another one; with `compiles_apart` it is
    compiled in processes of its own. Raises OSError or ValueError where it cannot listen, SpecError where there is no such player:
    once that is known, and no game is under way.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # a malformed request is no news
    listening = listen(host, port)
    log = Log()
    address = listening.getsockname()
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    log.tell(f"listening on http://{shown}:{address[1]}; Ctrl-C ends it")
    answers = Answers(player, load, log, compiles_apart)
    arrivals = Arrivals()
    admission = Admission(arrivals)
    connection: Any = functools.partial(_Connection, admission)
    config = uvicorn.Config(
        make_app(answers, looks.info(version), admission), log_config=None, access_log=False, server_header=False, proxy_headers=False,
        lifespan="off", http=connection, ws="none", limit_concurrency=HttpConnection.most, backlog=_ACCEPTED,
        timeout_graceful_shutdown=_GOODBYE, timeout_keep_alive=int(_IDLE),
    )  # fmt: skip
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
