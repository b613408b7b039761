"""People at tables and in rooms of a server in this process: what their pages would send, and what they are sent."""

import contextlib
import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from helpers.web_client import Client, client
from saddlepoint.web.friends.store import Store

CARDS, ROWS = "goofspiel(cards=3)", "tic_tac_toe"


def refused(message: Any) -> bool:
    return "error" in message


class Visitor:
    """Somebody with a link: what the page would send, and what it is sent."""

    def __init__(self, channel: Any, key: str) -> None:
        self.key, self.heard = key, list[str]()
        self._channel = channel
        self.say("open", key=key)

    def say(self, do: str, **more: Any) -> None:
        self._channel.send_text(json.dumps({"do": do, **more}))

    def hear(self, until: Callable[[Any], bool] = bool) -> Any:
        """The next message of which this holds; a refusal that nobody waits for is a failure."""
        while True:
            self.heard.append(self._channel.receive_text())
            message = json.loads(self.heard[-1])
            if until is not refused:
                assert "error" not in message, message
            if until(message):
                return message

    def leave(self) -> None:
        """Close the channel."""
        self._channel.close()

    def refusal(self) -> str:
        """The sentence that refuses what was said."""
        return self.hear(refused)["error"]


@contextlib.contextmanager
def friends(folder: Path, **given: Any) -> Generator[tuple[Client, Callable[[str], Visitor]]]:
    """A server with a file of tables, and what makes somebody with a link."""
    with (
        client(store=Store(folder / "played.db", 100, 1.0), **given) as asked,
        contextlib.ExitStack() as stack,
    ):
        yield asked, lambda key: Visitor(stack.enter_context(asked.channel("/ws/table")), key)


def seated(visit: Any, game: str = CARDS, **more: Any) -> tuple[Visitor, Visitor, Any]:
    """Two people at a new table, and what the first sees of it."""
    asked, come = visit
    host = come(asked.told("/api/tables", {"game": game, "name": "Ann", **more})["key"])
    guest = come(host.hear()["invite"])
    guest.say("sit", name="Bob")
    for one in (host, guest):
        table = one.hear(lambda message: all(message["names"]))
    return host, guest, table
