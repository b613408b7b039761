"""A move belongs to who made it: who went on with a game of others is not blamed for theirs."""

from typing import Any

import pytest

from web.conftest import Server, Visits
from web.test_analysis_view import analysis_of

pytestmark = pytest.mark.web


@pytest.fixture
def taken_over(server: Server, visit: Visits) -> Any:
    """The review of a game of others in which Orange lost with its first move, and that a person went on with and resigned."""
    page = visit(analysis_of(server.url, "tic_tac_toe", m="0.-1,-1.1,4.-1"))
    page.get_by_text("Play on from here").click()
    page.get_by_label("You play").select_option("1")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Why did I lose?").click()
    page.locator(".numbers-of-review h2").first.wait_for(timeout=60_000)
    return page


def test_what_others_played_before_one_took_over_is_not_blamed_on_one(taken_over: Any) -> None:
    page = taken_over
    told = page.locator(".review").inner_text()
    assert "You never stood even after you took over in move 4" in told
    assert "move 2" not in page.locator(".story").inner_text()
    assert page.get_by_role("button", name="Learn from your mistakes").count() == 0
    assert "No move was judged" in told
    page.get_by_role("button", name="To the start (Home)").click()
    page.get_by_role("button", name="One move on (→)").click()
    assert "Blue:" in page.locator(".said").inner_text()
    page.reload()
    page.get_by_text("You never stood even after you took over in move 4").first.wait_for(timeout=60_000)


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
