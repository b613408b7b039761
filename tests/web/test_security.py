"""Only the server's own page is answered."""

import pytest

from saddlepoint.web.security import Access, host_name, is_loopback
from web_client import ADDRESS, client

OPEN = Access("0.0.0.0", 8000, "secret-token")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "localhost", "[::1]:8000", "127.0.0.2"])
def test_names_of_a_server_on_this_machine(host):
    assert Access().knows_host(host)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example:8000", "192.168.1.7:8000",
             "user@127.0.0.1", "127.0.0.1/x", "127.0.0.1:x", "[::1", "a b"],
)  # fmt: skip
def test_names_that_somebody_else_chose(host):
    assert not Access().knows_host(host)


def test_a_server_for_others_is_known_by_its_addresses():
    assert OPEN.knows_host("192.168.1.7:8000")
    assert not OPEN.knows_host("evil.example:8000")
    assert Access("studio.example", 80).knows_host("studio.example")


@pytest.mark.parametrize(("host", "expected"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False),
    ("box", False)])
def test_which_addresses_only_this_machine_reaches(host, expected):
    assert is_loopback(host) is expected


def test_host_name_without_its_port():
    assert host_name("[::1]:80") == "::1" and host_name("A.example:1") == "a.example"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "file://",
    "http://127.0.0.1:8000.evil.example"])
def test_another_page_is_refused(origin):
    with client() as asked:
        for method, path in (("GET", "/api/catalogue"), ("POST", "/api/new"), ("GET", "/")):
            response = asked.http.request(method, path, headers={"origin": origin})
            assert asked.sentence(response, 403) == "only the server's own page may do that"


def test_another_name_is_refused():
    with client() as asked:
        for path in ("/", "/api/catalogue", "/static/app.js"):
            assert "does not belong" in asked.sentence(asked.http.get(path, headers={"host": "evil.example:8000"}), 403)


def test_a_request_that_another_site_caused_is_refused():
    with client() as asked:
        asked.sentence(asked.http.get("/api/catalogue", headers={"sec-fetch-site": "cross-site"}), 403)
        assert asked.http.get("/", headers={"sec-fetch-site": "cross-site"}).status_code != 403  # a link to the page


def test_the_own_page_is_answered():
    with client() as asked:
        assert asked.http.get("/api/catalogue", headers={"origin": ADDRESS, "sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_a_socket_of_another_page_is_refused(headers):
    from starlette.websockets import WebSocketDisconnect

    with client() as asked, pytest.raises(WebSocketDisconnect) as closed, asked.http.websocket_connect("/ws/analysis", headers=headers):
        pass
    assert closed.value.code == 1008


def test_a_server_for_others_needs_its_token():
    with client(OPEN) as asked:
        for path in ("/", "/api/catalogue", "/api/catalogue?token=secret-token", "/?token=wrong", "/?token=", "/static/app.js"):
            assert "token" in asked.sentence(asked.http.get(path), 403)
        response = asked.http.get("/?token=secret-token", follow_redirects=False)
        assert (response.status_code, response.headers["location"]) == (303, "/")
        cookie = response.headers["set-cookie"].lower()
        assert "samesite=strict" in cookie and "httponly" in cookie
        assert asked.http.get("/api/catalogue").status_code == 200  # the client keeps its cookies
        asked.http.cookies.clear()
        asked.sentence(asked.http.get("/api/catalogue", headers={"cookie": "saddlepoint_8000=wrong; =;;"}), 403)


def test_every_answer_keeps_the_page_to_itself():
    with client() as asked:
        for path, status in (("/api/catalogue", 200), ("/api/nothing", 404), ("/static/none.js", 404)):
            response = asked.http.get(path)
            assert response.status_code == status
            policy = response.headers["content-security-policy"]
            assert "default-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
            assert response.headers["x-content-type-options"] == "nosniff"
            assert "access-control-allow-origin" not in response.headers
