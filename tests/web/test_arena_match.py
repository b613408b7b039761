"""An empty Arena and an empty Replay have something to do in one click: a recorded match and game, and a match on the page."""

from typing import Any

import pytest

from web.conftest import Server, Visits

pytestmark = pytest.mark.web


def test_a_recorded_match_comes_with_the_page(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena")
    page.get_by_role("link", name="Look at a recorded match").click()
    page.locator(".game-list tbody tr").first.wait_for()
    assert page.locator(".game-list tbody tr").count() == 20
    page.get_by_role("link", name="20", exact=True).click()
    page.locator(".sp-count", has_text="0 / 23 rounds").wait_for()


def test_a_recorded_game_comes_with_the_page_and_its_end_is_not_told_at_its_start(
    server: Server, visit: Visits
) -> None:
    page = visit(f"{server.url}/#/replay")
    page.get_by_role("link", name="Look at a recorded game").click()
    heading = page.locator(".heading")
    page.locator(".sp-count", has_text="0 / 28").wait_for()
    assert "won" not in heading.inner_text()
    page.keyboard.press("End")
    page.locator(".heading", has_text="Best won after 28 rounds").wait_for()
    page.get_by_role("button", name="Analyse from here").click()
    page.locator(".crumbs", has_text="Round 28 of 28").wait_for()


def played_match(page: Any) -> list[str]:
    """The games of a match of ten, as they are told."""
    page.get_by_role("combobox", name="Game", exact=True).select_option("tic_tac_toe")
    page.get_by_role("combobox", name="The other").select_option("by:random")
    page.get_by_role("button", name="Play 10 games").click()
    page.get_by_text("10 of 10 games: ").wait_for(timeout=120_000)
    return page.locator(".match-games li").all_inner_texts()


def test_ten_games_between_two_players_are_played_on_the_page(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena")
    games = played_match(page)
    assert len(games) == 10
    assert [one.startswith("Strong") for one in games] == [True, False] * 5, "the sides are swapped"
    told = page.locator(".page-match .word").inner_text()
    strong, random = (float(part.split()[-1]) for part in told.split(":")[1].split(","))
    assert strong + random == 10 and strong > random
    bar = page.get_by_role("progressbar", name="Games of the match")
    assert bar.evaluate("bar => bar.value / bar.max") == 1
    page.reload()
    page.locator(".match-games li").first.wait_for()
    assert page.locator(".match-games li").all_inner_texts() == games, "it is kept in this browser"
    page.get_by_role("link", name="The move that lost it").first.click()
    page.locator(".story li").first.wait_for(timeout=60_000)
    page.go_back()
    page.get_by_role("button", name="Replay", exact=True).first.click()
    page.locator(".sp-count").wait_for()


def test_the_list_of_games_is_filtered_by_result_and_sorted(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena?l=0")
    rows = page.locator(".game-list tbody tr")
    rows.first.wait_for()
    page.get_by_role("combobox", name="How it ended").select_option("drawn")
    page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length === 8")
    assert set(page.locator(".game-list .points").all_inner_texts()) == {"\u00bd\u2013\u00bd"}
    page.get_by_role("combobox", name="Order").select_option("longest")
    page.locator(".game-list tbody tr:first-child .turns", has_text="47").wait_for()
    turns = [int(one) for one in page.locator(".game-list .turns").all_inner_texts()]
    assert turns == sorted(turns, reverse=True)
    page.reload()
    page.locator(".game-list tbody tr:first-child .turns", has_text="47").wait_for()
    assert rows.count() == 8
    page.get_by_role("combobox", name="How it ended").select_option("fault")
    page.get_by_text("No such games", exact=True).wait_for()
