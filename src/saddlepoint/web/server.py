"""The server as a process: its port, its end."""

import secrets
import socket
import webbrowser
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import uvicorn

from ..system.sockets import HttpConnection, listen
from . import limits
from .app import Starting, make_app
from .limits import Served
from .security import Access, Origin, is_loopback

if TYPE_CHECKING:
    from .service import Service

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
    listening = listen(host, port)
    bound = int(listening.getsockname()[1])
    access = Access(host, bound, None if is_loopback(host) else secrets.token_urlsafe(24), tuple(origins))
    addresses = page_addresses(access)

    def load() -> "Service":
        from .service import Service

        import_module(f"{__package__}.analysis")  # its first client would wait for it
        return Service(given)

    starting = Starting(load)
    app = make_app(starting, access)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        http=HttpConnection,
        limit_concurrency=HttpConnection.most,
        timeout_graceful_shutdown=_GOODBYE,
        timeout_keep_alive=75,
        ws_max_size=limits.MESSAGE,
        ws_max_queue=4,
        ws_per_message_deflate=False,
    )
    server = _Server(
        config, starting, lambda: (tell("\n".join(addresses)), open_browser and webbrowser.open(addresses[0]))
    )
    try:
        server.run(sockets=[listening])
    finally:
        starting.close()
        listening.close()


class _Server(uvicorn.Server):
    """Ends searches and compilations as soon as it is to end."""

    def __init__(self, config: uvicorn.Config, starting: Starting, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._starting, self._ready = starting, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._starting.close()
        await super().shutdown(sockets)


def page_addresses(access: Access) -> list[str]:
    """Where the page is, with the token where one is needed; behind a proxy also where the proxy finds the server."""
    host = access.host
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    token = "" if access.token is None else f"?token={access.token}"
    here = f"http://{shown}:{access.port}/"
    outside = [f"{one.origin}{one.folder}/{token}" for one in access.origins]
    return [*outside, f"The proxy reaches the server at {here}"] if outside else [f"{here}{token}"]
