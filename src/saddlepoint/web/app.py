"""The routes."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ..compiled import KernelError
from .assets import asset
from .bodies import Fields, read_json
from .errors import Refused, first_line
from .security import Access, Guard
from .service import Service, StillCompiling
from .threads import Threads

Handler = Callable[[Request], Awaitable[Response]]


def make_app(service: Service, access: Access) -> Starlette:
    """The application; `service` is closed with it."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            service.close()

    def posted(path: str, act: Callable[[Fields], dict[str, Any]], threads: Threads = service.calls) -> Route:
        async def answer(request: Request) -> Response:
            data = await read_json(request)
            return JSONResponse(await threads.run(act, data))

        return Route(path, answer, methods=["POST"])

    async def page(request: Request) -> Response:
        return asset("static", "index.html", request)

    async def static(request: Request) -> Response:
        return asset("static", request.path_params["name"], request)

    async def viewer(request: Request) -> Response:
        return asset("viewer", request.path_params["name"], request)

    async def catalogue(request: Request) -> Response:
        return JSONResponse(await service.calls.run(service.catalogue))

    routes: list[BaseRoute] = [
        Route("/", page), Route("/static/{name:path}", static), Route("/viewer/{name:path}", viewer),
        Route("/api/catalogue", catalogue), posted("/api/new", service.new), posted("/api/from-text", service.from_text),
        posted("/api/positions", service.positions_of), posted("/api/chance", service.chance),
        posted("/api/answer", service.answer, service.searches),
    ]  # fmt: skip
    app = Starlette(
        routes=routes, lifespan=lifespan, middleware=[Middleware(Guard, access=access)],
        exception_handlers={
            Refused: _refused, StillCompiling: _compiling, HTTPException: _http_error, KernelError: _failed, Exception: _failed,
        },
    )  # fmt: skip
    app.state.service, app.state.access = service, access
    return app


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
    """A rule of somebody's own game that failed, or a mistake here: the next request is answered all the same."""
    return JSONResponse({"error": f"this failed: {first_line(error)}"}, 500)
