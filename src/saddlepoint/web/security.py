"""Access to the server: only its own page, in the browser of somebody with its address.

Another page in the same browser is kept out by its Origin, and by the Host where a foreign name was made to lead here (DNS
rebinding). Where other machines can reach the server, a token is needed as well. Behind a proxy the address is the proxy's, which
the command line names (`--origin`): anybody can write a request's own claims (X-Forwarded-Host and the like).
"""

import hmac
import ipaddress
import re
import socket
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",  # what says nothing else of itself: a proxy may keep it and give it to others
}
_POLICY_VIOLATION = 1008
_OTHER_NAME = (
    "this name does not belong to the server; "
    "use the address that it printed, or name the address of a proxy before it with --origin"
)
_OTHER_PROXY = (
    "this name does not belong to the server; "
    "use an address of --origin, and let the proxy pass on the Host of the request"
)
_NAME = re.compile(r"[\w.:-]+", re.ASCII)
_FOLDER = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[\w.~-]+)*", re.ASCII)
OWN_FOLDERS = ("api", "report", "static", "viewer", "ws")
"""First folders of the server's own paths."""


@dataclass(frozen=True)
class Origin:
    """An address at which a proxy answers for this server."""

    scheme: str
    netloc: str
    """The name, and the port where it is not the scheme's."""
    folder: str = ""
    """The path below which the page lies there, for example /games."""

    @property
    def origin(self) -> str:
        """The origin as browsers send it."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def name(self) -> str | None:
        return host_name(self.netloc)

    def below(self, path: str) -> str:
        """A request's path below the folder, empty for the folder itself; proxies take the folder away, or leave it."""
        return path[len(self.folder) :] if f"{path}/".startswith(f"{self.folder}/") else path


def read_origin(text: str) -> Origin:
    """The address that a text names; raises ValueError in one sentence."""
    try:
        parts = urlsplit(text)
        port, name = parts.port, (parts.hostname or "").encode("idna").decode()
    except ValueError:
        raise ValueError(f"--origin {text!r} is no address; write it as https://games.example.org") from None
    folder = parts.path.rstrip("/")
    if (
        parts.scheme not in ("http", "https")
        or not _NAME.fullmatch(name)
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
    ):
        raise ValueError(
            f"--origin {text!r} is no address; write it as https://games.example.org, with a path if the page lies below one"
        )
    if not _FOLDER.fullmatch(folder):
        raise ValueError(
            f"--origin {text!r}: a path has letters, digits, '-', '.', '_' and '~' between its slashes"
        )
    if folder.partition("/")[2].partition("/")[0] in OWN_FOLDERS:
        raise ValueError(
            f"--origin {text!r}: the server has a folder {folder} of its own; let the page lie below another path"
        )
    shown = f"[{name}]" if ":" in name else name
    standard = port in (None, 443 if parts.scheme == "https" else 80)
    return Origin(parts.scheme, shown if standard else f"{shown}:{port}", folder)


@dataclass(frozen=True)
class Access:
    """The address of the server, and the token that requests need; None: they need none."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    origins: tuple[Origin, ...] = ()
    """Where a proxy answers for this server; then it has no other address."""

    @property
    def cookie(self) -> str:
        """The cookie's name; another server on another port of this machine has another."""
        return f"saddlepoint_{self.port}"

    def addresses(self, host: str) -> tuple[Origin, ...]:
        """The addresses of this server that a Host header names; none for a name that somebody else chose."""
        name = host_name(host)
        if self.origins or name is None:
            return tuple(one for one in self.origins if one.name == name)
        return (Origin("http", host.lower()), Origin("https", host.lower())) if self._is_own(name) else ()

    def sender(self, asked: HTTPConnection) -> str:
        """Where a request comes from; behind a proxy what the proxy says, in X-Forwarded-For."""
        here = asked.client.host if asked.client else ""
        told = asked.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        return told if self.origins and told and is_loopback(here) else here

    def _is_own(self, name: str) -> bool:
        if name in ("localhost", self.host.lower()):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return not is_loopback(self.host) and name in (
                socket.gethostname().lower(),
                socket.getfqdn().lower(),
            )
        return address.is_loopback or not is_loopback(
            self.host
        )  # an address is no name that can be made to lead elsewhere

    def knows_token(self, headers: Headers) -> bool:
        """Whether the token comes with the request's cookies; always where none is needed."""
        if self.token is None:
            return True
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(headers.get("cookie", ""))
        except CookieError:
            return False
        return self.cookie in cookies and self.is_token(cookies[self.cookie].value)

    def is_token(self, text: str) -> bool:
        return self.token is not None and hmac.compare_digest(text.encode(), self.token.encode())


def host_name(header: str) -> str | None:
    """The name or address in a Host header, without its port; None for what is none."""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
    except ValueError:
        return None
    return (
        None
        if not header or parts.path or parts.query or parts.fragment or "@" in parts.netloc
        else parts.hostname
    )


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
        here = self._access.addresses(Headers(scope=scope).get("host", ""))
        # A request's path as this server has it, whatever lies before it at the proxy.
        path = min((one.below(scope["path"]) for one in here), key=len, default=scope["path"])
        home = (
            "./" if path else f"{scope['path'].rpartition('/')[2]}/"
        )  # whatever the page's folder is called outside
        scope = {**scope, "path": path}
        refusal = self._refusal(scope, home, here)
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": "refused"})
        else:
            await refusal(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, home: str, here: tuple[Origin, ...]) -> Response | None:
        headers, access = Headers(scope=scope), self._access
        is_page = (
            scope["type"] == "http" and scope["path"] in ("", "/") and scope["method"] in ("GET", "HEAD")
        )
        brings_token = is_page and access.is_token(_token_of(scope))
        if not access.knows_token(headers) and not brings_token:  # before anything else
            return _refused("this server needs its token; open the address that it printed")
        if len(headers.getlist("host")) != 1 or not here:
            return _refused(_OTHER_PROXY if access.origins else _OTHER_NAME)
        origin = headers.get("origin")
        if (origin is not None and origin.lower() not in [one.origin for one in here]) or (
            not is_page and headers.get("sec-fetch-site") == "cross-site"
        ):
            return _refused("only the server's own page may do that")
        if is_page and not scope["path"]:
            return RedirectResponse(
                f"{home}?{scope['query_string'].decode('latin-1')}".removesuffix("?"), 303
            )
        if not brings_token:
            return None
        response = RedirectResponse(home, 303)
        # Without a path: it is then for the folder in which the browser found the page.
        secure = {one.scheme for one in here} == {"https"}  # a browser reaches this name over TLS alone
        # Lax: whoever follows a friend's link in a mail comes from another site, and brings a strict cookie to no page.
        response.set_cookie(
            access.cookie, _token_of(scope), httponly=True, samesite="lax", path=None, secure=secure
        )
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
