"""The arena on the page: a ledger's tables, also while a match writes it, and the way to the move that lost a game."""

from pathlib import Path
from typing import Any

import pytest

from helpers.lost_games import PLAYERS, match, played
from web.conftest import Visits

pytestmark = pytest.mark.web


def test_a_ledger_is_followed_while_it_grows_and_its_games_are_found(
    visit: Visits, start_server: Any, tmp_path: Path
) -> None:
    ledger = played(tmp_path / "games.db", 2)
    server = start_server("--ledger", str(ledger))
    page = visit(f"{server.url}/#/arena", viewport={"width": 1280, "height": 900})
    rows = page.locator(".game-list tbody tr")
    page.locator(".live", has_text="2 games").wait_for()
    rows.nth(1).wait_for()
    assert rows.count() == 2
    assert page.locator("#g1-ratings tbody tr").count() == 2
    assert page.locator("#g1-ratings svg.row line.bar").count() >= 2  # error bars
    assert page.locator("#g1-cross td.up, #g1-cross td.down").count() == 2

    process = match(ledger, 4)
    page.locator(".live", has_text="6 games").wait_for(timeout=120_000)
    assert process.wait(60) == 0
    page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length === 6")
    assert page.locator(".tournament").count() == 2
    process.communicate()

    for name in PLAYERS:
        page.get_by_role("combobox", name="Player", exact=True).select_option(name)
        page.get_by_label("only games it lost").check()
        page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length < 6")
        for at in range(rows.count()):
            loser = 0 if rows.nth(at).locator(".points").inner_text().startswith("0") else 1
            assert rows.nth(at).locator(".player").nth(loser).inner_text() == name
    page.get_by_role("combobox", name="Player", exact=True).select_option("")
    page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length === 6")
    page.get_by_role("link", name="The move that lost it").first.click()
    page.locator(".review .verdict:not([hidden])").first.wait_for(timeout=120_000)
    page.go_back()
    rows.first.get_by_role("rowheader").get_by_role("link").click()
    page.locator(".sp-count").wait_for()


def test_without_a_ledger_it_says_how_to_make_one(server: Any, visit: Visits) -> None:
    visit(f"{server.url}/#/arena").get_by_text("--ledger games.db").first.wait_for()
