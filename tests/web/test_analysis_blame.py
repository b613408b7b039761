"""A move belongs to who made it: who went on with a game of others is not blamed for theirs."""

from typing import Any

import pytest

from web.conftest import Server, Visits
from web.test_analysis_view import analysis_of

pytestmark = pytest.mark.web


@pytest.fixture
def taken_over(server: Server, visit: Visits) -> Any:
    """The review of a game of others in which Orange had lost already, and that a person went on with and resigned."""
    page = visit(analysis_of(server.url, "tic_tac_toe", m="0.-1,-1.1,4.-1,-1.2,3.-1"))
    page.get_by_text("Play on from here").click()
    page.get_by_label("You play").select_option("1")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Why did I lose?").click()
    page.locator(".numbers-of-review h2").first.wait_for(timeout=60_000)
    return page


def test_what_others_played_before_one_took_over_is_not_blamed_on_one(taken_over: Any) -> None:
    page = taken_over
    told = page.locator(".analysis").inner_text()
    assert "You never stood even after you took over in move 6" in told
    assert "move 2" not in page.locator(".story").inner_text()
    assert page.get_by_role("button", name="Learn from your mistakes").count() == 0
    assert "No move was judged" in told
    page.get_by_role("button", name="To the start (Home)").click()
    page.get_by_role("button", name="One move on (→)").click()
    assert "Blue:" in page.locator(".said").inner_text()
    page.reload()
    page.get_by_text("You never stood even after you took over in move 6").first.wait_for(timeout=60_000)


def test_who_tries_again_in_a_game_of_ones_own_is_told_of_its_mistakes_from_the_start(
    server: Server, visit: Visits
) -> None:
    page = visit(
        analysis_of(
            server.url, "tic_tac_toe", m="0.-1,-1.1,4.-1,-1.2,8.-1", p0="Gentle", p1="You", review="1"
        )
    )
    page.get_by_role("button", name="Try again from here").last.click(timeout=60_000)
    page.locator(".status", has_text="Your move").wait_for()
    assert "since" not in page.url


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_answer_stands_beside_the_board_without_scrolling(
    server: Server, visit: Visits, width: int, height: int
) -> None:
    look = {"viewport": {"width": width, "height": height}}
    moves = "0.-1,-1.1,4.-1,-1.2,8.-1"
    page = visit(analysis_of(server.url, "tic_tac_toe", m=moves, p1="You", review="1"), **look)
    page.locator(".numbers-of-review h2").first.wait_for(timeout=60_000)
    told = page.locator(".story li h2" if width > 1000 else ".story p >> nth=0")
    assert page.evaluate("scrollY") == 0
    for box in [one.bounding_box() for one in told.all()]:
        assert box["y"] + box["height"] <= height
    headings = page.locator(".story h2").all_inner_texts()
    assert headings[0] == "What ended it" and headings[-1] == "Where it was lost"
    assert not page.locator(".panels .counts").is_visible(), "the figures of the search are folded"
    page.get_by_text("What a search sees in this position").click()
    page.locator(".panels .counts").wait_for()
