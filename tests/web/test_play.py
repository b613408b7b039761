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
from web.conftest import Server, Visits

pytestmark = pytest.mark.web


@pytest.mark.parametrize("game", [RIDERS, CARDS, DROPS, FLIPS, SMALL_ROOM])
@pytest.mark.parametrize("move", [by_mouse, by_keyboard])
def test_whole_game(server: Server, visit: Visits, game: str, move: Callable[[Any], None]) -> None:
    page = visit(table(server.url, game))
    play_on(page, move)
    assert is_over(page)
    assert status(page) in ("You won", "You lost", "A draw")


@pytest.mark.parametrize("move", [by_mouse, by_keyboard])
def test_game_from_a_file(server: Server, visit: Visits, move: Callable[[Any], None]) -> None:
    page = visit(table(server.url, FROM_A_FILE))
    play_on(page, move)
    assert is_over(page)


def test_game_from_a_file_has_a_card(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/")
    page.get_by_role("button", name="Play Text Connect Four").click()
    play_on(page, by_mouse, most=1)
    assert moves(page) >= 2


def test_arrow_keys(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, RIDERS))
    play_on(page, by_arrow_keys)
    assert is_over(page)


def test_swipe(server: Server, visit: Visits) -> None:
    page = visit(
        table(server.url, RIDERS), has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
    )
    settled(page)
    swipe(page, 0, -80)
    settled(page, 0)
    assert moves(page) == 1
    assert page.locator(".history li").first.inner_text().startswith("up")
    assert page.evaluate("scrollY") == 0


def test_drag(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, FLIPS, "you", "you"))
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


def test_hidden_choices_of_two_people(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, CARDS, "you", "you"))
    settled(page)
    before = moves(page)
    assert status(page) == "Blue to move; Orange looks away"
    drawn = page.locator(".board").inner_html()
    by_mouse(page)
    page.wait_for_function(
        "() => document.querySelector('.status')?.textContent.startsWith('Orange to move')"
    )
    assert moves(page) == before
    pieces = ".sp-pieces"
    assert (
        page.locator(f".board {pieces}").inner_html() in drawn
    )  # nothing on the board tells what Blue chose
    by_mouse(page)
    settled(page, before)
    assert moves(page) > before
    assert "Blue: " in page.locator(".detail").inner_text()


def test_answer_is_asked_for_at_once_and_kept_hidden(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/answer" in request.url else None)
    page.goto(table(server.url, RIDERS))
    page.get_by_text("has chosen").wait_for()
    assert len(asked) == 1
    assert moves(page) == 0
    assert status(page) == "Your move"
