"""The review of a finished game on the page without a server: what it says is what the server says, and it is asked for by mouse."""

import json
import math
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exported_modules import needs_linker, needs_node
from page_of_files import OWN, made_page, random_moves
from saddlepoint.cli.common import read_game
from short_games import SHORT
from sizes import scaled
from web.analysis_client import Client, client_of, running_server

pytestmark = [pytest.mark.export, needs_node]

GAMES = (*(name + parameters for name, parameters in SHORT.items()), "othello(size=4, utility=discs)", OWN)
NODES = (40, 3000)
"""So many for each turn; a search with few of them proves little."""


class Page:
    """The engine of the page without a server, in Node."""

    def __init__(self, folder: Path) -> None:
        command = ["node", str(Path(__file__).with_name("reviews.mjs")), str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def review(self, **message: Any) -> dict[str, Any]:
        """What is told while it runs, and what is told last or the error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": "review", **message}) + "\n")
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End it."""
        self._process.communicate()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    needs_linker()
    folder = made_page(tmp_path_factory.mktemp("site"), *GAMES)
    (folder / "package.json").write_text('{"type": "module"}')
    engine = Page(folder)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    own = read_game(OWN)
    with running_server(games={own.name: own}) as address:
        yield address


def of_server(client: Client, number: int, **message: Any) -> tuple[dict[int, Any], dict[str, Any]]:
    """What the server tells of each position last, and at the end."""
    client.send(id=number, do="review", **message)
    done = client.until("done", "error", number=number)
    assert done["kind"] == "done", done
    told = {one["step"]: {name: value for name, value in one.items() if name != "id"} for one in client.of("review", number)}
    return told, {name: value for name, value in done.items() if name not in ("id", "kind")}


def assert_same(found: Any, wanted: Any, where: str = "") -> None:
    """The same words and whole numbers, and other numbers to 1e-6."""
    if isinstance(wanted, dict):
        assert set(found) == set(wanted), where
        for name, one in wanted.items():
            assert_same(found[name], one, f"{where}.{name}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), where
        for place, one in enumerate(wanted):
            assert_same(found[place], one, f"{where}[{place}]")
    elif isinstance(wanted, float) and not isinstance(found, bool):
        assert found is not None and math.isclose(found, wanted, rel_tol=1e-6, abs_tol=1e-6), (where, found, wanted)
    else:
        assert type(found) is type(wanted) or isinstance(found, int), where
        assert found == wanted, (where, found, wanted)


def compared(page: Page, client: Client, number: int, **message: Any) -> None:
    told = page.review(**message)
    assert "done" in told, told
    wanted, done = of_server(client, number, **message)
    assert_same(told["done"], done)
    assert_same({one["step"]: one for one in told["told"]}, wanted)


@pytest.mark.parametrize("text", GAMES)
def test_a_review_is_the_server_s(page: Page, server: str, text: str) -> None:
    game = read_game(text)
    name = game.name if text == OWN else text
    with client_of(server) as client:
        for seed in range(scaled(6, 3)):
            moves = random_moves(text, seed)
            about: dict[str, Any] = {"game": name, "start": None, "moves": moves, "players": ["You", "Club"]}
            for place, nodes in enumerate(NODES):
                compared(page, client, 10 * seed + place, **about, nodes_per_turn=nodes)
            given_up = {"players": ["Ann", "Ann"], "moves": moves[: max(1, len(moves) // 2)], "result": game.min_utility}
            compared(page, client, 10 * seed + 5, **(about | given_up), nodes_per_turn=NODES[1])
            at_fault = given_up | {"result": game.max_utility, "faults": ["", "no answer in time"]}
            compared(page, client, 10 * seed + 6, **(about | at_fault), nodes_per_turn=NODES[1])
            compared(page, client, 10 * seed + 7, **(about | {"moves": moves[:-1]}), nodes_per_turn=NODES[0])
