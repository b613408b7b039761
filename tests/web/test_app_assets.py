"""Files of the page: those of the package, and nothing else."""

import pytest

from helpers.web_client import client
from saddlepoint.web import app as assets


@pytest.fixture
def folder(tmp_path, monkeypatch):
    home = tmp_path / "static"
    (home / "views").mkdir(parents=True)
    (home / "index.html").write_text("<!doctype html>")
    (home / "views" / "play.js").write_text("export {};")
    (home / "notes.py").write_text("secret")
    (tmp_path / "secret.js").write_text("secret")
    (home / "link.js").symlink_to(tmp_path / "secret.js")
    monkeypatch.setitem(assets.FOLDERS, "static", home)
    return home


def test_the_page_and_its_files(folder):
    with client() as asked:
        page = asked.http.get("/")
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        script = asked.http.get("/static/views/play.js")
        assert script.headers["content-type"].startswith("text/javascript") and script.text == "export {};"
        again = asked.http.get("/static/views/play.js", headers={"if-none-match": script.headers["etag"]})
        assert again.status_code == 304 and not again.content


@pytest.mark.parametrize(
    "path",
    [
        "/static/../secret.js",
        "/static/%2e%2e/secret.js",
        "/static/..%2fsecret.js",
        "/static//etc/passwd",
        "/static/%2Fetc%2Fpasswd",
        "/static/",
        "/static/views",
        "/static/notes.py",
        "/static/link.js",
        "/static/none.js",
        "/static/x%00.js",
        "/viewer/__init__.py",
        "/viewer/../game.py",
        "/static/" + "x" * 5000 + ".js",
    ],
)
def test_everything_else(folder, path):
    with client() as asked:
        response = asked.http.get(path)
        asked.sentence(response, 404)
        assert "secret" not in response.text
