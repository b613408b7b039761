"""The keys of the page, which go through a game after any click; and the page for all people: names, a focus that is not lost, paper."""

from collections.abc import Callable
from typing import Any

import pytest

from helpers.tables import RIDERS, by_keyboard, by_mouse, play_on, settled, table
from web.conftest import Server, Visits
from web.test_analysis_view import analysis_of

pytestmark = pytest.mark.web

_SHOWN = """() => {
  const list = document.querySelector(".history").getBoundingClientRect();
  const move = document.querySelector(".history [aria-current]").getBoundingClientRect();
  return [move.top - list.top, list.bottom - move.bottom];
}"""


def clicked(page: Any, where: str) -> None:
    """What a person may click between two keys."""
    if where == "empty page":
        page.mouse.click(3, 500)
    elif where == "a toggle":
        page.locator(".switch", has_text="arrows").click()
    elif where == "a chosen time":
        page.get_by_label("Seconds for a position").click()
        page.get_by_label("Seconds for a position").select_option("5")
    else:
        page.locator(".tree button").last.click()


@pytest.mark.parametrize("where", ["empty page", "a toggle", "a chosen time", "a move of the list"])
def test_arrow_keys_go_through_an_analysis_after_any_click(server: Server, visit: Visits, where: str) -> None:
    page = visit(
        analysis_of(server.url, "tic_tac_toe", m="0.-1,-1.1,4.-1"), viewport={"width": 1280, "height": 900}
    )
    slider = page.get_by_label("Move", exact=True)
    page.wait_for_function("() => document.querySelector('.stepping input')?.value === '3'")
    clicked(page, where)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('.stepping input')?.value === '2'")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.stepping input')?.value === '0'")
    assert slider.input_value() == "0"


def test_arrow_keys_go_through_a_watched_game_and_through_a_played_one(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, "tic_tac_toe", "by:random", view="watch"))
    page.get_by_label("Speed").select_option("0")
    page.get_by_role("button", name="Replay").wait_for()
    count = page.locator(".history li").count()
    page.locator(".history button").nth(2).click()
    page.keyboard.press("ArrowLeft")
    page.locator(".status", has_text=f"Move 2 of {count}").wait_for()
    page.mouse.click(3, 500)
    page.keyboard.press("ArrowRight")
    page.locator(".status", has_text=f"Move 3 of {count}").wait_for()
    page.goto(table(server.url, "tic_tac_toe"))
    play_on(page, by_mouse, most=2)
    page.mouse.click(3, 500)
    page.keyboard.press("ArrowLeft")
    page.locator(".status", has_text="Move 3 of 4").wait_for()


def test_where_arrow_keys_are_moves_they_stay_moves(sit: Callable[..., Any]) -> None:
    page = sit(RIDERS, "you", "by:random")
    page.mouse.click(3, 500)
    page.keyboard.press("ArrowUp")
    settled(page, 0)
    page.keyboard.press("PageUp")
    page.locator(".status", has_text="Round 0 of 1").wait_for()


def test_a_question_mark_lists_the_keys_of_the_view(sit: Callable[..., Any]) -> None:
    page = sit("tic_tac_toe", "you", "by:random")
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys")
    assert "One move back" in listed.inner_text() and "This list" in listed.inner_text()
    page.keyboard.press("Escape")
    listed.wait_for(state="detached")
    page.goto(page.url.partition("#")[0] + "#/")
    page.get_by_role("button", name="Keys").click()
    assert "One move back" not in page.get_by_role("dialog", name="Keys").inner_text()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_list_of_moves_shows_the_last_one(server: Server, visit: Visits, width: int) -> None:
    page = visit(
        table(server.url, "goofspiel(cards=13)", "by:random", view="watch"),
        viewport={"width": width, "height": 800},
    )
    page.get_by_label("Speed").select_option("0")
    page.get_by_role("button", name="Replay").wait_for(timeout=60_000)
    above, below = page.evaluate(_SHOWN)
    assert above > 0 and below >= -1


# -- for all people ------------------------------------------------------------------------------------------------------


def test_cells_have_names_that_say_where_they_are(sit: Any) -> None:
    page = sit("tic_tac_toe", "you", "by:random")
    labels = [one.get_attribute("aria-label") for one in page.locator(".sp-target").all()]
    assert len(labels) == 9 and all(label[0].isdigit() and "," in label for label in labels)
    page = sit("light_riders(width=6, height=6)", "you", "by:random")
    assert "Your head at" in page.locator("svg.sp-board").get_attribute("aria-label")


def test_after_a_game_by_keyboard_the_next_game_has_the_focus(sit: Any) -> None:
    page = sit("tic_tac_toe", "you", "by:random")
    play_on(page, by_keyboard)
    page.get_by_role("button", name="Play again").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Play again"


def test_who_plays_what_is_told_of_each_line_and_cell(server: Server, visit: Visits) -> None:
    page = visit(analysis_of(server.url, "light_riders(width=6, height=6)"))
    page.locator(".matrix button.played").first.wait_for(timeout=60_000)
    assert page.locator(".matrix button").first.get_attribute("aria-label").startswith("Blue ")
    label = page.locator(".pv button").first.get_attribute("aria-label")
    assert label.startswith("Blue: ") and ", Orange: " in label


def test_paper_is_light_and_keeps_its_bars(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena", color_scheme="dark")
    page.locator(".page-match").wait_for()
    page.emulate_media(media="print")
    page.locator("html[data-theme=light]").wait_for(state="attached")
    assert page.evaluate("getComputedStyle(document.body).printColorAdjust") == "exact"
    page.emulate_media(media="screen")
    page.locator("html[data-theme=dark]").wait_for(state="attached")
