"""A real server and a real browser, for the tests marked `web`.

A page that logs an error, asks another host for anything, or has a request that fails, fails its test.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from helpers.page_server import Server
from helpers.tables import FROM_A_FILE, settled, table
from helpers.web_client import Client, client

_PATIENCE = 60_000  # a first position waits until its rules are compiled
"""Milliseconds that a test waits for what the page is to show."""


class Visits:
    """Opens pages, each in a browser context of its own, and notes what they did that no page may do."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._contexts: list[Any] = []
        self._faults: list[str] = []
        self.server_may_fail = False
        """Whether requests may fail, because the test ends the server."""
        self.refusals_expected = False
        """Whether the server may refuse requests, because the test asks for what there is not."""

    def __call__(self, url: str, **options: Any) -> Any:
        """A page at this address; options are those of Playwright's contexts."""
        context = self._browser.new_context(
            **{"viewport": {"width": 1000, "height": 800}, "reduced_motion": "reduce", **options}
        )
        self._contexts.append(context)
        page = context.new_page()
        self.look_at(page, url)
        page.goto(url)
        return page

    def look_at(self, page: Any, url: str) -> None:
        """Note the faults of a page that may only ask the host of `url`."""
        page.set_default_timeout(_PATIENCE)
        host = urlsplit(url).netloc
        page.on("pageerror", lambda error: self._faults.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("request", lambda request: self._asked(request.url, host))
        page.on("requestfailed", self._failed)

    def _console(self, message: Any) -> None:
        expected = any(text in message.text for text in ("Failed to load resource", "WebSocket connection"))
        if message.type == "error" and not (expected and (self.server_may_fail or self.refusals_expected)):
            self._faults.append(f"console: {message.text}")

    def _asked(self, url: str, host: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.netloc != host:
            self._faults.append(f"another host: {url}")

    def _failed(self, request: Any) -> None:
        if not self.server_may_fail and "ERR_ABORTED" not in (
            request.failure or ""
        ):  # the page itself aborts what it no longer needs
            self._faults.append(f"failed: {request.url} {request.failure}")

    def close(self) -> None:
        """Close all pages; raises AssertionError where one had a fault."""
        for context in self._contexts:
            context.close()
        assert not self._faults, "\n".join(self._faults)


def requests_of(page: Any, part: str = "") -> list[str]:
    """The addresses with this part that the page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if part in request.url else None)
    return asked


def in_a_new_tab(page: Any, address: str) -> None:
    """Open the address as after a closed tab: nothing but what the browser keeps is left."""
    page.goto("about:blank")
    page.goto(address)


def downloaded(page: Any, button: str, path: Path) -> Path:
    """What a button saves, there."""
    with page.expect_download() as got:
        page.get_by_role("button", name=button, exact=True).click()
    got.value.save_as(path)
    return path


@pytest.fixture(scope="session")
def start_server() -> Iterator[Callable[..., Server]]:
    """Starts servers: start_server(*arguments of `saddlepoint serve`, **environment)."""
    servers: list[Server] = []

    def start(*arguments: str, **environment: str) -> Server:
        servers.append(Server(*arguments, **environment))
        return servers[-1]

    yield start
    for server in servers:
        server.end()


@pytest.fixture(scope="session")
def server(start_server: Callable[..., Server]) -> Server:
    """The server of the tests that leave it alone; it has a game from a file."""
    return start_server("--game", FROM_A_FILE)


@pytest.fixture(scope="module")
def asked() -> Iterator[Client]:
    """A server in this process, for tests that leave it alone."""
    with client() as one:
        yield one


@pytest.fixture
def visit(browser: Any) -> Iterator[Visits]:
    """Opens pages: visit(url, **context options)."""
    visits = Visits(browser)
    yield visits
    visits.close()


@pytest.fixture
def page(server: Server, visit: Visits) -> Any:
    """The start page."""
    return visit(server.url)


@pytest.fixture
def sit(server: Server, visit: Visits) -> Callable[..., Any]:
    """Sits down at a new table: sit(game, seats, *, what else its address tells) is the page once a person is asked.

    `look` are context options.
    """

    def opened(game: str, *seats: str, look: dict[str, Any] | None = None, **more: str) -> Any:
        page = visit(table(server.url, game, *seats, **more), **(look or {}))
        settled(page)
        return page

    return opened
