"""Whole games of each kind on the page: by mouse, by keyboard and by touch, against a player and between two people."""

from collections.abc import Callable
from typing import Any

import pytest

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
from web.conftest import Server, Visits, requests_of
from web.test_touch import PHONE

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


def test_game_from_a_file_has_a_card(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/")
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


def test_answer_is_asked_for_at_once_and_kept_hidden(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/")
    asked = requests_of(page, "/api/answer")
    page.goto(table(server.url, RIDERS))
    page.get_by_text("has chosen").wait_for()
    assert len(asked) == 1
    assert moves(page) == 0
    assert status(page) == "Your move"
