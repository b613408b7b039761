"""What a player does besides moving, what a game outlasts, and what somebody is told who plays for the first time."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from helpers.tables import (
    CARDS,
    DROPS,
    FLIPS,
    FROM_A_FILE,
    RIDERS,
    by_mouse,
    is_over,
    moves,
    play_on,
    settled,
    status,
    table,
)
from saddlepoint.games.catalogue.games import GAMES
from web.conftest import Server, Visits, downloaded, in_a_new_tab
from web.test_every_view import PHONE

pytestmark = pytest.mark.web


def pieces(page: Any) -> list[str]:
    """Where the pieces on the board are."""
    return sorted(
        page.locator(".board .sp-pieces > g").evaluate_all(
            "all => all.map((one) => one.getAttribute('transform'))"
        )
    )


def button(page: Any, name: str) -> Any:
    """A button of this name."""
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize(("game", "drawn", "after"), [(DROPS, 0, 2), (CARDS, 1, 3)])
def test_taking_back_gives_the_position_before_the_own_move_and_passes_over_chance(
    sit: Any, game: str, drawn: int, after: int
) -> None:
    page = sit(game)
    back, before = button(page, "Take back"), pieces(page)
    assert moves(page) == drawn
    assert back.is_disabled()
    play_on(page, by_mouse, most=1)
    assert moves(page) == after
    back.click()
    settled(page)
    assert (moves(page), pieces(page)) == (drawn, before)
    play_on(page, by_mouse)
    assert is_over(page)
    back.click()
    settled(page)
    assert not is_over(page)


def test_who_resigned_may_take_it_back_play_again_or_ask_why(sit: Any, server: Server) -> None:
    page = sit(FLIPS)  # it always begins in the same position
    button(page, "Resign").click()
    assert status(page) == "You resigned"
    page.reload()
    page.locator(".end").wait_for()
    assert status(page) == "You resigned"
    button(page, "Take back").click()  # it was a slip
    assert status(page) == "Your move"
    button(page, "Resign").click()
    button(page, "Play again").click()
    page.get_by_text("Your move").wait_for()
    page.goto(f"{server.url}/")
    page.get_by_role("button", name="Play Rubik's Flip").click()
    page.get_by_text("Your move").wait_for()
    button(page, "Resign").click()
    button(page, "Why did I lose?").click()
    page.wait_for_url("**/#/analysis?**")
    asked = parse_qs(page.url.split("?", 1)[1])
    assert asked | {"g": [FLIPS], "review": ["1"], "p0": ["You"], "s0": ["you"], "lost": ["0"]} == asked


@pytest.mark.parametrize("game", [RIDERS, DROPS, FLIPS])
def test_a_hint_is_drawn_until_the_next_move(sit: Any, game: str) -> None:
    page = sit(game)
    page.route("**/api/answer", lambda route: route.continue_(post_data=quick(route.request.post_data)))
    button(page, "Hint").click()
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


def test_on_a_flipped_board_up_on_the_screen_is_down_in_the_game(sit: Any) -> None:
    page = sit(RIDERS)
    heads = page.locator(".sp-head")
    before = heads.first.bounding_box()
    page.get_by_role("button", name="Flip").click()
    assert heads.first.bounding_box()["x"] != before["x"]
    assert page.locator(".top-seat").inner_text().startswith("You")
    page.keyboard.press("ArrowUp")
    settled(page, 0)
    assert page.locator(".history li").first.inner_text().startswith("down")


def test_who_has_the_second_seat_sits_below(sit: Any) -> None:
    page = sit(DROPS, "by:random", "you")
    assert page.locator(".top-seat").inner_text().startswith("Random")
    assert moves(page) == 1


def test_the_game_is_looked_back_at_and_saved_at_any_time(sit: Any, tmp_path: Path) -> None:
    page = sit(DROPS)
    assert json.loads(downloaded(page, "Save", tmp_path / "begun").read_text())["result"] is None
    with page.expect_download() as saved:
        button(page, "HTML").click()
    assert saved.value.suggested_filename == "simplexity.html"
    play_on(page, by_mouse, most=1)
    page.get_by_role("button", name="First position").click()
    assert status(page) == "Move 0 of 2"
    assert page.locator(".sp-target").count() == 0
    page.get_by_role("button", name="Last position").click()
    assert page.locator(".sp-target").count() > 0
    play_on(page, by_mouse)
    with page.expect_download() as saved:
        button(page, "Save").click()
    assert saved.value.suggested_filename == "simplexity.jsonl"
    assert json.loads(saved.value.path().read_text())["players"] == ["You", "Random"]


def test_a_game_goes_on_after_a_reload_a_closed_tab_and_by_its_address_alone(
    server: Server, visit: Visits, sit: Any
) -> None:
    page = sit(DROPS)
    play_on(page, by_mouse, most=1)
    address, played, drawn = page.url, moves(page), pieces(page)
    page.reload()
    settled(page)
    assert (page.url, moves(page), pieces(page)) == (address, played, drawn)
    other = visit(address)  # in another browser
    settled(other)
    assert moves(other) == played
    # as after a closed tab: from the start page, and from the bar at the top
    in_a_new_tab(page, server.url)
    page.get_by_role("link", name="Go on").click()
    settled(page)
    assert moves(page) == played
    page.goto(f"{server.url}/#/play")
    settled(page)
    assert moves(page) == played


def test_two_tabs_go_on_with_their_own_games(server: Server, visit: Visits, sit: Any) -> None:
    first = sit(DROPS)
    play_on(first, by_mouse, most=1)
    second = first.context.new_page()  # of the same browser, which keeps one store for both
    visit.look_at(second, server.url)
    second.goto(f"{server.url}/")
    assert (
        "Simplexity, You \u2013 Random, 2 moves, "
        in second.get_by_role("link", name="Go on").locator("xpath=..").inner_text()
    )
    second.goto(table(server.url, FLIPS))
    play_on(second, by_mouse, most=1)
    for page, game, title in ((first, DROPS, "Simplexity"), (second, FLIPS, "Rubik's Flip")):
        in_a_new_tab(page, f"{server.url}/")
        assert title in page.get_by_role("link", name="Go on").locator("xpath=..").inner_text()
        page.goto(f"{server.url}/#/play")
        settled(page)
        assert parse_qs(page.url.split("?", 1)[1])["g"] == [game]


def test_a_hidden_choice_outlasts_a_reload_and_the_end_says_why(sit: Any) -> None:
    page = sit("biased_rps", "you", "you")
    by_mouse(page)
    page.get_by_text("Orange to move").wait_for()
    page.reload()
    page.get_by_text("Orange to move").wait_for()
    by_mouse(page)
    page.locator(".end").wait_for()
    assert (status(page), page.locator(".detail").inner_text()) == ("A draw", "Both showed scissors.")


def test_rows_of_cards_have_the_players_names(sit: Any) -> None:
    assert sit(CARDS).locator(".board .sp-name").all_text_contents() == ["Random", "prizes", "You"]


def test_what_lies_there_is_told_with_the_players_names_and_a_step_on_the_own_cell_hides_nothing(
    server: Server, visit: Visits
) -> None:
    page = visit(table(server.url, "soccer", "you", "you"))
    page.locator(".sp-target").first.wait_for()
    told = page.locator(".board svg.sp-board").get_attribute("aria-label")
    assert "Orange's goal at column 7" in told
    assert "player" not in told
    assert set(page.locator(".board .sp-mark title").all_text_contents()) == {"Blue's goal", "Orange's goal"}
    stand = page.locator(".sp-target[aria-label=stand]")
    assert (stand.locator(".sp-dot").count(), stand.locator(".sp-hold").count()) == (0, 1)


@pytest.fixture(scope="module")
def mortal(start_server: Callable[..., Server]) -> Server:
    """A server to be killed and started again."""
    return start_server()


def test_a_game_outlasts_its_server(mortal: Server, visit: Visits) -> None:
    visit.server_may_fail = True
    page = visit(table(mortal.url, DROPS))
    play_on(page, by_mouse, most=1)
    mortal.kill()
    by_mouse(page)
    page.get_by_text("The server does not answer; trying again.").wait_for()
    mortal.start()
    settled(page, 2)
    assert moves(page) > 2
    assert page.locator("#offline").is_hidden()
    play_on(page, by_mouse)
    assert is_over(page)


def test_an_opponent_who_was_asked_when_the_server_ended_is_asked_again(
    mortal: Server, visit: Visits
) -> None:
    visit.server_may_fail = True
    page = visit(table(mortal.url, DROPS))
    settled(page)
    page.route("**/api/answer", lambda route: (mortal.kill(), route.continue_()))
    by_mouse(page)
    page.get_by_text("The server does not answer").wait_for()
    page.unroute("**/api/answer")
    mortal.start()
    button(page, "Now").click()
    settled(page, 1)
    assert moves(page) == 2


def test_compiling_is_told(sit: Any) -> None:
    page = sit(DROPS)
    waits = [{"compiling": "simplexity: random", "seconds": 12.2, "ahead": 1}]

    def answer(route: Any) -> None:
        if waits:
            route.fulfill(status=202, json=waits.pop())
        else:
            route.continue_()

    page.route("**/api/answer", answer)
    by_mouse(page)
    page.get_by_text(
        "Getting ready for the first time, after 1 other, 12 s so far (simplexity: random)"
    ).wait_for()
    settled(page, 1)
    assert "Compiling" not in page.locator(".detail").inner_text()


@pytest.mark.parametrize("view", ["play", "watch"])
def test_the_rules_are_one_click_from_the_board(server: Server, visit: Visits, view: str) -> None:
    page = visit(f"{server.url}/#/{view}?g=tic_tac_toe")
    page.locator(".rules summary").click()
    page.get_by_text("Three of your marks in a row, a column or a diagonal win.").wait_for()


# -- first games ---------------------------------------------------------------------------------------------------------

LEFT = "0.2,0.2,0.2"
"""Blue leaves the 6x6 field, Orange does not."""
_BLOCKED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("blocked", "SecurityError"); },
});"""
_DRAWN = """all => all.map((one) => one.querySelector(".sp-board:not([hidden]), .sp-text:not([hidden])")
  ?.outerHTML.replaceAll(/sp-\\d+-/g, ""))"""
_LASTS = """line => [[line, null], [line.querySelector(".player"), "::after"]]
  .map(([one, part]) => parseFloat(getComputedStyle(one, part).animationDuration))"""
"""Seconds of the animations of the winner's line."""


def hint(page: Any) -> str:
    """The hint above the board."""
    return page.locator(".coach p").inner_text()


def play(page: Any, move: str = "ArrowUp") -> None:
    """One round by an arrow key."""
    before = page.locator(".history li").count()
    page.keyboard.press(move)
    settled(page, before)


def test_three_rounds_have_a_hint_and_no_more_ever(sit: Any) -> None:
    page = sit("light_riders(width=12, height=12)")
    assert hint(page) == (
        "You and Random choose at the same time. Neither sees the other's choice. "
        "Click a marked place on the board, or press an arrow key."
    )
    play(page)
    other = page.locator(".history .move.p1").last.inner_text()
    assert hint(page) == f"Now both choices are shown. You chose up, Random chose {other}."
    play(page)
    assert all(button in hint(page) for button in ("Hint ", "Take back ", "Rules "))
    where = page.locator(".sp-board").bounding_box()
    play(page)
    assert not page.locator(".coach").is_visible()
    assert page.locator(".sp-board").bounding_box() == where  # nothing moves under the pointer
    page.get_by_role("link", name="New", exact=True).click()
    page.get_by_role("button", name="Play").click()
    settled(page)
    assert page.locator(".coach").count() == 0


def test_hints_are_ended_by_a_click(server: Server, sit: Any) -> None:
    page = sit(RIDERS)
    page.get_by_role("button", name="No more tips").click()
    assert page.locator(".coach").count() == 0
    for game in (RIDERS, DROPS):
        in_a_new_tab(page, table(server.url, game))
        settled(page)
        assert page.locator(".coach").count() == 0


def test_a_game_in_turn_says_whose_turn_it_is(sit: Any) -> None:
    page = sit(DROPS)
    assert hint(page).startswith("You move now, then it is Random's turn. Click a marked place on the board.")
    by_mouse(page)
    settled(page, 1)
    assert hint(page).startswith("Random chose ")


@pytest.mark.parametrize(
    ("game", "seats", "look", "said"),
    [
        (CARDS, ("you", "you"), {}, "Both choose before anything is shown. Orange looks away now."),
        (RIDERS, (), PHONE, "Tap a marked place on the board, or swipe over the board."),
    ],
)
def test_two_people_are_told_to_look_away_and_with_fingers_the_hint_speaks_of_fingers(
    sit: Any, game: str, seats: tuple[str, ...], look: dict[str, Any], said: str
) -> None:
    assert said in hint(sit(game, *seats, look={**look, "viewport": {"width": 390, "height": 844}}))


def test_a_browser_that_keeps_nothing_can_play(server: Server, page: Any) -> None:
    page.add_init_script(_BLOCKED)
    page.goto(table(server.url, RIDERS))
    settled(page)
    assert hint(page).startswith("You and Random choose at the same time.")
    play(page)
    assert hint(page).startswith("Now both choices are shown.") or page.locator(".end").is_visible()


def test_the_rules_of_every_game_have_a_drawn_round(server: Server, page: Any) -> None:
    for game in (FROM_A_FILE, *GAMES):
        in_a_new_tab(page, table(server.url, game))
        page.locator(".rules summary").click()
        page.locator(".round").wait_for()
        boards, players = page.locator(".round .board"), page.locator(".round .player").count()
        before, after = boards.evaluate_all(_DRAWN)
        assert before and after and before != after, game
        assert ("Both choose at the same time: Blue " in page.locator(".round p").inner_text()) == (
            players == 2
        ), game
        arrows = [boards.nth(at).locator(".sp-arrow").count() for at in (0, 1)]
        assert arrows[1] == 0, game
        assert arrows[0] == players or game not in ("light_riders", "simplexity", "goofspiel"), game


def test_rules_without_a_drawing_are_words(server: Server, visit: Visits) -> None:
    visit.refusals_expected = True
    page = visit(server.url)
    page.route("**/api/middle", lambda route: route.fulfill(status=400, json={"error": "no"}))
    page.goto(table(server.url, RIDERS))
    page.locator(".rules summary").click()
    page.wait_for_timeout(300)
    assert page.locator(".rules li").count() >= 3
    assert not page.locator(".round").is_visible()


@pytest.mark.parametrize(
    ("seats", "said", "why", "winner"),
    [
        (("you", "by:random"), "You lost", "You left the field.", "Random"),
        (("by:random", "you"), "You won", "Random left the field. Well played.", "You"),
        (("you", "you"), "Orange won", "Blue left the field.", "Orange"),
    ],
)
def test_the_end_is_told_to_you_and_two_people_are_called_by_their_colours(
    sit: Any, seats: tuple[str, str], said: str, why: str, winner: str
) -> None:
    page = sit(RIDERS, *seats, m=LEFT)
    assert (status(page), page.locator(".detail").inner_text()) == (said, why)
    assert page.locator(".line.won").inner_text().startswith(winner)
    assert page.locator(".coach").count() == 0  # nothing is to be chosen any more
    assert page.get_by_role("button", name="Why did I lose?").is_visible() == (said == "You lost")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_win_is_celebrated_for_a_moment(sit: Any, motion: str) -> None:
    lasts = (
        sit(RIDERS, "by:random", "you", m=LEFT, look={"reduced_motion": motion})
        .locator(".line.won")
        .evaluate(_LASTS)
    )
    assert all(time == 0 for time in lasts) if motion == "reduce" else all(0 < time < 2 for time in lasts)


def test_a_hint_on_a_card_leaves_its_number_free(sit: Any) -> None:
    page = sit("goofspiel(cards=4)", "you", "by:random")
    page.get_by_role("button", name="Hint").click()
    page.locator(".sp-arrow path").first.wait_for(state="attached")
    marks = page.locator(".sp-arrow path").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    numbers = page.locator(".sp-board .sp-label").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map((box) => [box.top + box.height / 2, box.height])"
    )
    assert all(abs(mark - middle) > 0.3 * height for mark in marks for middle, height in numbers)
