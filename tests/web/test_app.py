"""Whatever is asked, the answer is an answer or one sentence; the page's files, docs/page_interface.md, `serve` as a process."""

import http.client
import json
import re
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import page_interface
import pytest
from hypothesis import given, settings, strategies as st
from starlette.routing import Mount, Route
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from helpers.analysis_client import client_of, running_server
from helpers.page_server import Server
from helpers.programs import wait_until
from helpers.sizes import scaled
from helpers.small_games import NamesThatFail, Unshowable
from helpers.web_client import GOOFSPIEL, RIDERS, Client, client
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import GAMES
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.web import app as assets, limits

PATHS = (
    "/api/new",
    "/api/middle",
    "/api/positions",
    "/api/chance",
    "/api/answer",
    "/api/from-text",
    "/api/line",
    "/api/export",
)
NAMES = (
    "game",
    "start",
    "moves",
    "seed",
    "from",
    "player",
    "by",
    "seconds",
    "nodes",
    "level",
    "text",
    "players",
    "values",
    "resigned",
)
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(
        [
            GOOFSPIEL,
            RIDERS,
            "goofspiel(cards=0)",
            "random",
            "1,1",
            "x,y",
            2**70,
            -1,
            [[0, -1]],
            [[0, 0]],
            [[1, 1], [2, 2]],
            "gentle",
        ]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
bodies = st.dictionaries(st.sampled_from(NAMES), anything, max_size=8) | st.fixed_dictionaries(
    {
        "game": st.sampled_from([GOOFSPIEL, RIDERS]),
        "moves": st.lists(st.lists(st.integers(-2, 5), min_size=2, max_size=2), max_size=5),
    },
    optional={
        name: anything for name in NAMES if name not in ("game", "moves", "seconds", "nodes", "by", "level")
    },
)


def check(response):
    if response.status_code not in (200, 202):
        assert 400 <= response.status_code < 500, response.text
        Client.sentence(response, response.status_code)


@settings(max_examples=scaled(200, 40))
@given(st.sampled_from(PATHS), bodies)
def test_any_json(asked, path, body):
    try:
        text = json.dumps(body)
    except ValueError:
        return
    check(
        asked.http.post(
            path, content=text.encode("utf-8", "surrogatepass"), headers={"content-type": "application/json"}
        )
    )


@settings(max_examples=scaled(100))
@given(st.sampled_from(PATHS), st.binary(max_size=300))
def test_any_bytes(asked, path, body):
    response = asked.http.post(path, content=body, headers={"content-type": "application/json"})
    check(response)
    assert response.status_code != 200


@settings(max_examples=scaled(60))
@given(st.sampled_from(PATHS[:4]), st.text(max_size=60))
def test_any_game(asked, path, text):
    check(asked.http.post(path, json={"game": text, "by": text, "player": 0}))
    check(asked.http.post(path, json={"game": f"light_riders({text})", "by": f"best({text})", "player": 0}))


def test_the_catalogue(asked):
    told = asked.get("/api/catalogue")
    assert [game["name"] for game in told["games"]] == list(GAMES)
    assert set(told) == {"games", "ledgers", "replays", "fits", "limits", "shown"}
    for game in told["games"]:
        assert set(game) == {
            "spec",
            "name",
            "title",
            "summary",
            "own",
            "turn_based",
            "has_chance",
            "parameters",
            "players",
            "levels",
            "algorithms",
            "group",
            "rules",
            "evaluators",
            "overlays",
        }
        assert 3 <= len(game["rules"]) <= 5
        assert game["players"][0]["spec"] == "best" and game["players"][-1]["spec"] == "random"
        assert "asp" not in [player["spec"] for player in game["players"]]
        assert all(
            set(level) in ({"name", "spec", "nodes"}, {"name", "spec", "seconds"}) for level in game["levels"]
        )
        assert game["algorithms"] and "constant" in [one["spec"] for one in game["evaluators"]]


@dataclass(frozen=True)
class Documented(TicTacToe):
    """Crosses and noughts,
    in turn.

    Three in a row win.
    """

    how_to_play: ClassVar[Sequence[str]] = ()


@dataclass(frozen=True)
class InOneLine(TicTacToe):
    how_to_play: ClassVar[Sequence[str]] = "Three in a row win."


def test_rules_of_a_game_of_ones_own_are_its_lines_or_its_docstring():
    with client(games={"one": Documented(), "two": InOneLine()}) as asked:
        rules = {game["spec"]: game["rules"] for game in asked.get("/api/catalogue")["games"]}
    assert rules["one"] == ["Crosses and noughts, in turn.", "Three in a row win."]
    assert rules["two"] == ["Three in a row win."]


def test_a_rule_that_fails_is_told_in_one_sentence_with_its_line_and_hides_no_other_game():
    with client(games={"one": Unshowable(), "two": NamesThatFail()}) as asked:
        for game, error in (("one", "RuntimeError"), ("two", "IndexError")):
            told = asked.refused("/api/new", {"game": game}, 422)
            assert f"{error} (small_games.py, line " in told
            assert "secret" not in told
        assert asked.told("/api/new", {"game": GOOFSPIEL})


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


ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "page_interface.md").read_text(encoding="utf-8")
PAGE = ROOT / "src" / "saddlepoint" / "web" / "static"
GAME = {"game": GOOFSPIEL, "start": None, "moves": [[0, -1]]}


def routes() -> set[str]:
    """The server's, as `METHOD /path`."""
    found: set[str] = set()
    with client() as asked:
        served = asked.http.app.routes  # type: ignore[attr-defined]
    for one in served:
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


@pytest.mark.parametrize(
    "most",
    [
        limits.MESSAGE,
        limits.UPLOAD,
        limits.MOVES,
        limits.POSITIONS,
        limits.TEXT,
        limits.VARIATIONS,
        limits.SPEC,
        limits.NODES,
    ],
)
def test_the_limits_are_those_of_the_server(most: Any) -> None:
    assert f"{most:,}" in DOCS


def assert_named(told: dict[str, Any]) -> None:
    """Raise AssertionError for fields that the docs do not name."""
    assert {name for name in told if f"`{name}`" not in DOCS} == set()


# -- a process -----------------------------------------------------------------------------------------------------------

EXAMPLE = Path(__file__).parents[1] / "helpers" / "small_games.py"
INTERRUPTED = 130
TAKEN = "{}"
"""The place of a port that is taken."""


class Served(Server):
    """A server, and how to ask it."""

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            if body is None:
                connection.request("GET", path, headers=headers)
            else:
                connection.request(
                    "POST", path, json.dumps(body), {"content-type": "application/json", **headers}
                )
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")

    def told(self, path: str, body: Any = None) -> Any:
        """What is answered to a request that is in order, once all is compiled."""
        answer = wait_until(
            lambda: self.ask(path, body), 300.0, ready=lambda answer: answer[0] not in (202, 503)
        )
        assert answer[0] == 200, answer
        return answer[1]

    def socket(self, **options: Any) -> Any:
        """A WebSocket of the analysis."""
        return connect(f"ws://127.0.0.1:{self.port}/ws/analysis", proxy=None, **options)

    def plain(self, sent: bytes = b"") -> Any:
        """A connection on which this was sent."""
        one = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        one.sendall(sent)
        return one


@contextmanager
def served(*arguments: str, **given: Any) -> Iterator[Served]:
    """A server as a process."""
    running = Served(*arguments, **given)
    try:
        yield running
    finally:
        running.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server that the tests leave alone."""
    with served() as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "code", "said"),
    [(signal.SIGINT, INTERRUPTED, ""), (signal.SIGTERM, 143, "saddlepoint: ended by SIGTERM\n")],
)
def test_a_signal_ends_it(how, code, said):
    with served() as running, running.socket():
        assert running.ask("/api/catalogue")[0] == 200
        assert running.end(how) == (code, said)


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.compiles_long
def test_ctrl_c_ends_it_while_it_searches_and_compiles():
    body = {
        "game": "goofspiel(cards=13)",
        "start": None,
        "moves": [[0, -1]],
        "player": 0,
        "by": "best",
        "seconds": 10,
    }
    other = {"game": "light_riders(width=13, height=11)", "start": None, "moves": [], "player": 0}
    with served(NUMBA_DISABLE_JIT="0") as running, ThreadPoolExecutor(1) as pool:
        running.told("/api/answer", body | {"seconds": 0.1})  # compiled now
        searching = pool.submit(running.ask, "/api/answer", body)
        assert running.ask("/api/answer", other | {"by": "best"})[0] == 202
        time.sleep(1.0)
        assert running.end() == (INTERRUPTED, "")
        # What was under way is cut off, or answered with what it had found: it does not think for its ten seconds.
        assert searching.exception(60) or searching.result()[1]["seconds"] < 5


@pytest.mark.slow
def test_the_next_port_that_is_free():
    with served(port=None) as first, served(port=None) as second:
        assert first.port != second.port
        assert first.ask("/api/catalogue")[0] == second.ask("/api/catalogue")[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("--host", "no.such.host.invalid"),
        ("--host", "192.0.2.1"),
        ("--game", "./missing.py:Game"),
        ("--game", f"{EXAMPLE}:Nothing"),
        ("missing.jsonl",),
        ("--ledger", "missing.db"),
        ("--player", "cmd:"),
        ("--player", "nobody"),
        ("--origin", "games.example.org"),
        ("--port", TAKEN),
    ],
)
def test_refused_in_one_sentence(cli, server, arguments):
    err = cli.refused("serve", "--no-browser", *(one.format(server.port) for one in arguments))
    assert ("taken" in err) == (TAKEN in arguments)


@pytest.mark.slow
def test_the_token_of_a_server_for_others():
    with served("--host", "0.0.0.0") as running:
        token = running.address.partition("?token=")[2]
        assert len(token) >= 32
        assert running.ask("/api/catalogue")[0] == 403
        with closing(http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)) as connection:
            connection.request("GET", f"/?token={token}")
            cookie = connection.getresponse().getheader("set-cookie", "").partition(";")[0]
        assert running.ask("/api/catalogue", cookie=cookie)[0] == 200
        with pytest.raises(InvalidStatus), running.socket():
            pass
        with running.socket(additional_headers={"Cookie": cookie}):
            pass


@pytest.mark.slow
def test_fifty_clients_at_once(server):
    """Some play, some hold a socket, some send nonsense, some say nothing: everybody who asks gets an answer."""
    nothing = (b"POST /api/new HTTP/1.1\r\nhost: localhost\r\n", b"\x00\xff\x16\x03\x01", b"")

    def play(number: int) -> str:
        with server.socket() as held:
            for text in ("nonsense", "{}", '{"id": 1, "do": "analyse"}', "[" * 1000):
                held.send(text)
                assert json.loads(held.recv(timeout=60))["kind"] == "error"
            start = server.told("/api/new", {"game": GOOFSPIEL, "seed": number})["start"]
            moves: list[list[int]] = []
            reference = {"game": GOOFSPIEL, "start": start, "moves": moves}
            for _ in range(3):
                moves.append([server.told("/api/chance", reference)["outcome"], -1])
                asked = [{**reference, "player": player, "by": "random"} for player in (0, 1)]
                moves.append([server.told("/api/answer", one)["action"] for one in asked])
            return server.told("/api/positions", {**reference, "from": 6})["positions"][0]["node"]

    with ExitStack() as silent, ThreadPoolExecutor(50) as pool:
        for number in range(10):
            silent.enter_context(server.plain(nothing[number % 3]))
        assert list(pool.map(play, range(50), timeout=300)) == ["over"] * 50


@pytest.mark.slow
def test_so_many_sockets_and_no_more(server):
    with ExitStack() as held:
        for _ in range(limits.SOCKETS):
            held.enter_context(server.socket())
        with pytest.raises(InvalidStatus), server.socket():
            pass
    assert server.ask("/api/catalogue")[0] == 200


@pytest.mark.slow
def test_a_message_that_is_too_long(server):
    with server.socket() as held, pytest.raises(ConnectionClosed):
        held.send("x" * (limits.MESSAGE + 1))
        held.recv(timeout=60)
    with server.socket():
        pass


@pytest.mark.slow
def test_who_does_not_read_disturbs_nobody(server):
    with server.plain() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.sendall(b"GET /api/catalogue HTTP/1.1\r\nhost: localhost\r\n\r\n" * 500)
        for _ in range(5):
            assert server.ask("/api/catalogue")[0] == 200
