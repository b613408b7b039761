"""The server of the page: its routes and files, its port, its end."""

import mimetypes
import secrets
import socket
import webbrowser
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import psutil
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from starlette.websockets import WebSocket

from ..arena.ledger import ORDERS, Filter, LedgerError
from ..system.sockets import HttpConnection, listen
from ..system.text import error_line
from . import limits, messages
from .analysis import analysis_endpoint
from .friends import Friends
from .friends.store import Store, usual_file
from .limits import Refused, Served, StillCompiling, read_body, read_json
from .security import Access, Guard, Origin, is_loopback
from .service import Service

_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
for _ending, _kind in _TYPES.items():
    mimetypes.add_type(_kind, _ending)  # what a machine has for them may be something else
_PACKAGE = Path(__file__).parents[1]
FOLDERS = {
    "static": _PACKAGE / "web" / "static",
    "viewer": _PACKAGE / "play" / "viewer",
    "report": _PACKAGE / "arena" / "report",
}


class _Files(StaticFiles):
    """The files of a folder of those kinds, which the browser asks for again only to learn that they are the same."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if Path(path).suffix not in _TYPES:
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


# The routes.

T = TypeVar("T")

_LONG_FILE = f"a file dropped on the page has {limits.UPLOAD // 1_000_000} MB at most: `saddlepoint serve FILE` shows a longer one"
_WATCHED = 16
"""Games that a client may ask about at a time, whether they are finished."""


def make_app(service: Service, access: Access, store: Store | None = None) -> Starlette:
    """The application; its service is closed with it. Without a store nobody can play a friend."""
    friends = None if store is None else Friends(service, store, entrance_of(access))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            if friends is not None:
                friends.close()
            service.close()

    def posted(
        path: str,
        kind: type[T],
        act: Callable[[T], Any],
        run: Callable[..., Awaitable[Any]] = service.ready,
        made: Callable[[Any], Response] = JSONResponse,
    ) -> Route:
        async def answer(request: Request) -> Response:
            return made(await run(act, messages.read(await read_json(request), kind)))

        return Route(path, answer, methods=["POST"])

    def got(path: str, act: Callable[[Request], dict[str, Any] | None]) -> Route:
        """The route of a question; None, where nothing is new since the stamp in the address, is 304 without a body."""

        async def answer(request: Request) -> Response:
            found = await service.ready(act, request)
            return Response(status_code=304) if found is None else JSONResponse(found)

        return Route(path, answer)

    folders = {folder: _Files(directory=home) for folder, home in FOLDERS.items()}

    async def page(request: Request) -> Response:
        return await folders["static"].get_response("index.html", request.scope)

    async def dropped(request: Request) -> Response:
        number, text = _number(request, "number", 1, 1), await read_body(request, limits.UPLOAD, _LONG_FILE)
        return JSONResponse(await service.ready(service.dropped, text, number))

    def opening(path: str, kind: type[T], act: Callable[[Friends, T], Awaitable[dict[str, Any]]]) -> Route:
        """The route that opens a table or a room."""

        async def answer(request: Request) -> Response:
            asked = messages.read(await read_json(request), kind)
            if friends is None:
                raise Refused("this server keeps no games between people", 404)
            friends.opening.take(access.sender(request))
            return JSONResponse(await act(friends, asked))

        return Route(path, answer, methods=["POST"])

    async def table(socket: WebSocket) -> None:
        await (socket.close() if friends is None else friends.serve(socket, access.sender(socket)))

    routes: list[BaseRoute] = [
        Route("/", page),
        *(Mount(f"/{folder}", app=served) for folder, served in folders.items()),
        got("/api/catalogue", lambda request: service.catalogue()),
        posted("/api/new", messages.NewGame, service.new),
        posted("/api/middle", messages.MiddleGame, service.middle),
        posted("/api/from-text", messages.PositionText, service.from_text),
        posted("/api/positions", messages.Positions, service.positions_of),
        posted("/api/branches", messages.Branches, service.branches),
        posted("/api/chance", messages.Reference, service.chance),
        posted("/api/answer", messages.AskedAnswer, service.answer, run=service.search),
        posted(
            "/api/line", messages.PlayedGame, service.line, made=_saved("application/jsonl", "game.jsonl")
        ),
        posted("/api/export", messages.PlayedGame, service.export, made=_saved("text/html", "game.html")),
        Route("/api/replay", dropped, methods=["POST"]),
        got("/api/fits/{id}", lambda request: service.fit(_id(request), _since(request))),
        got(
            "/api/replays/{id}",
            lambda request: service.replay(_id(request), _number(request, "number", 1, 1)),
        ),
        got("/api/ledgers/{id}", lambda request: service.ledger(_id(request)).summary(_since(request))),
        got("/api/ledgers/{id}/games", partial(_ledger_games, service)),
        got(
            "/api/ledgers/{id}/running",
            lambda request: service.ledger(_id(request)).running(
                _since(request), _watched(request), service.is_compiled
            ),
        ),
        got("/api/ledgers/{id}/games/{number}", partial(_ledger_game, service)),
        opening("/api/tables", messages.NewTable, Friends.new_table),
        opening("/api/rooms", messages.NewRoom, Friends.new_room),
        WebSocketRoute("/ws/analysis", partial(analysis_endpoint, service=service)),
        WebSocketRoute("/ws/table", table),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, access=access)],
        exception_handlers=dict.fromkeys(
            (Refused, StillCompiling, LedgerError, HTTPException, Exception), _refused
        ),
    )
    app.router.redirect_slashes = (
        False  # it would lead to an address made of the Host, which is not the outer one behind a proxy
    )
    return app


def _saved(kind: str, name: str) -> Callable[[str], Response]:
    """Makes the response of something to save, which is never shown as a page of this server."""
    return partial(
        Response, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'}
    )


def _number(request: Request, name: str, default: int, low: int) -> int:
    text = request.query_params.get(name, str(default))
    if not _is_number(text) or int(text) < low:
        raise Refused(f"{name} must be a whole number from {low} on")
    return int(text)


def _id(request: Request) -> str:
    return request.path_params["id"]


def _since(request: Request) -> str | None:
    return request.query_params.get("since")


def _ledger_games(service: Service, request: Request) -> dict[str, Any]:
    asked = request.query_params
    player, lost_by, won_by = (asked.get(name) or None for name in ("player", "lost_by", "won_by"))
    which = Filter(
        player=player,
        lost_by=lost_by,
        won_by=won_by,
        drawn=True if asked.get("drawn") else None,
        cause="fault" if asked.get("fault") else None,
    )
    order = asked.get("order") or "latest"
    if order not in ORDERS:
        raise Refused(f"'order' must be {', '.join(ORDERS)}, not {order[:40]!r}")
    return service.ledger(_id(request)).games(which, _number(request, "offset", 0, 0), order)


def _ledger_game(service: Service, request: Request) -> dict[str, Any]:
    number = request.path_params["number"]
    if not _is_number(number):
        raise Refused("there is no such game", 404)
    return service.ledger_game(_id(request), int(number))


def _watched(request: Request) -> list[tuple[int, int]]:
    """The games `watched` of an address, TOURNAMENT.NUMBER,...; a few."""
    text = request.query_params.get("watched", "")
    found = [one.split(".") for one in text.split(",") if one]
    if len(found) > _WATCHED or not all(len(one) == 2 and all(map(_is_number, one)) for one in found):
        raise Refused(f"watched must be games as TOURNAMENT.NUMBER, {_WATCHED} at most, with commas between")
    return [(int(tournament), int(number)) for tournament, number in found]


def _is_number(text: str) -> bool:
    """Whether a text is a whole number that fits everywhere."""
    return text.isascii() and text.isdigit() and len(text) <= 9


async def _refused(request: Request, error: Exception) -> Response:
    """The response to an error.

    After a mistake of the server the next request is answered, and the trace is logged.
    """
    if isinstance(error, StillCompiling):
        return JSONResponse({"compiling": error.what, "seconds": error.seconds, "ahead": error.ahead}, 202)
    if isinstance(error, Refused):
        return JSONResponse({"error": error.sentence}, error.status)
    if isinstance(error, LedgerError):
        return JSONResponse({"error": error_line(error)}, 404 if " has no game" in str(error) else 422)
    return (
        JSONResponse({"error": str(error.detail)}, error.status_code)
        if isinstance(error, HTTPException)
        else JSONResponse(
            {"error": "the server failed at this; what it says where it was started tells more"}, 500
        )
    )


# The server as a process: its port, its end.

_GOODBYE = 1


def serve(
    given: Served,
    host: str,
    port: int | None,
    open_browser: bool,
    tell: Callable[[str], None],
    origins: Sequence[Origin] = (),
) -> None:
    """Serve until Ctrl-C, which raises KeyboardInterrupt; `tell` prints the addresses, in lines."""
    with closing(Service(given)) as service, closing(listen(host, port)) as listening:
        bound = int(listening.getsockname()[1])
        access = Access(host, bound, None if is_loopback(host) else secrets.token_urlsafe(24), tuple(origins))
        addresses = page_addresses(access, given.view)

        app = make_app(service, access, _store(given, bound, tell))

        class Connection(HttpConnection):
            most = HttpConnection.most + 2 * given.people

        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="on",
            http=Connection,
            limit_concurrency=Connection.most,
            timeout_graceful_shutdown=_GOODBYE,
            timeout_keep_alive=75,
            ws_max_size=limits.MESSAGE,
            ws_max_queue=4,
            ws_per_message_deflate=False,
        )
        server = _Server(
            config,
            service,
            lambda: (tell("\n".join(addresses)), open_browser and webbrowser.open(addresses[0])),
        )
        server.run(sockets=[listening])


def _store(given: Served, port: int, tell: Callable[[str], None]) -> Store | None:
    """The file of the games between people; where nobody named one and the usual one cannot be written, the page does without."""
    try:
        return Store(given.kept or usual_file(port), most=given.rooms, hours=given.hours)
    except ValueError as error:
        if given.kept is not None:
            raise
        tell(f"Nobody can play a friend here: {error}; --kept names another file")
        return None


class _Server(uvicorn.Server):
    """Ends searches and compilations as soon as it is to end."""

    def __init__(self, config: uvicorn.Config, service: Service, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._service, self._ready = service, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.close()
        await super().shutdown(sockets)


def entrance_of(access: Access) -> dict[str, str | None]:
    """What a link for another machine needs: `query` behind the page's address, and that address, `outside`, where it is known."""
    outside = None
    if not access.origins and not is_loopback(access.host):
        own = [
            one.address
            for found in psutil.net_if_addrs().values()
            for one in found
            if one.family == socket.AF_INET
        ]
        outside = next((f"http://{one}:{access.port}/" for one in own if not is_loopback(one)), None)
    return {"query": "" if access.token is None else f"?token={access.token}", "outside": outside}


def page_addresses(access: Access, view: str = "") -> list[str]:
    """The addresses of the page at a view, with the token where one is needed; behind a proxy also the server's own."""
    host = access.host
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    token = "" if access.token is None else f"?token={access.token}"
    here = f"http://{shown}:{access.port}/"
    outside = [f"{one.origin}{one.folder}/{token}{view}" for one in access.origins]
    return [*outside, f"The proxy reaches the server at {here}"] if outside else [f"{here}{token}{view}"]
