"""What somebody is told who plays for the first time: hints in three rounds, a drawn round beside the rules, why it is over."""

from typing import Any

import pytest

from helpers.tables import CARDS, DROPS, FROM_A_FILE, RIDERS, by_mouse, settled, status, table
from saddlepoint.games.catalogue.games import GAMES
from web.conftest import Server, Visits, in_a_new_tab
from web.test_every_view import PHONE

pytestmark = pytest.mark.web

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


def test_a_browser_that_keeps_nothing_can_play(server: Server, visit: Visits) -> None:
    page = visit(server.url)
    page.add_init_script(_BLOCKED)
    page.goto(table(server.url, RIDERS))
    settled(page)
    assert hint(page).startswith("You and Random choose at the same time.")
    play(page)
    assert hint(page).startswith("Now both choices are shown.") or page.locator(".end").is_visible()


def test_the_rules_of_every_game_have_a_drawn_round(server: Server, visit: Visits) -> None:
    page = visit(server.url)
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
