"""Games on the page: by mouse, by keyboard and by touch, against a player and between two people; every game to its end; watching."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from helpers.short_games import SHORT
from helpers.tables import (
    CARDS,
    DROPS,
    FLIPS,
    FROM_A_FILE,
    RIDERS,
    SMALL_ROOM,
    by_arrow_keys,
    by_keyboard,
    by_mouse,
    is_over,
    moves,
    play_on,
    settled,
    status,
    swipe,
    table,
)
from saddlepoint.games.catalogue.games import shown_game
from web.conftest import Server, Visits, downloaded, requests_of
from web.test_every_view import PHONE

pytestmark = pytest.mark.web


@pytest.mark.parametrize(
    ("move", "game"),
    [
        *((by_keyboard, game) for game in (RIDERS, CARDS, DROPS, FLIPS, SMALL_ROOM, FROM_A_FILE)),
        (by_mouse, FROM_A_FILE),
        (by_arrow_keys, RIDERS),
    ],
)
def test_a_game_is_played_to_its_end(sit: Any, game: str, move: Callable[[Any], None]) -> None:
    page = sit(game)
    play_on(page, move)
    assert is_over(page)
    assert status(page) in ("You won", "You lost", "A draw")


def test_game_from_a_file_has_a_card(page: Any) -> None:
    page.get_by_role("button", name="Play Text Connect Four").click()
    play_on(page, by_mouse, most=1)
    assert moves(page) >= 2


def test_swipe(sit: Any) -> None:
    page = sit(RIDERS, look={**PHONE, "viewport": {"width": 360, "height": 740}})
    swipe(page, 0, -80)
    settled(page, 0)
    assert moves(page) == 1
    assert page.locator(".history li").first.inner_text().startswith("up")
    assert page.evaluate("scrollY") == 0


def test_drag(sit: Any) -> None:
    page = sit(FLIPS, "you", "you")
    play_on(page, by_mouse, most=2)  # two tiles, of which each player may tumble the other's
    start = page.locator(".sp-stage-start")
    assert start.count()
    start.first.click()
    to = page.locator(".sp-stage-to, .sp-stage-via").first.bounding_box()
    page.reload()
    settled(page)
    box = start.first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=5)
    page.mouse.up()
    assert page.locator(".sp-picked").count() or page.locator(".sp-chooser").count() or moves(page) == 3


def test_hidden_choices_of_two_people(sit: Any) -> None:
    page = sit(CARDS, "you", "you")
    before = moves(page)
    assert status(page) == "Blue to move; Orange looks away"
    drawn = page.locator(".board").inner_html()
    by_mouse(page)
    page.wait_for_function(
        "() => document.querySelector('.status')?.textContent.startsWith('Orange to move')"
    )
    assert moves(page) == before
    # Nothing on the board tells what Blue chose.
    assert page.locator(".board .sp-pieces").inner_html() in drawn
    by_mouse(page)
    settled(page, before)
    assert moves(page) > before
    assert "Blue: " in page.locator(".detail").inner_text()


def test_answer_is_asked_for_at_once_and_kept_hidden(server: Server, page: Any) -> None:
    asked = requests_of(page, "/api/answer")
    page.goto(table(server.url, RIDERS))
    page.get_by_text("has chosen").wait_for()
    assert len(asked) == 1
    assert moves(page) == 0
    assert status(page) == "Your move"


# -- every game ----------------------------------------------------------------------------------------------------------

OWN = f"{Path(__file__).parents[2] / 'examples' / 'undercut.py'}:Undercut"
DRAWN = {"goofspiel": ("prize ",), "battlesnake": ("food ", "nothing"), "soccer": (" has the ball",)}
"""What may be read where chance moves first. By the official rules one round of a hundred has no food at a chance of 100."""


@pytest.fixture(scope="module")
def own_server(start_server: Any) -> Server:
    """A server with a game of somebody's own."""
    return start_server("--game", OWN)


@pytest.mark.parametrize("name", [*SHORT, OWN])
def test_a_game_is_played_by_mouse_to_its_end_and_saved(
    own_server: Server, visit: Visits, tmp_path: Path, name: str
) -> None:
    page = visit(table(own_server.url, name + SHORT.get(name, "")))
    play_on(page, by_mouse)
    assert is_over(page)
    assert status(page) in ("You won", "You lost", "A draw")
    drawn = page.locator(".history .chance").all_text_contents()
    assert bool(drawn) is (name in DRAWN)
    assert not drawn or any(words in drawn[0] for words in DRAWN[name])
    assert from_disk(page, visit, tmp_path) == [f"chance: {one}" for one in drawn]


def from_disk(page: Any, visit: Visits, folder: Path) -> list[str]:
    """The game saved as a page, opened from disk and stepped through: what it says at each step of chance."""
    alone = visit(downloaded(page, "HTML", folder / "game.html").as_uri())
    alone.locator(".sp-stage > :visible").first.wait_for()
    one_on = alone.get_by_role("button", name="One on")
    said: list[str] = []
    while one_on.is_enabled():
        assert len(said) < moves(page)
        one_on.click()
        said.append(alone.locator(".sp-said").inner_text().partition(" \u00b7 ")[0])  # without how it ended
    assert len(said) == moves(page)
    return [one for one in said if one.startswith("chance: ")]


# -- watching ------------------------------------------------------------------------------------------------------------


def test_watch_to_the_end_and_replay(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, DROPS, "by:random", "by:random", "watch"))
    page.get_by_label("Speed").select_option("0")
    page.get_by_role("button", name="Replay", exact=True).wait_for()
    assert "won" in status(page) or status(page) == "A draw"
    played = moves(page)
    page.get_by_role("button", name="Replay", exact=True).click()
    page.locator(".sp-replay").wait_for()
    assert page.locator(".sp-count").inner_text().endswith(f"/ {played} moves")
    page.go_back()
    page.locator(".status").wait_for()


def test_pause_and_step(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, RIDERS, "by:random", "by:random", "watch"))
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Start").wait_for()
    played = moves(page)
    page.get_by_role("button", name="Step").click()
    page.wait_for_function(
        "before => document.querySelectorAll('.history li').length === before + 1", arg=played
    )
    page.get_by_role("button", name="Start").wait_for()
    page.reload()  # what was played is still there
    page.get_by_role("button", name="Pause").wait_for()
    assert moves(page) >= played + 1


def test_watch_in_one_click(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/watch")
    page.get_by_role("button", name="Watch Connect four").click()
    page.locator(".history li").first.wait_for()
    page.get_by_role("button", name="Flip the board").click()
    page.get_by_role("button", name="Pause").click()


@pytest.mark.parametrize(
    ("view", "button", "game"),
    [
        ("watch", "Watch the best two play Connect four", "connect_four"),
        ("?g=light_riders(width=6, height=5)", "Watch the best two", "width=6"),
        ("", "Watch the best two", shown_game()),
    ],
)
def test_the_best_two_play_after_one_click(
    server: Server, visit: Visits, view: str, button: str, game: str
) -> None:
    page = visit(f"{server.url}/#/{view}")
    page.get_by_role("button", name=button).click()
    page.locator(".history li").first.wait_for()
    asked = parse_qs(page.url.split("?", 1)[1])
    assert asked["a"] == asked["b"] == ["level:best"]
    assert game in asked["g"][0]
    page.get_by_role("link", name="New", exact=True).click()
    # The best were no choice of the form.
    assert page.get_by_role("combobox", name="Blue").input_value() == "level:club"


def test_a_square_board_that_is_watched_is_seen_whole(server: Server, visit: Visits) -> None:
    page = visit(
        table(server.url, "battlesnake", "level:gentle", "level:gentle", view="watch"),
        viewport={"width": 1280, "height": 800},
    )
    page.locator("svg.sp-board").wait_for()
    assert page.locator("svg.sp-board").evaluate("(one) => one.getBoundingClientRect().bottom <= innerHeight")
