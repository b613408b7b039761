"""A move belongs to who made it: who went on with a game of others is not blamed for theirs."""

import json
from pathlib import Path
from typing import Any

import pytest

from saddlepoint.algorithms import Limits
from saddlepoint.games.catalogue.games import read_replay
from saddlepoint.games.catalogue.make import review_search_of
from saddlepoint.play.replay import finished
from saddlepoint.play.review import review_finished
from saddlepoint.play.review_words import verdict_words
from web.conftest import Server, Visits, downloaded
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


def test_a_saved_game_says_whose_the_first_moves_are_and_blames_nobody_else_for_them(
    taken_over: Any, tmp_path: Path
) -> None:
    page = taken_over
    page.get_by_text("Save: link, file, text").click()
    file = downloaded(page, "Save as a file", tmp_path / "saved.jsonl")
    line = json.loads(file.read_text(encoding="utf-8"))
    assert (line["since"], line["former"], line["players"][1]) == (5, ["Blue", "Orange"], "You")
    assert line["result"] == 1 and line["faults"][1]["kind"] == "resigned"
    played = finished(read_replay(file))
    assert (played.since, played.former) == (5, ("Blue", "Orange"))
    found = review_finished(played, review_search_of(played.game, None).algorithm, Limits(nodes=1000))
    assert found is not None
    said = " ".join(verdict_words(played, found))
    assert "You never stood even after you took over in move 6" in said
    page.get_by_text("Open: another position or a file").click()
    page.locator("input[type=file]").last.set_input_files(file)
    page.wait_for_url("**dropped**")
    page.get_by_role("button", name="Review this game").click()
    page.get_by_text("You never stood even after you took over in move 6").first.wait_for(timeout=60_000)
    assert page.get_by_role("button", name="Learn from your mistakes").count() == 0
    page.get_by_role("button", name="To the start (Home)").click()
    page.get_by_role("button", name="One move on (→)").click()
    assert "Blue:" in page.locator(".said").inner_text()


def test_who_plays_on_in_a_game_of_people_leaves_them_their_moves(
    server: Server, visit: Visits, tmp_path: Path
) -> None:
    page = visit(
        analysis_of(server.url, "tic_tac_toe", m="0.-1,-1.1,4.-1,-1.2,8.-1", p0="Ada", p1="Ben", at="3")
    )
    page.get_by_text("Play on from here").click()
    page.get_by_label("You play").select_option("1")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".status", has_text="Your move").wait_for()
    line = json.loads(downloaded(page, "Save", tmp_path / "saved.jsonl").read_text(encoding="utf-8"))
    assert (line["since"], line["former"], len(line["moves"])) == (3, ["Ada", "Ben"], 3)


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
