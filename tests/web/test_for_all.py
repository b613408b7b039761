"""The page for all people: names that can be said, a focus that is not lost, and paper."""

from typing import Any

import pytest

from helpers.tables import by_keyboard, play_on
from web.conftest import Server, Visits
from web.test_analysis_view import analysis_of

pytestmark = pytest.mark.web


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
