"""`saddlepoint serve` as a process, asked over real sockets."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from helpers.web_client import GOOFSPIEL, RIDERS
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.system.sockets import HttpConnection
from saddlepoint.system.terminal import how_to_install
from saddlepoint.web import limits

EXAMPLE = Path(__file__).parents[1] / "helpers" / "small_games.py"
INTERRUPTED = 130
PLAIN = {"NUMBA_DISABLE_JIT": "1"}

pytestmark = pytest.mark.slow  # of the same answers without a process there are quicker tests


class Served:
    """A server, and how to ask it."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address
        self.port = int(re.search(r":(\d+)/", address)[1])

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            if body is None:
                connection.request("GET", path, headers=headers)
            else:
                connection.request(
                    "POST", path, json.dumps(body), {"content-type": "application/json", **headers}
                )
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        finally:
            connection.close()

    def told(self, path: str, body: Any = None) -> Any:
        """What is answered to a request that is in order, once all is compiled."""
        while (answer := self.ask(path, body))[0] == 202:
            time.sleep(0.2)
        assert answer[0] == 200, answer
        return answer[1]

    def socket(self, **options: Any) -> Any:
        """A WebSocket of the analysis."""
        return connect(f"ws://127.0.0.1:{self.port}/ws/analysis", proxy=None, **options)

    def end(self, how: int = signal.SIGINT) -> tuple[int, str]:
        """Exit code, and what was said on stderr."""
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


@contextmanager
def served(*arguments: str, **environment: str) -> Iterator[Served]:
    """A server as a process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "saddlepoint", "serve", "--no-browser", *arguments],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "SADDLEPOINT_QUIET": "1", **environment},
    )
    try:
        assert process.stdout is not None
        line = next((line for line in process.stdout if "http://" in line), None)
        assert line is not None, process.communicate()
        yield Served(process, line.strip())
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server that the tests leave alone."""
    with served("--port", "0", "--game", f"{EXAMPLE}:TextConnectFour", **PLAIN) as running:
        yield running


def refusal(*arguments: str) -> str:
    """What a server that does not start says."""
    done = subprocess.run(
        [sys.executable, "-m", "saddlepoint", "serve", "--no-browser", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "SADDLEPOINT_QUIET": "1"},
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith("saddlepoint: ") and done.stderr.count("\n") == 1
    return done.stderr


def test_a_game_of_ones_own(server):
    spec = f"{EXAMPLE}:TextConnectFour"
    assert server.told("/api/catalogue")["games"][0]["spec"] == spec
    start = server.told("/api/new", {"game": spec})
    answer = server.told(
        "/api/answer", {"game": spec, "start": start["start"], "moves": [], "player": 0, "by": "random"}
    )
    assert 0 <= answer["action"] < 7


def test_ctrl_c_ends_it():
    with served("--port", "0", **PLAIN) as running:
        assert running.ask("/api/catalogue")[0] == 200
        with running.socket():
            assert running.end() == (INTERRUPTED, "")


def test_a_signal_ends_it():
    with served("--port", "0", **PLAIN) as running:
        code, said = running.end(signal.SIGTERM)
        assert code == 128 + signal.SIGTERM and said == "saddlepoint: ended by SIGTERM\n"


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
    with served("--port", "0") as running:
        running.told("/api/answer", body | {"seconds": 0.1})  # compiled now
        failures: list[BaseException] = []

        def ask() -> None:
            try:
                running.ask("/api/answer", body)
            except Exception as error:  # it ends without an answer
                failures.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        other = {"game": "light_riders(width=13, height=11)", "start": None, "moves": [], "player": 0}
        assert running.ask("/api/answer", other | {"by": "best"})[0] == 202
        time.sleep(1.0)
        assert running.end() == (INTERRUPTED, "")
        thread.join(60)


def test_a_game_goes_on_after_a_restart():
    with served("--port", "0", **PLAIN) as first:
        port = first.port
        started = first.told("/api/new", {"game": RIDERS, "start": "1,2"})
        reference = {"game": started["game"], "start": started["start"], "moves": [[0, 0]]}
        before = first.told("/api/positions", reference)
        first.end(signal.SIGKILL)
    with served("--port", str(port), **PLAIN) as second:
        assert second.port == port
        assert second.told("/api/positions", reference) == before
        assert second.told("/api/answer", reference | {"player": 1, "by": "random"})["name"] in (
            "up",
            "right",
            "down",
            "left",
        )


def test_a_port_that_is_taken(server):
    assert "taken" in refusal("--port", str(server.port))


def test_the_next_port_that_is_free():
    with served(**PLAIN) as first, served(**PLAIN) as second:
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
    ],
)
def test_refused_in_one_sentence(arguments):
    refusal(*arguments)


def test_without_the_packages_that_it_needs():
    code = "import sys; sys.modules['starlette'] = None; sys.argv = ['saddlepoint', 'serve']; from saddlepoint.cli import main; main()"
    quiet = {**os.environ, "SADDLEPOINT_QUIET": "1"}  # a busy machine adds no line
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, env=quiet
    )
    assert done.returncode == 2 and how_to_install("web") in done.stderr and done.stderr.count("\n") == 1


def test_another_name_and_another_origin(server):
    assert server.ask("/api/catalogue", host="evil.example")[0] == 403  # DNS rebinding
    assert server.ask("/api/new", {"game": RIDERS}, origin="http://evil.example")[0] == 403
    assert server.ask("/api/new", {"game": RIDERS}, origin=f"http://127.0.0.1:{server.port}")[0] == 200
    with pytest.raises(InvalidStatus) as refused, server.socket(origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with pytest.raises(InvalidStatus), server.socket(origin="null"):
        pass
    with server.socket(origin=f"http://127.0.0.1:{server.port}") as own:
        own.send("{}")
        assert json.loads(own.recv(timeout=60))["kind"] == "error"


def test_the_token_of_a_server_for_others():
    with served("--port", "0", "--host", "0.0.0.0", **PLAIN) as running:
        token = re.search(r"\?token=(\S+)", running.address)[1]
        assert len(token) >= 32
        assert running.ask("/api/catalogue")[0] == 403
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
        connection.request("GET", f"/?token={token}")
        response = connection.getresponse()
        cookie = response.getheader("set-cookie", "").partition(";")[0]
        connection.close()
        assert response.status == 303 and running.ask("/api/catalogue", cookie=cookie)[0] == 200
        with pytest.raises(InvalidStatus), running.socket():
            pass
        with running.socket(additional_headers={"Cookie": cookie}):
            pass


def test_fifty_clients_at_once(server):
    """Some play, some hold a socket, some send nonsense, some say nothing: everybody who asks gets an answer."""
    failures: list[object] = []
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(10)]
    for number, one in enumerate(silent):
        one.sendall(
            [b"POST /api/new HTTP/1.1\r\nhost: localhost\r\n", b"\x00\xff\x16\x03\x01", b""][number % 3]
        )

    def play(number: int) -> None:
        try:
            with server.socket() as held:
                for text in ("nonsense", "{}", '{"id": 1, "do": "analyse"}', "[" * 1000):
                    held.send(text)
                    assert json.loads(held.recv(timeout=60))["kind"] == "error"
                started = server.told("/api/new", {"game": GOOFSPIEL, "seed": number})
                moves: list[list[int]] = []
                for _ in range(3):
                    reference = {"game": GOOFSPIEL, "start": started["start"], "moves": moves}
                    moves.append([server.told("/api/chance", reference)["outcome"], -1])
                    answers = []
                    for player in (0, 1):
                        while (
                            answer := server.ask(
                                "/api/answer", {**reference, "player": player, "by": "random"}
                            )
                        )[0] == 503:
                            time.sleep(0.05)
                        assert answer[0] == 200, answer
                        answers.append(answer[1]["action"])
                    moves.append(answers)
                last = server.told(
                    "/api/positions",
                    {"game": GOOFSPIEL, "start": started["start"], "moves": moves, "from": 6},
                )
                assert last["positions"][0]["node"] == "over"
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    for one in silent:
        one.close()
    assert not failures, failures[:3]


@pytest.mark.parametrize("more", [(), ("--host", "0.0.0.0")], ids=["here", "for others"])
def test_half_sent_requests_keep_nobody_out(more):
    with served("--port", "0", *more, **PLAIN) as running, ExitStack() as held:
        for _ in range(HttpConnection.most + 8):
            one = held.enter_context(socket.create_connection(("127.0.0.1", running.port)))
            one.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n")
        assert running.ask("/api/catalogue")[0] == (403 if more else 200)


def test_malformed_requests_are_no_news_on_the_terminal():
    with served("--port", "0", **PLAIN) as running:
        running.told("/api/catalogue")
        for said in (
            b"Origin: http://[\r\n\r\n",
            b"Content-Length: abc\r\n\r\n",
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nOrigin: http://[\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ):
            for path in (b"/", b"/api/new", b"/ws/analysis"):
                with socket.create_connection(("127.0.0.1", running.port), timeout=60) as one:
                    one.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost:%d\r\n" % running.port + said)
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
    from websockets.exceptions import ConnectionClosed

    with server.socket() as held, pytest.raises(ConnectionClosed):
        held.send("x" * (limits.MESSAGE + 1))
        held.recv(timeout=60)
    with server.socket():
        pass


def test_who_does_not_read_disturbs_nobody(server):
    raw = socket.create_connection(("127.0.0.1", server.port))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(b"GET /api/catalogue HTTP/1.1\r\nhost: localhost\r\n\r\n" * 500)
    for _ in range(5):
        assert server.ask("/api/catalogue")[0] == 200
    raw.close()
