"""A real server with many games under way, killed in the middle of them."""

import contextlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from helpers.page_server import Server
from helpers.programs import wait_until

pytestmark = pytest.mark.web
_TABLES = 20


def opened(stack: contextlib.ExitStack, server: Server, key: str) -> Any:
    """The channel of a key."""
    channel = stack.enter_context(connect(f"ws{server.url.removeprefix('http')}/ws/table", origin=server.url))
    channel.send(json.dumps({"do": "open", "key": key}))
    return channel


def told(channel: Any, **wanted: Any) -> Any:
    """The next state of the table with these values."""
    while True:
        message = json.loads(channel.recv(timeout=30))
        assert message["kind"] == "table", message
        if all(message[name] == value for name, value in wanted.items()):
            return message


def test_twenty_games_go_on_after_a_kill_with_what_was_chosen(tmp_path: Path, start_server: Any) -> None:
    server = start_server("--kept", str(tmp_path / "played.db"))
    keys = []
    with contextlib.ExitStack() as stack, httpx.Client(base_url=server.url, timeout=60) as http:
        for _ in range(_TABLES):
            answer = wait_until(
                lambda: http.post("/api/tables", json={"game": "biased_rps", "name": "Ann"}),
                ready=lambda answer: answer.status_code != 202,
            )
            host = opened(stack, server, answer.json()["key"])
            guest = opened(stack, server, told(host, names=["Ann", ""])["invite"])
            keys.append((answer.json()["key"], told(guest, names=["Ann", ""])["watch"]))
            guest.send(json.dumps({"do": "sit", "name": "Bob"}))
            told(host, names=["Ann", "Bob"])
            guest.send(json.dumps({"do": "choose", "move": 0, "action": 2}))
            told(host, chosen=[False, True])
        server.kill()
    server.start()
    with contextlib.ExitStack() as stack:
        for key, watch in keys:
            watcher, host = opened(stack, server, watch), opened(stack, server, key)
            told(watcher, names=["Ann", "Bob"], chosen=[False, True])
            host.send(json.dumps({"do": "choose", "move": 0, "action": 1}))
            assert told(watcher, games=1)["moves"] == [[1, 2]]
