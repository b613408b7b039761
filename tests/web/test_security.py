"""Only the server's own page is answered."""

from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from helpers.web_client import ADDRESS, Client, client
from saddlepoint.web.security import OWN_FOLDERS, Access, host_name, is_loopback, read_origin

OPEN = Access("0.0.0.0", 8000, "secret-token")


OWN_NAMES = ("127.0.0.1:8000", "localhost:8000", "localhost", "[::1]:8000", "127.0.0.2")
OTHER_NAMES = (
    "",
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil.example:8000",
    "192.168.1.7:8000",
    "user@127.0.0.1",
    "127.0.0.1/x",
    "127.0.0.1:x",
    "[::1",
    "a b",
)


@pytest.mark.parametrize(
    ("access", "host", "known"),
    [
        *((Access(), host, True) for host in OWN_NAMES),
        *((Access(), host, False) for host in OTHER_NAMES),
        (OPEN, "192.168.1.7:8000", True),
        (OPEN, "evil.example:8000", False),
        (Access("studio.example", 80), "studio.example", True),
    ],
)
def test_by_which_names_a_server_is_known(access, host, known):
    assert bool(access.addresses(host)) == known


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("box", False)],
)
def test_which_addresses_only_this_machine_reaches(host, expected):
    assert is_loopback(host) is expected


def test_host_name_without_its_port():
    assert host_name("[::1]:80") == "::1" and host_name("A.example:1") == "a.example"


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:9999", "file://", "http://127.0.0.1:8000.evil.example"],
)
@pytest.mark.parametrize(("method", "path"), [("GET", "/api/catalogue"), ("POST", "/api/new"), ("GET", "/")])
def test_another_page_is_refused(method, path, asked, origin):
    assert (
        asked.sentence(asked.http.request(method, path, headers={"origin": origin}), 403)
        == "only the server's own page may do that"
    )


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        *((path, {"host": "evil.example:8000"}, 403) for path in ("/", "/api/catalogue", "/static/app.js")),
        ("/api/catalogue", {"sec-fetch-site": "cross-site"}, 403),
        ("/", {"sec-fetch-site": "cross-site"}, 200),  # a link to the page
        ("/api/catalogue", {"origin": ADDRESS, "sec-fetch-site": "same-origin"}, 200),
    ],
)
def test_another_name_and_what_another_site_caused_are_refused(asked, path, headers, status):
    response = asked.http.get(path, headers=headers)
    assert response.status_code == status
    assert ("does not belong" in response.text) == ("host" in headers)


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_a_socket_of_another_page_is_refused(headers):
    with (
        client() as asked,
        pytest.raises(WebSocketDisconnect) as closed,
        asked.http.websocket_connect("/ws/analysis", headers=headers),
    ):
        pass
    assert closed.value.code == 1008


def test_a_server_for_others_needs_its_token():
    with client(OPEN) as asked:
        for path in (
            "/",
            "/api/catalogue",
            "/api/catalogue?token=secret-token",
            "/?token=wrong",
            "/?token=",
            "/static/app.js",
        ):
            assert "token" in asked.sentence(asked.http.get(path), 403)
        response = asked.http.get("/?token=secret-token", follow_redirects=False)
        assert (response.status_code, response.headers["location"]) == (303, "./")
        cookie = response.headers["set-cookie"].lower()
        assert "samesite=lax" in cookie and "httponly" in cookie
        assert asked.http.get("/api/catalogue").status_code == 200  # the client keeps its cookies
        asked.http.cookies.clear()
        asked.sentence(
            asked.http.get("/api/catalogue", headers={"cookie": "saddlepoint_8000=wrong; =;;"}), 403
        )


@pytest.mark.parametrize(
    ("path", "status"), [("/api/catalogue", 200), ("/api/nothing", 404), ("/static/none.js", 404)]
)
def test_every_answer_keeps_the_page_to_itself(path, status, asked):
    response = asked.http.get(path)
    assert response.status_code == status
    policy = response.headers["content-security-policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in response.headers


OUTSIDE = Access(
    origins=(read_origin("https://games.example.org"), read_origin("https://example.org:8443/two/games/"))
)


@pytest.mark.parametrize(
    ("text", "origin", "folder"),
    [
        ("https://games.example.org", "https://games.example.org", ""),
        ("https://Games.Example.org:443/", "https://games.example.org", ""),
        ("http://example.org:80/games", "http://example.org", "/games"),
        ("https://a.example:8443/a/b.c/", "https://a.example:8443", "/a/b.c"),
        ("https://spiele.m\u00fcller.example", "https://spiele.xn--mller-kva.example", ""),
        ("https://[::1]:8443", "https://[::1]:8443", ""),
    ],
)
def test_the_address_of_a_proxy(text: str, origin: str, folder: str) -> None:
    made = read_origin(text)
    assert (made.origin, made.folder) == (origin, folder)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "games.example.org",
        "ftp://games.example.org",
        "https://",
        "https://a b",
        "https://user@games.example.org",
        "https://a.example/?x",
        "https://a.example/#x",
        "https://a.example:port",
        "https://a.example:99999",
        "https://a.example/a/../b",
        "https://a.example/.",
        "https://a.example//b",
        "https://a.example/a b",
        "https://a.example/%67ames",
        "https://[::1",
        "https://a..example",
        "*",
        "https://*.example.org",
        *(f"https://a.example/{name}" for name in OWN_FOLDERS),
    ],
)
def test_what_is_no_address_of_a_proxy_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="^--origin .*$"):
        read_origin(text)


def test_the_first_folders_of_all_routes_are_known(asked: Client) -> None:
    paths = [getattr(route, "path", "") for route in asked.http.app.routes]  # type: ignore[attr-defined]
    assert {path.split("/")[1] for path in paths} == {"", *OWN_FOLDERS}


def test_behind_a_proxy_only_its_names_and_origins_hold() -> None:
    with client(OUTSIDE) as asked:

        def status(host: str, origin: str | None = None, path: str = "/api/catalogue", **more: str) -> int:
            return asked.http.get(
                path,
                headers={"host": host} | ({} if origin is None else {"origin": origin}) | more,
                follow_redirects=False,
            ).status_code

        for host, origin, path in (
            ("games.example.org", None, "/api/catalogue"),
            ("games.example.org", "https://games.example.org", "/api/catalogue"),
            ("example.org:8443", "https://example.org:8443", "/two/games/api/catalogue"),
            # A proxy that passes on the name alone.
            ("example.org", "https://example.org:8443", "/two/games/static/app.js"),
        ):
            assert status(host, origin, path) == 200, (host, origin)
        for host, origin in (
            ("127.0.0.1:8000", None),
            ("localhost", None),
            ("evil.example", None),
            ("games.example.org.", None),
            ("games.example.org@evil.example", None),
            ("games.example.org", "http://games.example.org"),
            ("games.example.org", "https://example.org:8443"),
            ("games.example.org", ""),
            ("evil.example", "https://games.example.org"),
            ("example.org", "https://example.org"),
            ("games.example.org", "https://games.example.org/"),
        ):
            assert status(host, origin) == 403, (host, origin)
        assert (
            status(
                "evil.example",
                **{"x-forwarded-host": "games.example.org", "forwarded": "host=games.example.org"},
            )
            == 403
        )
        assert "let the proxy pass on the Host" in asked.sentence(
            asked.http.get("/api/catalogue", headers={"host": "localhost"}), 403
        )
        for host, path in (
            ("example.org", "/two/gamesevil/api/catalogue"),
            ("example.org", "/two/api/catalogue"),
            ("example.org", "/one/two/games/api/catalogue"),
            ("games.example.org", "/two/games/api/catalogue"),  # that folder is another name's
        ):
            assert status(host, path=path) == 404, path


def test_the_token_behind_a_proxy_is_for_its_folder_and_for_tls_alone() -> None:
    with client(Access("0.0.0.0", 8000, "secret-token", OUTSIDE.origins)) as asked:
        options: Any = {"headers": {"host": "example.org"}, "follow_redirects": False}
        for path in ("/two/games/", "/"):  # as the proxy passes it on, or without the folder
            response = asked.http.get(f"{path}?token=secret-token", **options)
            assert (response.status_code, response.headers["location"]) == (303, "./")
            cookie = response.headers["set-cookie"].lower()
            assert "secure" in cookie
            assert "path" not in cookie  # so it is for the folder in which the browser was
        response = asked.http.get("/two/games?token=secret-token", **options)
        assert (response.status_code, response.headers["location"]) == (303, "games/?token=secret-token")
        assert "set-cookie" not in response.headers  # it would be for the folder above
        asked.sentence(asked.http.get("/two/games", **options), 403)


def test_no_redirect_is_made_of_the_host() -> None:
    with client(OUTSIDE) as asked:
        for path in (
            "/api/catalogue/",
            "//",
            "/api/new/",
            "/ws/analysis/",
            "//evil.example/two/games",
            "/two/games//evil.example",
        ):
            assert (
                asked.http.get(
                    f"http://127.0.0.1:8000{path}", headers={"host": "example.org"}, follow_redirects=False
                ).status_code
                == 404
            ), path


def test_answers_are_not_kept_by_a_proxy_for_others(asked: Client) -> None:
    assert asked.http.get("/api/catalogue").headers["cache-control"] == "no-store"
    assert asked.http.get("/static/app.js").headers["cache-control"] == "no-cache"
    tag = asked.http.get("/static/app.js").headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", W/{tag}'):
        assert asked.http.get("/static/app.js", headers={"if-none-match": known}).status_code == 304
