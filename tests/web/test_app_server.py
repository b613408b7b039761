"""`saddlepoint serve` as a process, asked over real sockets."""

import http.client
import json
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from helpers.page_server import Server
from helpers.web_client import GOOFSPIEL
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.system.sockets import HttpConnection
from saddlepoint.web import limits

EXAMPLE = Path(__file__).parents[1] / "helpers" / "small_games.py"
INTERRUPTED = 130
TAKEN = "{}"
"""The place of a port that is taken."""

pytestmark = pytest.mark.slow  # of the same answers without a process there are quicker tests


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
        while (answer := self.ask(path, body))[0] in (202, 503):
            time.sleep(0.1)
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


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [(signal.SIGINT, INTERRUPTED, ""), (signal.SIGTERM, 143, "saddlepoint: ended by SIGTERM\n")],
)
def test_a_signal_ends_it(how, code, said):
    with served() as running, running.socket():
        assert running.ask("/api/catalogue")[0] == 200
        assert running.end(how) == (code, said)


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


def test_the_next_port_that_is_free():
    with served(port=None) as first, served(port=None) as second:
        assert first.port != second.port
        assert first.ask("/api/catalogue")[0] == second.ask("/api/catalogue")[0] == 200


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


@pytest.mark.parametrize("more", [(), ("--host", "0.0.0.0")], ids=["here", "for others"])
def test_half_sent_requests_keep_nobody_out(more):
    with served(*more) as running, ExitStack() as held:
        for _ in range(HttpConnection.most + 8):
            held.enter_context(running.plain(b"GET / HTTP/1.1\r\nhost: localhost\r\n"))
        assert running.ask("/api/catalogue")[0] == (403 if more else 200)


def test_malformed_requests_are_no_news_on_the_terminal():
    with served() as running:
        running.told("/api/catalogue")
        for said in (
            b"Origin: http://[\r\n\r\n",
            b"Content-Length: abc\r\n\r\n",
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nOrigin: http://[\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ):
            for path in (b"/", b"/api/new", b"/ws/analysis"):
                head = b"GET %b HTTP/1.1\r\nHost: localhost:%d\r\n" % (path, running.port)
                with running.plain(head + said) as one:
                    assert not one.recv(4096).startswith(b"HTTP/1.1 5"), (path, said)
        assert running.end() == (INTERRUPTED, "")


def test_so_many_sockets_and_no_more(server):
    with ExitStack() as held:
        for _ in range(limits.SOCKETS):
            held.enter_context(server.socket())
        with pytest.raises(InvalidStatus), server.socket():
            pass
    assert server.ask("/api/catalogue")[0] == 200


def test_a_message_that_is_too_long(server):
    with server.socket() as held, pytest.raises(ConnectionClosed):
        held.send("x" * (limits.MESSAGE + 1))
        held.recv(timeout=60)
    with server.socket():
        pass


def test_who_does_not_read_disturbs_nobody(server):
    with server.plain() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.sendall(b"GET /api/catalogue HTTP/1.1\r\nhost: localhost\r\n\r\n" * 500)
        for _ in range(5):
            assert server.ask("/api/catalogue")[0] == 200
