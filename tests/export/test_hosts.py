"""The page without a server at hosts that redirect, vary their answers, are renewed in part, or are gone: it opens all the same."""

import functools
import http.server
import shutil
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from helpers.exported_modules import needs_linker
from helpers.page_server import MARGINS
from helpers.tables import by_mouse, is_over, play_on, table
from saddlepoint.cli.common import read_game
from saddlepoint.web.site import game_files, page_files, written
from web.conftest import Visits, in_a_new_tab

pytestmark = pytest.mark.export

_BELOW = "/my games"
"""The page's path at its host: with a blank, which addresses write in another way."""
_KEPT = """async () => Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length))"""


def answer(host: Any, status: int, text: bytes = b"", **headers: str) -> None:
    """Answer a request."""
    host.send_response(status)
    for name, value in {"Content-Length": str(len(text)), **headers}.items():
        host.send_header(name, value)
    host.end_headers()
    host.wfile.write(text)


class Host(http.server.SimpleHTTPRequestHandler):
    """A host of plain files as some are; `about` says how this one is, and may change while it runs."""

    def __init__(self, *given: Any, about: dict[str, Any], **more: Any) -> None:
        self.about = about
        super().__init__(*given, **more)

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(_BELOW.replace(" ", "%20")))

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.removeprefix(_BELOW.replace(" ", "%20") + "/")
        if self.about.get("gone"):
            self.connection.close()
        elif name in self.about.get("redirects", {}):
            there = f"{_BELOW.replace(' ', '%20')}/{self.about['redirects'][name]}"
            answer(self, 308, Location=there)
        elif name in self.about.get("answers", {}):
            answer(self, *self.about["answers"][name])
        else:
            if name == "index":
                self.path = self.path.replace("/index", "/index.html")
            super().do_GET()

    def guess_type(self, path: Any) -> str:
        return "application/octet-stream" if str(path).endswith(".wasm") else super().guess_type(path)

    def end_headers(self) -> None:
        # Else the browser's other memory would answer where the page's fails.
        for name, value in ({"Cache-Control": "no-cache"} | self.about.get("headers", {})).items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of requests."""


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of browsers that left."""


@contextmanager
def hosted(folder: Path, about: dict[str, Any]) -> Generator[str]:
    """The page's address at such a host."""
    with _Server(("127.0.0.1", 0), functools.partial(Host, about=about, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{_BELOW}"
        server.shutdown()


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A page, and a later version of it."""
    needs_linker()
    made = [game_files(text, read_game(text)) for text in ("tic_tac_toe", MARGINS)]
    folders = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    for folder, shown in zip(folders, ("tic_tac_toe", "othello"), strict=True):
        written(page_files(made, shown), folder)
    return folders


def kept(page: Any) -> None:
    """Wait until the browser keeps the page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")


HOSTS = {
    "plain": {},
    "short addresses": {"redirects": {"index.html": ""}},
    "no endings": {"redirects": {"index.html": "index"}},
    "vary by accept": {"headers": {"Vary": "Accept"}},
    "vary by all": {"headers": {"Vary": "*"}},
    "vary and short": {"headers": {"Vary": "Accept, Cookie"}, "redirects": {"index.html": ""}},
    "kept for a year": {"headers": {"Cache-Control": "max-age=31536000, immutable"}},
    "never kept": {"headers": {"Cache-Control": "no-store"}},
    "isolated": {
        "headers": {
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Embedder-Policy": "require-corp",
        }
    },
}


@pytest.mark.parametrize("about", HOSTS.values(), ids=list(HOSTS))
def test_after_one_visit_it_opens_at_every_of_its_addresses_and_without_its_host(
    visit: Visits, versions: tuple[Path, Path], about: dict[str, Any]
) -> None:
    now = dict(about)
    visit.server_may_fail = True
    with hosted(versions[0], now) as url:
        page = visit(f"{url}/")
        kept(page)
        for gone in (False, True):
            now["gone"] = gone
            for address in ("/", "/index.html", "/index", "/?from=a+link", "/index.html?x#/watch"):
                if address == "/index" and not gone and "redirects" not in about:
                    continue  # the host itself does not have it
                in_a_new_tab(page, url + address)
                page.locator("#nav a").first.wait_for()
        in_a_new_tab(page, table(url, "tic_tac_toe"))
        play_on(page, by_mouse)
        assert is_over(page)


def test_what_the_host_sends_with_a_file_is_kept_with_it(visit: Visits, versions: tuple[Path, Path]) -> None:
    """A policy for the workers comes with the workers' files."""
    about: dict[str, Any] = {
        "headers": {"Content-Security-Policy": "default-src 'self' 'wasm-unsafe-eval'", "Vary": "*"}
    }
    visit.server_may_fail = True
    with hosted(versions[0], about) as url:
        page = visit(f"{url}/")
        kept(page)
        about["gone"] = True
        in_a_new_tab(page, f"{url}/")
        told = page.evaluate("""async () => Promise.all(["engine/worker.js", "games/tic_tac_toe.wasm"].map(async (name) => {
          const { headers } = await fetch(name);
          return ["content-security-policy", "content-type", "vary"].map((one) => headers.get(one));
        }))""")
        assert [one[0] for one in told] == [about["headers"]["Content-Security-Policy"]] * 2
        assert [one[1] for one in told] == ["text/javascript", "application/octet-stream"]
        assert [one[2] for one in told] == [None, None]


BROKEN = {
    "a file of the version before": lambda first: (200, (first / "catalogue.json").read_bytes()),
    "a file that is missing": lambda first: (404, b"nothing"),
    "a page that asks for a password": lambda first: (200, b"<!doctype html><title>Who are you?</title>"),
    "a host that is busy": lambda first: (503, b"later"),
}


@pytest.mark.parametrize("wrong", BROKEN.values(), ids=list(BROKEN))
def test_a_version_is_kept_whole_or_not_at_all(
    visit: Visits, versions: tuple[Path, Path], tmp_path: Path, wrong: Any
) -> None:
    first, second = versions
    shutil.copytree(first, tmp_path / "site")
    about: dict[str, Any] = {}
    visit.server_may_fail = True
    with hosted(tmp_path / "site", about) as url:
        page = visit(f"{url}/")
        kept(page)
        written(
            {
                str(path.relative_to(second)): path.read_bytes()
                for path in second.rglob("*")
                if path.is_file()
            },
            tmp_path / "site",
        )
        about["answers"] = {"catalogue.json": wrong(first)}
        for _ in range(2):
            in_a_new_tab(page, f"{url}/")
            page.evaluate(_UPDATED)
        about["gone"] = True
        in_a_new_tab(page, f"{url}/")
        assert page.evaluate(_SHOWN) == "tic_tac_toe"
        about.update(gone=False, answers={})
        page.evaluate(_UPDATED)
        page.goto("about:blank")  # the last tab that has the older one
        page.wait_for_timeout(500)
        page.goto(f"{url}/")
        about["gone"] = True
        assert page.evaluate(_SHOWN) == "othello(size=4, utility=discs)"
        assert len(page.evaluate(_KEPT)) == 1


_SHOWN = """async () => (await (await import("./static/api.js")).catalogue()).shown"""
_UPDATED = """async () => {
  const known = await navigator.serviceWorker.ready;
  await known.update().catch(() => {});
  const made = known.installing;
  if (made) await new Promise((done) => { made.onstatechange = () => { if (made.state !== "installing") done(); }; });
}"""


def test_without_room_in_the_browser_nothing_is_kept_and_the_page_works(
    visit: Visits, versions: tuple[Path, Path]
) -> None:
    visit.server_may_fail = True
    with hosted(versions[0], {}) as url:
        page = visit(f"{url}/NOTICES.txt")
        room = {"origin": url.removesuffix(_BELOW), "quotaSize": 200_000}
        page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", room)
        page.goto(table(url, "tic_tac_toe"))
        play_on(page, by_mouse)
        assert is_over(page)
        page.wait_for_function("async () => !(await navigator.serviceWorker.getRegistration())")
        assert page.evaluate(_KEPT) == []
