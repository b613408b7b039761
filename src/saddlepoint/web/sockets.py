"""WebSockets: so many at the same time."""

from collections.abc import Awaitable, Callable

from starlette.websockets import WebSocket

from . import limits

_TRY_LATER = 1013


def limited(endpoint: Callable[[WebSocket], Awaitable[None]], most: int = limits.SOCKETS) -> Callable[[WebSocket], Awaitable[None]]:
    """The endpoint for so many sockets; further ones are told to come back later."""
    under_way = 0

    async def serve(socket: WebSocket) -> None:
        nonlocal under_way
        if under_way >= most:
            await socket.close(_TRY_LATER, "the server has too many connections")
            return
        under_way += 1
        try:
            await endpoint(socket)
        finally:
            under_way -= 1

    return serve
