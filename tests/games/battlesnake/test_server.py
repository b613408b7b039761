"""`saddlepoint bot battlesnake` as a process, asked over real sockets."""

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games.battlesnake.test_requests import anything
from helpers.programs import wait_until
from helpers.snake_requests import asked, duel, snake
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.battlesnake.requests import STEPS
from saddlepoint.system.terminal import how_to_install

PLAIN = {"NUMBA_DISABLE_JIT": "1"}
PATIENCE = 60.0  # seconds, for what has no deadline of its own on a busy machine
INTERRUPTED = 130
COMMAND = [sys.executable, "-m", "saddlepoint", "bot", "battlesnake"]


class Snake:
    """A server, and how to ask it."""

    def __init__(self, process: subprocess.Popen[str], said: list[str], port: int) -> None:
        self.process, self.said, self.port = process, said, port
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False)

    def ask(self, path: str, body: Any) -> httpx.Response:
        return self.client.post(path, content=body if isinstance(body, bytes) else json.dumps(body))

    def move(self, body: Any) -> str:
        answer = self.ask("/move", body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["move"] in STEPS
        return answer.json()["move"]

    def wait_for(self, text: str) -> str:
        """The line of the log with that text."""
        wait_until(lambda: any(text in line for line in list(self.said)), PATIENCE, self.said)
        return next(line for line in self.said if text in line)

    def end(self, how: int = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)


@contextmanager
def running(*arguments: str, port: int = 0, **environment: str) -> Iterator[Snake]:
    """A server that is compiled from nothing where no environment says otherwise; it listens, and may not be ready yet."""
    process = subprocess.Popen(
        [*COMMAND, "--port", str(port), *arguments],
        text=True,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    said: list[str] = []
    first = process.stderr.readline()
    said.append(first)
    found = re.search(r"listening on http://127\.0\.0\.1:(\d+);", first)
    reader = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)  # type: ignore[arg-type]
    try:
        assert found, first + process.stderr.read()
        reader.start()
        made = Snake(process, said, int(found[1]))
        yield made
        made.client.close()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if reader.ident is not None:
            reader.join(PATIENCE)
        process.stderr.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Snake]:
    """A server that the tests leave alone; as plain Python nothing is compiled."""
    with running(
        "--player", "smab(depth=1)", "--colour", "#3355AA", "--head", "evil", "--author", "me", **PLAIN
    ) as made:
        made.wait_for("is ready for standard 7x7")
        yield made


@pytest.mark.parametrize("path", ["/", "/a/snake", "/a/snake/"])
def test_who_it_is(path: str, server: Snake) -> None:
    told = server.client.get(path).json()
    assert re.fullmatch(r"saddlepoint\+[0-9a-f]{12} smab\(depth=1\)", told.pop("version"))
    assert told == {
        "apiversion": "1",
        "author": "me",
        "color": "#3355aa",
        "head": "evil",
        "tail": "default",
    }


@pytest.mark.parametrize("path", ["", "/a/snake"])
def test_a_whole_game(server: Snake, path: str) -> None:
    told = duel(7, game=f"whole{path}")
    alone = told | {"board": told["board"] | {"snakes": [told["you"]]}}
    assert server.ask(f"{path}/start", told).status_code == 200
    for turn, shown in enumerate((told, told, told, alone)):  # one more, alone
        assert server.ask(f"{path}/move", shown | {"turn": turn}).json()["move"] in STEPS
    assert server.ask(f"{path}/end", alone | {"turn": 4}).status_code == 200
    line = server.wait_for("game " + f"whole{path}"[:8] + " standard")
    assert "against YOU: won, turn 4; slowest of 4 answers" in line


ONE_WAY = (snake("me", [(0, 0), (1, 0), (1, 1), (0, 1)]), snake("b", [(5, 5), (5, 4), (5, 3)]))
"""Only one way is left, and it leads past a tail that moves on."""


def test_the_player_moves_and_sees_what_it_must(server: Snake) -> None:
    assert server.move(asked(*ONE_WAY, size=7, game="seen")) == "up"
    assert not any("game seen" in line for line in server.said)  # no safe move took its place


@pytest.mark.parametrize(
    "told",
    [
        {
            "game": {"id": "bare"},
            "board": {"width": 7, "height": 7},
            "you": {"id": "me", "body": [{"x": 3, "y": 3}]},
        },
        asked(snake("me", [(3, 3), (3, 2), (3, 1)]), size=7, game="solo", mode="solo"),
        asked(snake("me", [(3, 3), (3, 2)]), snake("b", [(1, 1), (1, 2)]), size=7, game="short"),
        asked(snake("me", [(-1, 3), (0, 3), (0, 2)]), snake("b", [(1, 1), (1, 2)]), size=7, game="dead"),
        asked(snake("me", [(3, 3), (3, 2)], 0), snake("b", [(1, 1), (1, 2)]), size=7, game="starved"),
        asked(snake("me", [(12, 12), (12, 11)]), snake("b", [(1, 1), (1, 2)]), size=25, game="large"),
        asked(snake("me", [(40, 40), (40, 39)]), snake("b", [(1, 1), (1, 2)]), size=60, game="larger"),
        asked(snake("me", [(0, 0), (0, 1)]), snake("b", [(1, 1), (1, 0)]), size=2, game="tiny"),
        asked(
            snake("me", [(x, y) for y in range(24) for x in (range(24) if y % 2 else reversed(range(24)))]),
            snake("b", [(24, 24), (24, 23)]),
            size=25,
            game="long",
        ),
        {**duel(7, game="unknown", mode="squad"), "weather": {"rain": True}},
        {**duel(7, game="not there"), "you": snake("somebody else", [(3, 3), (3, 2)])},
        {**duel(7, game="royale", mode="royale", hazards=[(0, 0), (0, 0), (1, 0)]), "turn": 10**8},
    ],
)
def test_whatever_can_be_answered_is(server: Snake, told: dict[str, Any]) -> None:
    assert server.ask("/start", told).status_code == 200
    server.move(told)
    assert server.ask("/end", told).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/move", b"", 400),
        ("/move", b"{", 400),
        ("/move", b"[1]", 400),
        ("/move", b"[" * 200_000, 400),
        ("/move", b"\xff", 400),
        ("/move", b"{}", 400),
        ("/start", b"{}", 400),
        ("/end", b"{}", 200),
        ("/end", b"{", 400),
        ("/move", b" " * 600_000, 413),
        ("/jump", b"{}", 404),
        ("/", b"{}", 404),
    ],
)
def test_what_is_no_request_has_a_clean_status(server: Snake, path: str, body: bytes, status: int) -> None:
    answer = server.ask(path, body)
    assert answer.status_code == status
    assert status == 200 or (answer.json()["error"] and "\n" not in answer.json()["error"])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        *(
            ({"content-type": kind}, 200)
            for kind in (
                "application/json",
                "text/plain",
                "image/png",
                "",
                "application/json; charset=klingon",
            )
        ),
        ({"origin": "http://evil.example"}, 403),
    ],
)
def test_content_types_do_not_matter_but_a_page_in_a_browser_is_refused(
    server: Snake, headers: dict[str, str], status: int
) -> None:
    assert server.client.post("/move", content=json.dumps(duel(7)), headers=headers).status_code == status


@pytest.mark.parametrize(
    "line",
    [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x00" * 50,
        b"POST /move HTTP/1.1\r\ncontent-length: x\r\n\r\n",
        b"GET " + b"a" * 100_000,
    ],
)
def test_what_is_no_http_disturbs_nobody(line: Any, server: Snake) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(line)
        server.move(duel(7))


@st.composite
def changed_requests(draw: Any) -> Any:
    """A request in which some values, anywhere, are anything."""
    told: Any = duel(7, game=draw(st.sampled_from(["a", "b"])), timeout=50)
    for _ in range(draw(st.integers(1, 3))):
        here = told
        while True:
            key = draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
            if not (isinstance(here[key], (dict, list)) and here[key] and draw(st.booleans())):
                break
            here = here[key]
        here[key] = draw(
            anything | st.integers(-2, 8) | st.sampled_from(["wrapped", "constrictor", "royale", "solo"])
        )
    return told


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(told=changed_requests(), path=st.sampled_from(["start", "move", "move", "end"]))
def test_nothing_makes_it_fail(server: Snake, told: Any, path: str) -> None:
    answer = server.ask(f"/{path}", told)
    assert answer.status_code in (200, 400), answer.text
    assert set(answer.json()) <= {"move", "error"}


def crowd(draw: random.Random, count: int, size: int) -> list[dict[str, Any]]:
    """So many snakes on a board, each in a column of its own, upwards or downwards."""
    snakes: list[dict[str, Any]] = []
    for column in draw.sample(range(size), count):
        top = draw.randrange(3, size + 1)
        cells = [(column, y) for y in range(draw.randrange(top - 2), top)][:: draw.choice((1, -1))]
        snakes.append(snake(f"s{column}", cells, draw.randrange(20, 101)))
    return snakes


@pytest.mark.parametrize(
    "count", [2, *(pytest.param(count, marks=pytest.mark.slow) for count in range(3, 8)), 8]
)
@pytest.mark.parametrize("number", range(10))
def test_in_a_crowd_it_does_not_crash_into_the_obvious(number: int, server: Snake, count: int) -> None:
    you, *others = crowd(random.Random(f"{count} {number}"), count, 9)
    told = asked(you, *others, size=9, game=f"crowd {count} {number}")
    move = server.move(told)
    bodies = {(c["x"], c["y"]) for one in (you, *others) for c in one["body"][:-1]}
    x, y = you["head"]["x"], you["head"]["y"]
    ways = {name: (x + dx, y + dy) for name, (dx, dy) in STEPS.items()}
    free = {name for name, cell in ways.items() if set(cell) <= set(range(9)) and cell not in bodies}
    assert move in free or not free, told


@pytest.mark.slow
def test_two_hundred_connections_are_answered_in_time(server: Snake) -> None:
    """A few say nothing, or only half of what they have to say."""

    async def ask(number: int) -> float:
        body = json.dumps(duel(7, timeout=10_000, game=f"game {number}")).encode()
        head = b"POST /move HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        try:
            if number % 10 == 0:
                writer.write(head + body[: number % 3 * 20])
                await asyncio.sleep(1.0)
                return 0.0
            began = time.monotonic()
            writer.write(head + body)
            answer = await asyncio.wait_for(reader.readuntil(b"}"), PATIENCE)
            assert b"200 OK" in answer and b'"move"' in answer
            return time.monotonic() - began
        finally:
            writer.close()

    async def all_of_them() -> list[float]:
        return await asyncio.gather(*map(ask, range(200)))

    assert max(asyncio.run(all_of_them())) < 10.0


@pytest.mark.slow
def test_it_goes_on_after_a_restart() -> None:
    told = duel(7, game="restarted")
    with running("--player", "random", **PLAIN) as first:
        port = first.port
        first.ask("/start", told)
        first.move(told)
        first.end(signal.SIGKILL)
    with running("--player", "random", port=port, **PLAIN) as second:
        assert second.port == port
        second.move(told | {"turn": 1})
        second.ask("/end", told | {"turn": 2})
        assert "game restarte" in second.wait_for("turn 2")


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_with_a_cold_cache_a_safe_move_is_the_answer(tmp_path: Path) -> None:
    with running("--player", "best", NUMBA_CACHE_DIR=str(tmp_path)) as cold:
        assert cold.move(asked(*ONE_WAY, size=7, game="cold")) == "up"
        assert "until then a safe move is the answer" in cold.wait_for("preparing best for standard")
        assert "a safe move, not best: not ready yet" in cold.wait_for("game cold, turn 3")
        assert cold.end() == INTERRUPTED  # in the middle of a compilation


def refusal(*command: str) -> str:
    """What a server that does not start says."""
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("saddlepoint: ") and done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--port", "TAKEN"), "taken"),
        (("--host", "no.such.host.invalid"), "no address"),
        (("--colour", "blue"), "#RRGGBB"),
        (("--tcp", "4000"), "goes over HTTP"),
        (("--head", "a\nb"), "--head"),
        (("--protocol", "lines", "--port", "0"), "--port is for battlesnake"),
    ],
)
def test_what_it_cannot_do_is_refused_in_one_sentence(
    server: Snake, arguments: tuple[str, ...], why: str
) -> None:
    words = [str(server.port) if word == "TAKEN" else word for word in arguments]
    assert why in refusal(*COMMAND[1:], *words)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "why"), [("nosuch", "no player is called 'nosuch'"), ("smab(dept=3)", "did you mean depth?")]
)
def test_a_player_that_there_is_not_ends_it_in_one_sentence(spec: str, why: str) -> None:
    with running("--player", spec, **PLAIN) as server:
        assert why in server.wait_for("saddlepoint: ")
        assert server.process.wait(PATIENCE) == 2
        assert len(server.said) == 2


@pytest.mark.slow
def test_without_the_packages_that_it_needs() -> None:
    code = "import sys; sys.modules['uvicorn'] = None; sys.argv[1:] = ['bot', 'battlesnake']; from saddlepoint.cli import main; main()"
    assert how_to_install("web") in refusal("-c", code)
