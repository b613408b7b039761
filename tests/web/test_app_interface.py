"""docs/page_interface.md is what the server really has: each request and each field in both; and the page asks through one file."""

import re
from pathlib import Path
from typing import Any

import page_interface
import pytest
from starlette.routing import Mount, Route

from helpers.analysis_client import client_of, running_server
from helpers.web_client import GOOFSPIEL, Client
from saddlepoint.web import limits
from saddlepoint.web.app import Starting, make_app
from saddlepoint.web.security import Access

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "page_interface.md").read_text(encoding="utf-8")
PAGE = ROOT / "src" / "saddlepoint" / "web" / "static"
GAME = {"game": GOOFSPIEL, "start": None, "moves": [[0, -1]]}


def routes() -> set[str]:
    """The server's, as `METHOD /path`."""

    def service() -> Any:
        raise AssertionError("nothing is asked")

    found: set[str] = set()
    for one in make_app(Starting(service), Access()).routes:
        path = one.path.replace(":path}", "}")  # type: ignore[attr-defined]
        if isinstance(one, Mount):
            found.add(f"GET {path}/{{name}}")
        elif isinstance(one, Route):
            found |= {f"{method} {path}" for method in (one.methods or ()) if method != "HEAD"}
        else:
            found.add(f"WS {path}")
    return found


def test_the_docs_name_each_route_of_the_server_and_no_other() -> None:
    assert set(re.findall(r"^\| `((?:GET|POST|WS) /\S*)`", DOCS, re.MULTILINE)) == routes()


def test_the_table_of_fields_is_that_of_the_structs() -> None:
    assert page_interface.written(DOCS) == DOCS, "python tools/page_interface.py writes it"
    assert set(re.findall(r"/api/[a-z-]+", " ".join(page_interface.REQUESTS))) == {
        one.removeprefix("POST ") for one in routes() if one.startswith("POST") and one != "POST /api/replay"
    }


def test_nothing_in_the_page_asks_anything_but_through_one_file() -> None:
    asks = re.compile(r"\bfetch\s*\(|\bnew\s+(?:WebSocket|XMLHttpRequest|EventSource)\b|sendBeacon")
    folders = (PAGE, PAGE.parents[1] / "play" / "viewer")
    assert {
        file.name
        for folder in folders
        for file in folder.rglob("*.js")
        if asks.search(file.read_text(encoding="utf-8"))
    } == {"transport.js"}


def test_what_the_page_asks_for_is_in_the_docs() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in PAGE.rglob("*.js"))
    asked = {re.sub(r"\$\{.*", "", path).rstrip("/?") for path in re.findall(r"[\"`](/api/[^\"`?]*)", text)}
    assert asked
    assert {path for path in asked if path not in DOCS} == set()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/new", {"game": GOOFSPIEL}),
        ("/api/middle", {"game": GOOFSPIEL}),
        ("/api/positions", GAME),
        ("/api/chance", {**GAME, "moves": []}),
        ("/api/answer", {**GAME, "player": 0, "by": "random", "nodes": 10}),
    ],
)
def test_every_field_of_an_answer_is_in_the_docs(asked: Client, path: str, body: dict[str, Any]) -> None:
    told = asked.told(path, body)
    for one in (told, told.get("position", {}), *told.get("positions", [])[:1]):
        assert_named(one)


def test_every_field_of_the_catalogue_and_of_a_game_is_in_the_docs(asked: Client) -> None:
    catalogue = asked.get("/api/catalogue")
    assert_named(catalogue)
    assert_named(catalogue["games"][0])
    assert_named(catalogue["limits"])
    assert_named(
        asked.http.post(
            "/api/replay", content=asked.post("/api/line", GAME).text, headers={"content-type": "text/plain"}
        ).json()
    )


def test_every_message_of_an_analysis_is_in_the_docs() -> None:
    with running_server() as address, client_of(address) as one:
        one.end_of(**GAME, seconds=0.5, alternatives=True)
        one.end_of("review", number=2, **GAME, nodes_per_turn=10)
        for message in one.received:
            assert_named({message["kind"]: 0, **({} if message["kind"] == "done" else message)})
    assert {"search", "alternatives", "review", "done"} <= {message["kind"] for message in one.received}


def test_the_limits_are_those_of_the_server() -> None:
    for most in (
        limits.MESSAGE,
        limits.UPLOAD,
        limits.MOVES,
        limits.POSITIONS,
        limits.TEXT,
        limits.VARIATIONS,
        limits.SPEC,
        limits.NODES,
    ):
        assert f"{most:,}" in DOCS


def assert_named(told: dict[str, Any]) -> None:
    """Raise AssertionError for fields that the docs do not name."""
    assert {name for name in told if f"`{name}`" not in DOCS} == set()
