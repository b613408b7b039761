"""The routes."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from . import limits
from .assets import asset
from .bodies import BodyFields, read_body, read_json
from .errors import Refused, StillCompiling
from .security import Access, Guard
from .sockets import limited
from .starting import Starting

if TYPE_CHECKING:  # it is loaded while the page is opened
    from .service import Service

T = TypeVar("T")

_PATIENCE = 120.0
"""Seconds that a request waits for a game's rules to be compiled."""
_LOOK = 0.2
_LONG_FILE = f"a file dropped on the page has {limits.UPLOAD // 1_000_000} MB at most: `saddlepoint serve FILE` shows a longer one"
_WATCHED = 16
"""Games that a client may ask about at a time, whether they are finished."""


def make_app(starting: Starting, access: Access) -> Starlette:
    """The application; its service is closed with it."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        starting.begin()
        try:
            yield
        finally:
            starting.close()
            if hasattr(app.state, "analyses"):
                app.state.analyses.close()

    async def ready(act: "Callable[[Service], T]") -> T:
        """What the service says once the rules that it needs are compiled."""
        service = await starting.service()
        until = anyio.current_time() + _PATIENCE
        while True:
            try:
                return await service.call(act)
            except StillCompiling:
                if anyio.current_time() > until:
                    raise
                await anyio.sleep(_LOOK)

    def posted(path: str, act: "Callable[[Service, BodyFields], dict[str, Any]]") -> Route:
        async def answer(request: Request) -> Response:
            data = await read_json(request)
            return JSONResponse(await ready(lambda service: act(service, data)))

        return Route(path, answer, methods=["POST"])

    async def think(request: Request) -> Response:
        data = await read_json(request)
        service = await starting.service()
        return JSONResponse(await service.search(lambda service: service.answer(data)))

    async def analysis(socket: WebSocket) -> None:
        app.state.service = await starting.service()
        from .analysis import analysis_endpoint

        await analysis_endpoint(socket)

    async def page(request: Request) -> Response:
        return asset("static", "index.html", request)

    async def static(request: Request) -> Response:
        return asset("static", request.path_params["name"], request)

    async def viewer(request: Request) -> Response:
        return asset("viewer", request.path_params["name"], request)

    async def report(request: Request) -> Response:
        return asset("report", request.path_params["name"], request)

    async def catalogue(request: Request) -> Response:
        return JSONResponse(await ready(lambda service: service.catalogue()))

    async def line(request: Request) -> Response:
        data = await read_json(request)
        return _file(await ready(lambda service: service.line(data)), "application/jsonl", "game.jsonl")

    async def export(request: Request) -> Response:
        data = await read_json(request)
        return _file(await ready(lambda service: service.export(data)), "text/html", "game.html")

    async def replay(request: Request) -> Response:
        name, number = request.path_params["id"], _number(request, "number", 1, 1)
        return JSONResponse(await ready(lambda service: service.replay(name, number)))

    async def dropped(request: Request) -> Response:
        number, text = _number(request, "number", 1, 1), await read_body(request, limits.UPLOAD, _LONG_FILE)
        return JSONResponse(await ready(lambda service: service.dropped(text, number)))

    async def ledger(request: Request) -> Response:
        name, since = request.path_params["id"], request.query_params.get("since")
        found = await ready(lambda service: service.ledger(name, since))
        return Response(status_code=304) if found is None else JSONResponse(found)

    async def fit(request: Request) -> Response:
        name, since = request.path_params["id"], request.query_params.get("since")
        found = await ready(lambda service: service.fit(name, since))
        return Response(status_code=304) if found is None else JSONResponse(found)

    async def ledger_running(request: Request) -> Response:
        name, since = request.path_params["id"], request.query_params.get("since")
        watched = _watched(request.query_params.get("watched", ""))
        found = await ready(lambda service: service.ledger_running(name, since, watched))
        return Response(status_code=304) if found is None else JSONResponse(found)

    async def ledger_games(request: Request) -> Response:
        name, asked, offset = request.path_params["id"], request.query_params, _number(request, "offset", 0, 0)
        player, lost_by = asked.get("player") or None, asked.get("lost_by") or None
        return JSONResponse(await ready(lambda service: service.ledger_games(name, player, lost_by, offset)))

    async def ledger_game(request: Request) -> Response:
        name, number = request.path_params["id"], request.path_params["number"]
        if not _is_number(number):
            raise Refused("there is no such game", 404)
        return JSONResponse(await ready(lambda service: service.ledger_game(name, int(number))))

    routes: list[BaseRoute] = [
        Route("/", page), Route("/static/{name:path}", static), Route("/viewer/{name:path}", viewer),
        Route("/report/{name:path}", report),
        Route("/api/catalogue", catalogue),
        posted("/api/new", lambda service, data: service.new(data)),
        posted("/api/middle", lambda service, data: service.middle(data)),
        posted("/api/from-text", lambda service, data: service.from_text(data)),
        posted("/api/positions", lambda service, data: service.positions_of(data)),
        posted("/api/branches", lambda service, data: service.branches(data)),
        posted("/api/chance", lambda service, data: service.chance(data)),
        Route("/api/answer", think, methods=["POST"]), Route("/api/line", line, methods=["POST"]),
        Route("/api/export", export, methods=["POST"]), Route("/api/replay", dropped, methods=["POST"]),
        Route("/api/fits/{id}", fit),
        Route("/api/replays/{id}", replay), Route("/api/ledgers/{id}", ledger), Route("/api/ledgers/{id}/games", ledger_games),
        Route("/api/ledgers/{id}/running", ledger_running),
        Route("/api/ledgers/{id}/games/{number}", ledger_game), WebSocketRoute("/ws/analysis", limited(analysis)),
    ]  # fmt: skip
    app = Starlette(
        routes=routes, lifespan=lifespan, middleware=[Middleware(Guard, access=access)],
        exception_handlers={
            Refused: _refused, StillCompiling: _compiling, HTTPException: _http_error, Exception: _failed,
        },
    )  # fmt: skip
    app.router.redirect_slashes = False  # it would lead to an address made of the Host, which is not the outer one behind a proxy
    app.state.access = access
    return app


def _number(request: Request, name: str, default: int, low: int) -> int:
    """A whole number of the address."""
    text = request.query_params.get(name, str(default))
    if not _is_number(text) or int(text) < low:
        raise Refused(f"{name} must be a whole number from {low} on")
    return int(text)


def _watched(text: str) -> list[tuple[int, int]]:
    """Games as an address names them, TOURNAMENT.NUMBER,...; a few."""
    found = [one.split(".") for one in text.split(",") if one]
    if len(found) > _WATCHED or not all(len(one) == 2 and all(map(_is_number, one)) for one in found):
        raise Refused(f"watched must be games as TOURNAMENT.NUMBER, {_WATCHED} at most, with commas between")
    return [(int(tournament), int(number)) for tournament, number in found]


def _is_number(text: str) -> bool:
    """Whether a text is a whole number that fits everywhere."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def _file(text: str, kind: str, name: str) -> Response:
    """Something to save: never shown as a page of this server."""
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return JSONResponse({"error": error.sentence}, error.status)


async def _compiling(request: Request, error: Exception) -> Response:
    assert isinstance(error, StillCompiling)
    return JSONResponse({"compiling": error.what, "seconds": error.seconds, "ahead": error.ahead}, 202)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail)}, error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    """A mistake here: the next request is answered all the same, and who started the server reads the trace."""
    return JSONResponse({"error": "the server failed at this; what it says where it was started tells more"}, 500)

