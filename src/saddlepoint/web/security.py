"""Who may talk to the server: its own page in the browser of somebody who has its address.

Another page in the same browser is kept out by its Origin, and by the Host where a foreign name was made to lead here (DNS
rebinding). Where other machines can reach the server, a token is needed as well.
"""

import hmac
import ipaddress
import socket
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_POLICY_VIOLATION = 1008


@dataclass(frozen=True)
class Access:
    """Where the server listens, and the token that is needed; without one it is not."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None

    @property
    def cookie(self) -> str:
        """The cookie's name; another server on another port of this machine has another."""
        return f"saddlepoint_{self.port}"

    def knows_host(self, header: str) -> bool:
        """Whether a Host header names this server: no name that somebody else chose."""
        name = host_name(header)
        if name is None:
            return False
        if name == "localhost" or name == self.host.lower():
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return not is_loopback(self.host) and name in (socket.gethostname().lower(), socket.getfqdn().lower())
        return address.is_loopback or not is_loopback(self.host)  # an address is no name that can be made to lead elsewhere

    def is_own_origin(self, origin: str | None, host: str) -> bool:
        """Whether a request comes from this server's own page, or from no page at all."""
        if origin is None:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()

    def knows_token(self, headers: Headers) -> bool:
        """Whether the token comes with the request's cookies; always where none is needed."""
        if self.token is None:
            return True
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(headers.get("cookie", ""))
        except CookieError:
            return False
        given = cookies.get(self.cookie)
        return given is not None and self.is_token(given.value)

    def is_token(self, text: str) -> bool:
        """Whether a text is the token."""
        return self.token is not None and hmac.compare_digest(text.encode(), self.token.encode())


def host_name(header: str) -> str | None:
    """The name or address in a Host header, without its port; None for what is none."""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
    except ValueError:
        return None
    if not header or parts.path or parts.query or parts.fragment or "@" in parts.netloc:
        return None
    return parts.hostname


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """Refuses what does not come from the server's own page, and adds the headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": "refused"})
        else:
            await refusal(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers, access = Headers(scope=scope), self._access
        is_page = scope["type"] == "http" and scope["path"] == "/" and scope["method"] in ("GET", "HEAD")
        brings_token = is_page and access.is_token(_token_of(scope))
        if not access.knows_token(headers) and not brings_token:  # before anything else
            return _refused("this server needs its token; open the address that it printed")
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not access.knows_host(host):
            return _refused("this name does not belong to the server; use the address that it printed")
        if not access.is_own_origin(headers.get("origin"), host):
            return _refused("only the server's own page may do that")
        if not is_page and headers.get("sec-fetch-site") == "cross-site":
            return _refused("only the server's own page may do that")
        if not brings_token:
            return None
        response = RedirectResponse("/", 303)
        response.set_cookie(access.cookie, _token_of(scope), httponly=True, samesite="strict", path="/")
        return response


def _token_of(scope: Scope) -> str:
    """The token in a request's address; empty where it has none."""
    return parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]


def _refused(sentence: str) -> Response:
    return JSONResponse({"error": sentence}, 403)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: Any = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
