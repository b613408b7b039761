"""The page behind a real nginx with TLS, which is set up as docs/web.md says, also below a path."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from helpers.programs import wait_until
from helpers.tables import CARDS, by_mouse, is_over, play_on, table
from saddlepoint.players.programs.player import free_port
from web.conftest import Server, Visits

pytestmark = pytest.mark.web

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
MISSING = "nginx is not installed, which stands before the server here (Debian: apt-get install nginx); .ci/run installs it"
_NAME = "games.localhost"  # browsers look for it on this machine
_PAGE = Path(__file__).parents[2] / "docs" / "web.md"
_WHOLE = """daemon off; {user} pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
    access_log off; gzip on; gzip_types text/css text/javascript application/json; gzip_proxied any;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {servers}
}}
"""


@dataclass
class Proxy:
    """An nginx before a server of ours."""

    server: Server
    port: int
    folder: str
    tls: ssl.SSLContext = field(default_factory=ssl._create_unverified_context)

    @property
    def origin(self) -> str:
        return f"https://{_NAME}:{self.port}"

    @property
    def url(self) -> str:
        return self.origin + self.folder

    def ask(
        self, path: str, body: bytes | None = None, method: str = "", **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """The answer to a request, and its body. Headers with a `_` for each `-`."""
        sent = {"Host": f"{_NAME}:{self.port}", **{key.replace("_", "-"): headers[key] for key in headers}}
        way = method or ("GET" if body is None else "POST")
        with closing(
            http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self.tls)
        ) as connection:
            connection.request(way, path, body, sent)
            response = connection.getresponse()
            return response, response.read()

    def status(self, path: str, body: bytes | None = None, **headers: str) -> int:
        """The status of an answer."""
        return self.ask(path, body, **headers)[0].status

    def socket(self, host: str = "", **options: Any) -> Any:
        """A WebSocket of the analysis."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        name = host or f"{_NAME}:{self.port}"
        return connect(
            f"wss://{name}{self.folder}/ws/analysis",
            sock=made,
            ssl=self.tls,
            server_hostname=_NAME,
            proxy=None,
            **options,
        )


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


WAYS = {
    "at the root": ("", ""),
    "below a path": ("/games", ""),
    "below a path that is taken away": ("/a/games", "/"),
}
"""Below which path the page lies outside, and what nginx's `proxy_pass` puts in the place of it."""


@pytest.fixture(scope="module", params=WAYS.values(), ids=list(WAYS))
def proxy(
    request: pytest.FixtureRequest,
    start_server: Callable[..., Server],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Proxy]:
    """An nginx as in the documentation, before a server; all other names of nginx lead there too."""
    if NGINX is None:
        pytest.skip(MISSING)
    folder, passed = request.param
    home, port = tmp_path_factory.mktemp("nginx"), free_port()
    server = start_server("--origin", f"https://{_NAME}:{port}{folder}")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            f"/CN={_NAME}",
            "-keyout",
            home / "key.pem",
            "-out",
            home / "cert.pem",
        ],
        check=True,
        capture_output=True,
    )
    text = re.search(r"```nginx\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    for old, new in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("games.example.org;", f"{_NAME};"),
        ("location / {", f"location {folder}/ {{"),
        ("proxy_pass http://127.0.0.1:8000;", f"proxy_pass http://127.0.0.1:{server.port}{passed};"),
        ("/etc/ssl/games.example.org.pem", f"{home}/cert.pem"),
        ("/etc/ssl/games.example.org.key", f"{home}/key.pem"),
    ):
        assert old in text, old
        text = text.replace(old, new)
    (home / "nginx.conf").write_text(
        _WHOLE.format(user="user root;" if os.geteuid() == 0 else "", folder=home, servers=text)
    )
    process = subprocess.Popen(
        [NGINX, "-e", home / "errors", "-p", home, "-c", home / "nginx.conf"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(lambda: process.poll() is not None or listens(port), 20)
        assert process.poll() is None, process.stderr and process.stderr.read()
        yield Proxy(server, port, folder)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_the_page_plays_and_analyses(proxy: Proxy, visit: Visits) -> None:
    # With a certificate of our own Chromium gives up on an icon now and then; what the page does is asserted.
    visit.server_may_fail = True
    page = visit(table(proxy.url, CARDS), ignore_https_errors=True)
    page.set_default_timeout(60_000)  # this server compiles for itself
    play_on(page, by_mouse)
    assert is_over(page)
    page.goto(table(proxy.url, CARDS, view="analysis"))  # over the WebSocket
    page.get_by_text("Solved: the value is exact").first.wait_for()
    page.locator("a.brand").click()
    page.locator(".view-start .hero").first.wait_for()
    assert page.url == f"{proxy.url}/#/"


_ASK_MEANWHILE = """async () => {
  const { get } = await import("./static/api.js");
  get("/api/catalogue").then((told) => { globalThis.told = told; });
}"""


def test_the_page_goes_on_when_the_server_is_started_again(proxy: Proxy, visit: Visits) -> None:
    visit.server_may_fail = True
    page = visit(f"{proxy.url}/", ignore_https_errors=True)
    page.wait_for_load_state("networkidle")
    proxy.server.kill()
    try:
        assert proxy.status(f"{proxy.folder}/") == 502
        page.evaluate(_ASK_MEANWHILE)
        page.get_by_text("The server does not answer; trying again.").wait_for()
    finally:
        proxy.server.start()
    page.get_by_role("button", name="Now").click()
    page.wait_for_function("() => globalThis.told?.games.length > 0")


def test_only_the_page_of_that_address_is_answered(proxy: Proxy) -> None:
    own = f"127.0.0.1:{proxy.server.port}"
    origins = (
        "https://evil.example",
        "null",
        "",
        f"http://{_NAME}:{proxy.port}",
        f"https://{_NAME}",
        f"https://{_NAME}:{proxy.port + 1}",
        f"{proxy.origin}.evil.example",
        f"https://evil.{_NAME}:{proxy.port}",
        f"http://{own}",
        f"https://evil@{_NAME}:{proxy.port}",
        f"{proxy.origin}/games",
    )
    hosts = ("evil.example", f"{_NAME}.evil.example", f"evil.{_NAME}", "127.0.0.1", "localhost", own)
    as_if = {
        "X_Forwarded_Host": f"{_NAME}:{proxy.port}",
        "Forwarded": f"host={_NAME}",
        "X_Forwarded_Proto": "https",
    }

    def status(**headers: str) -> int:
        return proxy.status(
            f"{proxy.folder}/api/new", b'{"game": "tic_tac_toe"}', Content_Type="application/json", **headers
        )

    assert status(Origin=proxy.origin) == 200
    assert status() == 200  # a program
    for headers in (
        *({"Origin": origin} for origin in origins),
        *({"Host": host} | more for host in hosts for more in ({}, as_if)),
        *({"Host": host, "Origin": f"https://{host}"} | more for host in hosts for more in ({}, as_if)),
        *({"Origin": f"https://{name}", "X_Forwarded_Host": name} for name in ("evil.example", own)),
    ):
        assert status(**headers) == 403, headers


def test_the_socket_is_for_the_page_alone(proxy: Proxy) -> None:
    with proxy.socket(origin=proxy.origin) as held:
        held.send(
            '{"id": 1, "do": "analyse", "game": "tic_tac_toe", "start": null, "moves": [], "nodes": 100}'
        )
        assert json.loads(held.recv(timeout=60))["id"] == 1
    with proxy.socket():  # a program
        pass
    evil = {"origin": "https://evil.example"}
    for more in (evil, {"origin": "null"}, {"host": "evil.example"}, {"host": "evil.example"} | evil):
        with pytest.raises(InvalidStatus) as refused, proxy.socket(**more):
            pass
        assert refused.value.response.status_code == 403


def test_no_other_path_leads_to_the_server(proxy: Proxy) -> None:
    below = ("/../../etc/passwd", "/static/../../app.py", "/static/..%2f..%2fapp.py", "/%2e%2e/api/catalogue")
    for path in (
        "/gamesevil/api/catalogue",
        "/games/../evil/api/catalogue",
        "/evil/games/api/catalogue",
        "/games/games/api/catalogue",
        *(proxy.folder + one for one in below),
    ):
        assert proxy.status(path) in (400, 404), path


def test_the_folder_itself_leads_to_the_page(proxy: Proxy) -> None:
    if proxy.folder:
        response, _ = proxy.ask(proxy.folder)
        assert response.status in (301, 303)
        assert response.headers["location"] in (f"{proxy.url}/", f"{proxy.folder.rpartition('/')[2]}/")


def test_what_a_proxy_changes_on_the_way_changes_no_answer(proxy: Proxy) -> None:
    script = f"{proxy.folder}/static/app.js"
    response, compressed = proxy.ask(script, Accept_Encoding="gzip")
    tag = response.headers["etag"]
    assert response.headers["content-encoding"] == "gzip"
    assert tag.startswith("W/")  # it is another one in bytes
    assert proxy.status(script, Accept_Encoding="gzip", If_None_Match=tag) == 304
    head, nothing = proxy.ask(script, method="HEAD")
    assert (head.status, nothing) == (200, b"")
    assert int(head.headers["content-length"]) > len(compressed)
    response, _ = proxy.ask(f"{proxy.folder}/api/catalogue")
    assert response.headers["cache-control"] == "no-store"
    chunks = b"".join(b"1\r\n%c\r\n" % one for one in b'{"game": "tic_tac_toe"}') + b"0\r\n\r\n"
    assert (
        proxy.status(
            f"{proxy.folder}/api/new", chunks, Transfer_Encoding="chunked", Content_Type="application/json"
        )
        == 200
    )
    response, told = proxy.ask(
        f"{proxy.folder}/api/replay?number=1", b"x" * 3_900_000, Content_Type="text/plain"
    )
    assert response.status == 422 and json.loads(told)["error"]  # the server's own answer
