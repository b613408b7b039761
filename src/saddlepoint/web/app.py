"""The routes."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, ParamSpec, TypeVar

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from ..arena.ledger import Filter
from ..compiled import KernelError
from . import limits
from .analysis import analysis_endpoint
from .assets import asset
from .bodies import Fields, read_body, read_json
from .errors import Refused, first_line
from .security import Access, Guard
from .service import Service, StillCompiling
from .sockets import limited

P = ParamSpec("P")
T = TypeVar("T")

_PATIENCE = 120.0
"""Seconds that a request waits for a game's rules to be compiled."""
_LOOK = 0.2


def make_app(service: Service, access: Access) -> Starlette:
    """The application; `service` is closed with it."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            service.close()

    async def ready(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What `work` gives once the rules that it needs are compiled."""
        until = anyio.current_time() + _PATIENCE
        while True:
            try:
                return await service.calls.run(work, *arguments, **named)
            except StillCompiling:
                if anyio.current_time() > until:
                    raise
                await anyio.sleep(_LOOK)

    def posted(path: str, act: Callable[[Fields], dict[str, Any]]) -> Route:
        async def answer(request: Request) -> Response:
            return JSONResponse(await ready(act, await read_json(request)))

        return Route(path, answer, methods=["POST"])

    async def think(request: Request) -> Response:
        return JSONResponse(await service.searches.run(service.answer, await read_json(request)))

    async def page(request: Request) -> Response:
        return asset("static", "index.html", request)

    async def static(request: Request) -> Response:
        return asset("static", request.path_params["name"], request)

    async def viewer(request: Request) -> Response:
        return asset("viewer", request.path_params["name"], request)

    async def report(request: Request) -> Response:
        return asset("report", request.path_params["name"], request)

    async def catalogue(request: Request) -> Response:
        return JSONResponse(await service.calls.run(service.catalogue))

    async def line(request: Request) -> Response:
        text = await ready(service.line, await read_json(request))
        return _file(text, "application/jsonl", "game.jsonl")

    async def export(request: Request) -> Response:
        text = await ready(service.export, await read_json(request))
        return _file(text, "text/html", "game.html")

    async def replay(request: Request) -> Response:
        return JSONResponse(await ready(service.replay, request.path_params["id"], _number(request, "number", 1, 1)))

    async def dropped(request: Request) -> Response:
        text = await read_body(request, limits.UPLOAD)
        return JSONResponse(await ready(service.dropped, text, _number(request, "number", 1, 1)))

    async def ledger(request: Request) -> Response:
        found = await service.calls.run(service.ledger, request.path_params["id"], request.query_params.get("since"))
        return Response(status_code=304) if found is None else JSONResponse(found)

    async def ledger_games(request: Request) -> Response:
        asked = request.query_params
        which = Filter(player=asked.get("player") or None, lost_by=asked.get("lost_by") or None)
        offset = _number(request, "offset", 0, 0)
        return JSONResponse(await service.calls.run(service.ledger_games, request.path_params["id"], which, offset))

    async def ledger_game(request: Request) -> Response:
        number = request.path_params["number"]
        if not _is_number(number):
            raise Refused("there is no such game", 404)
        return JSONResponse(await ready(service.ledger_game, request.path_params["id"], int(number)))

    routes: list[BaseRoute] = [
        Route("/", page), Route("/static/{name:path}", static), Route("/viewer/{name:path}", viewer),
        Route("/report/{name:path}", report),
        Route("/api/catalogue", catalogue), posted("/api/new", service.new), posted("/api/from-text", service.from_text),
        posted("/api/positions", service.positions_of), posted("/api/chance", service.chance),
        Route("/api/answer", think, methods=["POST"]), Route("/api/line", line, methods=["POST"]),
        Route("/api/export", export, methods=["POST"]), Route("/api/replay", dropped, methods=["POST"]),
        Route("/api/replays/{id}", replay), Route("/api/ledgers/{id}", ledger), Route("/api/ledgers/{id}/games", ledger_games),
        Route("/api/ledgers/{id}/games/{number}", ledger_game), WebSocketRoute("/ws/analysis", limited(analysis_endpoint)),
    ]  # fmt: skip
    app = Starlette(
        routes=routes, lifespan=lifespan, middleware=[Middleware(Guard, access=access)],
        exception_handlers={
            Refused: _refused, StillCompiling: _compiling, HTTPException: _http_error, KernelError: _rules_failed, Exception: _failed,
        },
    )  # fmt: skip
    app.state.service, app.state.access = service, access
    return app


def _number(request: Request, name: str, default: int, low: int) -> int:
    """A whole number of the address."""
    text = request.query_params.get(name, str(default))
    if not _is_number(text) or int(text) < low:
        raise Refused(f"{name} must be a whole number from {low} on")
    return int(text)


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
    return JSONResponse({"compiling": error.compiling.what, "left": error.compiling.left}, 202)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail)}, error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    """A mistake here: the next request is answered all the same, and who started the server reads the trace."""
    return JSONResponse({"error": "the server failed at this; what it says where it was started tells more"}, 500)


async def _rules_failed(request: Request, error: Exception) -> Response:
    """A rule of somebody's own game that failed."""
    return JSONResponse({"error": first_line(error)}, 422)
