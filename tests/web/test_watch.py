"""Watching two players on the page."""

from urllib.parse import parse_qs

import pytest

from helpers.tables import DROPS, RIDERS, moves, status, table
from saddlepoint.games.catalogue.games import shown_game
from web.conftest import Server, Visits

pytestmark = pytest.mark.web


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
