"""What a player does besides moving: take back, resign, hint, flip, look back, save; and what a game outlasts."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest

from helpers.tables import (
    CARDS,
    DROPS,
    FLIPS,
    RIDERS,
    by_mouse,
    is_over,
    moves,
    play_on,
    settled,
    status,
    table,
)
from web.conftest import Server, Visits

pytestmark = pytest.mark.web


def test_take_back(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, DROPS))
    settled(page)
    assert pieces(page) == []
    back = page.get_by_role("button", name="Take back")
    assert back.is_disabled()
    play_on(page, by_mouse, most=1)
    assert moves(page) == 2
    back.click()
    settled(page)
    assert moves(page) == 0
    assert pieces(page) == []
    play_on(page, by_mouse)
    assert is_over(page)
    back.click()
    settled(page)
    assert not is_over(page)


def test_take_back_passes_over_chance(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, CARDS))
    settled(page)
    drawn = moves(page)
    play_on(page, by_mouse, most=1)
    page.get_by_role("button", name="Take back").click()
    settled(page)
    assert moves(page) == drawn == 1


def test_resign(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, FLIPS))
    settled(page)
    page.get_by_role("button", name="Resign").click()
    assert status(page) == "You resigned"
    page.reload()
    page.locator(".end").wait_for()
    assert status(page) == "You resigned"
    page.get_by_role("button", name="Take back").click()  # it was a slip
    assert status(page) == "Your move"


def test_who_resigned_at_once_may_play_again(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, FLIPS))  # it always begins in the same position
    settled(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Play again").click()
    page.get_by_text("Your move").wait_for()
    page.goto(f"{server.url}/")
    page.get_by_role("button", name="Play Rubik's Flip").click()
    page.get_by_text("Your move").wait_for()


@pytest.mark.parametrize("game", [RIDERS, DROPS, FLIPS])
def test_hint(server: Server, visit: Visits, game: str) -> None:
    page = visit(table(server.url, game))
    settled(page)
    page.route("**/api/answer", lambda route: route.continue_(post_data=quick(route.request.post_data)))
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Hint: ").wait_for()
    assert page.locator(".sp-arrow, .sp-point").count() >= 1
    by_mouse(page)
    settled(page, 0)
    assert page.locator(".sp-arrow, .sp-point").count() == 0


def quick(body: str | None) -> str:
    """A request for an answer with less to think about, as no test can wait for compiled speed without compiled code."""
    asked = json.loads(body or "{}")
    asked.pop("level", None)
    return json.dumps({**asked, "by": "random"})


def test_flip(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, RIDERS))
    settled(page)
    heads = page.locator(".sp-head")
    before = heads.first.bounding_box()
    page.get_by_role("button", name="Flip").click()
    after = heads.first.bounding_box()
    assert before["x"] != after["x"]
    assert page.locator(".top-seat").inner_text().startswith("You")
    page.keyboard.press("ArrowUp")  # what is up on the screen is down in the game
    settled(page, 0)
    assert page.locator(".history li").first.inner_text().startswith("down")


def test_orange_sits_below(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, DROPS, "by:random", "you"))
    settled(page, 0)
    assert page.locator(".top-seat").inner_text().startswith("Random")
    assert moves(page) == 1


def test_look_back(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, DROPS))
    play_on(page, by_mouse, most=1)
    played = moves(page)
    page.get_by_role("button", name="First position").click()
    assert status(page) == f"Move 0 of {played}"
    assert page.locator(".sp-target").count() == 0
    page.get_by_role("button", name="Last position").click()
    assert page.locator(".sp-target").count() > 0


def test_reload_goes_on(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, DROPS))
    play_on(page, by_mouse, most=1)
    address, played, drawn = page.url, moves(page), pieces(page)
    page.reload()
    settled(page)
    assert (page.url, moves(page)) == (address, played)
    assert pieces(page) == drawn
    page.goto("about:blank")  # as after a closed tab: from the start page, and from the bar at the top
    page.goto(server.url)
    page.get_by_role("link", name="Go on").click()
    settled(page)
    assert moves(page) == played
    page.goto(f"{server.url}/#/play")
    settled(page)
    assert moves(page) == played


def test_two_tabs_go_on_with_their_own_games(server: Server, visit: Visits) -> None:
    first = visit(table(server.url, DROPS))
    play_on(first, by_mouse, most=1)
    second = first.context.new_page()  # of the same browser, which keeps one store for both
    visit.look_at(second, server.url)
    second.goto(f"{server.url}/")
    told = second.get_by_role("link", name="Go on").locator("xpath=..").inner_text()
    assert (
        "Simplexity, You \u2013 Random, 2 moves, " in told
    )  # which, and when: the tab has no game of its own yet
    second.goto(table(server.url, FLIPS))
    play_on(second, by_mouse, most=1)
    for page, game, title in ((first, DROPS, "Simplexity"), (second, FLIPS, "Rubik's Flip")):
        page.goto("about:blank")
        page.goto(f"{server.url}/")
        assert title in page.get_by_role("link", name="Go on").locator("xpath=..").inner_text()
        page.goto(f"{server.url}/#/play")
        settled(page)
        assert parse_qs(page.url.split("?", 1)[1])["g"] == [game]


def test_no_such_game(server: Server, visit: Visits) -> None:
    visit.refusals_expected = True
    page = visit(table(server.url, "./bot.py:Game"))
    page.get_by_text("This page has no game ./bot.py:Game.").wait_for()


def test_an_end_says_why(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, "biased_rps", "you", "you"))
    settled(page)
    by_mouse(page)
    page.get_by_text("Orange to move").wait_for()
    by_mouse(page)
    page.locator(".end").wait_for()
    assert (status(page), page.locator(".detail").inner_text()) == ("A draw", "Both showed scissors.")


def test_rows_of_cards_have_the_players_names(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, CARDS))
    settled(page)
    assert page.locator(".board .sp-name").all_text_contents() == ["Random", "prizes", "You"]


def test_what_lies_there_is_told_with_the_players_names(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, "soccer", "you", "you"))
    page.locator(".sp-target").first.wait_for()
    told = page.locator(".board svg.sp-board").get_attribute("aria-label")
    assert "Orange's goal at column 7" in told
    assert "player" not in told
    assert set(page.locator(".board .sp-mark title").all_text_contents()) == {"Blue's goal", "Orange's goal"}


def test_a_step_on_the_own_cell_hides_nothing(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, "soccer", "you", "you"))
    page.locator(".sp-target").first.wait_for()
    assert page.locator(".sp-target[aria-label=stand] .sp-dot").count() == 0
    assert page.locator(".sp-target[aria-label=stand] .sp-hold").count() == 1


def pieces(page: Any) -> list[str]:
    """Where the pieces on the board are."""
    return sorted(
        page.locator(".board .sp-pieces > g").evaluate_all(
            "all => all.map((one) => one.getAttribute('transform'))"
        )
    )


def test_reload_keeps_the_hidden_choice(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, CARDS, "you", "you"))
    settled(page)
    by_mouse(page)
    page.get_by_text("Orange to move").wait_for()
    page.reload()
    page.get_by_text("Orange to move").wait_for()


def test_address_is_enough(server: Server, visit: Visits) -> None:
    first = visit(table(server.url, DROPS))
    play_on(first, by_mouse, most=1)
    other = visit(first.url)
    settled(other)
    assert moves(other) == moves(first)


def test_two_browsers(server: Server, visit: Visits) -> None:
    pages = [visit(table(server.url, game)) for game in (DROPS, RIDERS)]
    for _ in range(2):
        for page in pages:
            play_on(page, by_mouse, most=1)
    assert all(is_over(page) or moves(page) >= 2 for page in pages)
    assert pages[0].locator(".sp-board[data-board=frame]").count() == 1
    assert pages[1].locator(".sp-board[data-board=frame]").count() == 0


def test_restarted_server(start_server: Callable[..., Server], visit: Visits) -> None:
    server = start_server()
    visit.server_may_fail = True
    page = visit(table(server.url, DROPS))
    play_on(page, by_mouse, most=1)
    server.kill()
    by_mouse(page)
    page.get_by_text("The server does not answer; trying again.").wait_for()
    server.start()
    settled(page, 2)
    assert moves(page) > 2
    assert page.locator("#offline").is_hidden()
    play_on(page, by_mouse)
    assert is_over(page)


def test_restart_while_the_opponent_is_asked(start_server: Callable[..., Server], visit: Visits) -> None:
    server = start_server()
    visit.server_may_fail = True
    page = visit(table(server.url, DROPS))
    settled(page)
    page.route("**/api/answer", lambda route: (server.kill(), route.continue_()))
    by_mouse(page)
    page.get_by_text("The server does not answer").wait_for()
    page.unroute("**/api/answer")
    server.start()
    page.get_by_role("button", name="Now").click()
    settled(page, 1)
    assert moves(page) == 2


def test_compiling_is_told(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, DROPS))
    settled(page)
    waits = [{"compiling": "simplexity: random", "seconds": 12.2, "ahead": 1}]

    def answer(route: Any) -> None:
        if waits:
            route.fulfill(status=202, json=waits.pop())
        else:
            route.continue_()

    page.route("**/api/answer", answer)
    by_mouse(page)
    page.get_by_text(
        "Compiling for the first time, after 1 other, 12 s so far (simplexity: random)"
    ).wait_for()
    settled(page, 1)
    assert "Compiling" not in page.locator(".detail").inner_text()


def test_save(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, DROPS))
    settled(page)
    save = page.get_by_role("button", name="Save", exact=True)
    with page.expect_download() as saved:  # in the middle of the game, too
        save.click()
    assert json.loads(saved.value.path().read_text())["result"] is None
    with page.expect_download() as saved:
        page.get_by_role("button", name="HTML").click()
    assert saved.value.suggested_filename == "simplexity.html"
    play_on(page, by_mouse)
    with page.expect_download() as saved:
        save.click()
    line = json.loads(saved.value.path().read_text())
    assert saved.value.suggested_filename == "simplexity.jsonl"
    assert line["players"] == ["You", "Random"]


def test_why_did_i_lose(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, FLIPS))
    settled(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Why did I lose?").click()
    page.wait_for_url("**/#/analysis?**")
    asked = parse_qs(page.url.split("?", 1)[1])
    assert asked["g"] == [FLIPS]
    assert asked["review"] == ["1"]
    assert asked["p0"] == ["You"]
    assert asked["s0"] == ["you"]
    assert asked["lost"] == ["0"]


@pytest.mark.parametrize("view", ["play", "watch"])
def test_the_rules_are_one_click_from_the_board(server: Server, visit: Visits, view: str) -> None:
    page = visit(f"{server.url}/#/{view}?g=tic_tac_toe")
    page.locator(".rules summary").click()
    page.get_by_text("Three of your marks in a row, a column or a diagonal win.").wait_for()


def test_play_again(server: Server, visit: Visits) -> None:
    page = visit(table(server.url, RIDERS))
    play_on(page, by_mouse)
    page.get_by_role("button", name="Play again").click()
    page.locator(".end").wait_for(state="hidden")
    settled(page)
    assert moves(page) == 0
