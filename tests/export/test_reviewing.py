"""The review of a finished game on the page without a server: what it says is what the server says, and it is asked for by mouse."""

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.accessibility import look
from helpers.analysis_client import Client, client_of, running_server
from helpers.exported_modules import Node, needs_node
from helpers.page_server import GAMES, MARGINS, OWN, random_moves
from helpers.sizes import scaled
from helpers.tables import by_mouse, play_on, settled, status, table
from saddlepoint.cli.common import read_game
from saddlepoint.web.site import game_files, page_files, single_file
from web.conftest import Visits

pytestmark = [pytest.mark.export, needs_node]


@pytest.fixture(scope="module")
def engine(site_folder: Path) -> Iterator[Callable[..., dict[str, Any]]]:
    """The engine of the page without a server, in Node: what is told of a review while it runs, and last, or the error."""
    with Node("reviews.mjs", site_folder) as one:
        yield lambda **message: one.ask({"do": "review", **message})


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    own = read_game(OWN)
    with running_server(games={own.name: own}) as address:
        yield address


def of_server(client: Client, number: int, **message: Any) -> tuple[dict[int, Any], dict[str, Any]]:
    """What the server tells of each position last, and at the end."""
    done = client.end_of("review", number=number, **message)
    told = {
        one["step"]: {name: value for name, value in one.items() if name != "id"}
        for one in client.of("review", number)
    }
    return told, {name: value for name, value in done.items() if name not in ("id", "kind")}


def assert_same(found: Any, wanted: Any, where: str = "") -> None:
    """The same words and whole numbers, and other numbers to 1e-6. JSON writes 1.0 as 1: only there kinds may differ."""
    if isinstance(wanted, dict):
        assert set(found) == set(wanted), where
        for name, one in wanted.items():
            assert_same(found[name], one, f"{where}.{name}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), where
        for place, one in enumerate(wanted):
            assert_same(found[place], one, f"{where}[{place}]")
    elif isinstance(wanted, float):
        assert type(found) in (float, int), (where, found, wanted)
        assert math.isclose(found, wanted, rel_tol=1e-6, abs_tol=1e-6), (where, found, wanted)
    else:
        assert type(found) is type(wanted), (where, found, wanted)
        assert found == wanted, (where, found, wanted)


def compared(engine: Any, client: Client, number: int, **message: Any) -> None:
    told = engine(**message)
    assert "done" in told, told
    wanted, done = of_server(client, number, **message)
    assert_same(told["done"], done)
    assert_same({one["step"]: one for one in told["told"]}, wanted)


@pytest.mark.parametrize("text", [*GAMES, MARGINS, OWN])
def test_a_review_is_the_server_s(engine: Any, server: str, text: str) -> None:
    game = read_game(text)
    name = game.name if text == OWN else text
    with client_of(server) as client:
        for seed in range(scaled(6, 3)):
            moves = random_moves(text, seed)
            about: dict[str, Any] = {"game": name, "start": None, "moves": moves, "players": ["You", "Club"]}
            half = {"players": ["Ann", "Ann"], "moves": moves[: max(1, len(moves) // 2)]}
            for place, (changed, nodes) in enumerate(
                (
                    ({}, 40),
                    ({}, 3000),
                    (half | {"result": game.min_utility}, 3000),  # given up
                    (half | {"result": game.max_utility, "faults": ["", "no answer in time"]}, 3000),
                    ({"moves": moves[:-1]}, 40),
                )
            ):
                compared(engine, client, 10 * seed + place, **(about | changed), nodes_per_turn=nodes)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"nodes_per_turn": 0}, "'nodes_per_turn' must be 1 to 50000000, not 0"),
        ({"nodes_per_turn": "many"}, "'nodes_per_turn' must be"),
        ({"seconds_per_turn": 600}, "'seconds_per_turn' must be 0.001 to 5, not 600"),
        ({"result": 7}, "'result' must be -1 to 1, not 7"),
        ({"result": "0"}, "'result' must be -1 to 1, not \"0\""),
        ({"result": True}, "'result' must be -1 to 1, not true"),
        ({"seconds_per_turn": "1"}, "'seconds_per_turn' must be 0.001 to 5, not \"1\""),
        ({"nodes_per_turn": [5]}, "'nodes_per_turn' must be 1 to 50000000, not [5]"),
        ({"players": ["ann"]}, "'players' and 'faults' must be two texts each"),
        ({"algorithm": "pvs"}, "a page without a server has one search of a game"),
        ({"moves": [[9, -1]]}, "move 1: 9 is not a legal action"),
        ({"game": "chess"}, "no game here is called chess"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_a_sentence(
    engine: Any, wrong: dict[str, Any], told: str
) -> None:
    answer = engine(**({"game": "tic_tac_toe", "start": None, "moves": [[0, -1]]} | wrong))
    assert answer["kind"] == "Refused"
    assert answer["error"].startswith(told)
    assert "\n" not in answer["error"]


def test_a_lost_game_is_reviewed_by_mouse_stopped_and_reviewed_again(site: str, visit: Visits) -> None:
    page = visit(table(site, "rubiks_flip", second="level:best"))
    play_on(page, by_mouse)
    assert status(page) == "You lost"
    page.get_by_role("button", name="Why did I lose?").click()
    review, story = page.locator(".analysis"), page.locator(".story li")
    review.get_by_text(re.compile(r"\d+ of \d+ searches at most")).wait_for()
    review.get_by_role("button", name="Stop").click()
    review.get_by_text("Stopped.").wait_for()
    assert story.count() == 0
    review.get_by_role("button", name="Review this game").click()
    story.first.wait_for(timeout=60_000)
    assert story.first.locator("h2").inner_text() == "What ended it"
    assert "You lost the game" in page.locator(".story").inner_text()
    assert review.get_by_role("row").filter(has_text="Accuracy").count() == 1
    page.locator(".story .there").last.click()
    page.wait_for_url(re.compile("at="))


def test_a_resignation_is_reviewed(site: str, visit: Visits) -> None:
    page = visit(table(site, "tic_tac_toe", second="level:best"))
    settled(page)
    by_mouse(page)
    settled(page, 1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Why did I lose?").click()
    page.locator(".story li").first.wait_for()
    assert "You resigned" in page.locator(".story").inner_text()


LOST = "#/analysis?g=tic_tac_toe&m=0.-1,-1.4,1.-1,-1.2,3.-1,-1.6&p0=You&p1=Best&review=1"


def test_in_one_file_too(visit: Visits, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(
        single_file(page_files([game_files("tic_tac_toe", read_game("tic_tac_toe"))], "tic_tac_toe"))
    )
    page = visit(path.as_uri() + LOST)
    page.locator(".story li").first.wait_for()
    assert "You lost the game in move 5 with 3" in page.locator(".story").inner_text()


@pytest.mark.parametrize(
    "lacks",
    [
        "WebAssembly.instantiate = async () => { throw new WebAssembly.CompileError('wasm: invalid value type'); };",
        "delete globalThis.WebAssembly;",
    ],
)
def test_a_browser_that_is_too_old_is_told_so_in_a_sentence(site: str, browser: Any, lacks: str) -> None:
    """Workers are such a browser here: they cannot be changed from outside, so their first file is."""
    page = browser.new_context(service_workers="block").new_page()
    page.route(
        "**/engine/worker.js",
        lambda route: route.fulfill(
            content_type="text/javascript",
            body=lacks + route.fetch().text(),
        ),
    )
    page.goto(table(site, "tic_tac_toe"))
    page.get_by_text(
        "this browser is too old for this page: it cannot run WebAssembly with SIMD"
    ).first.wait_for()
    page.context.close()


@pytest.mark.parametrize(
    ("fragment", "complete", "scheme"),
    [
        ("#/", ".hero .matrix", "light"),
        ("#/play?g=tic_tac_toe&a=you&b=level%3Aclub", "svg.sp-board", "light"),
        ("#/watch?g=tic_tac_toe&a=level%3Abest&b=level%3Aclub", "svg.sp-board", "light"),
        ("#/analysis?g=tic_tac_toe", ".ranking button", "light"),
        ("#/replay", ".drop", "light"),
        *((LOST, ".numbers-of-review table", scheme) for scheme in ("light", "dark")),
    ],
)
def test_axe_finds_nothing(
    site: str, visit: Visits, axe: str, fragment: str, complete: str, scheme: str
) -> None:
    page = visit(f"{site}/{fragment}", color_scheme=scheme, bypass_csp=True)
    page.locator(complete).first.wait_for()
    look(page, axe)
