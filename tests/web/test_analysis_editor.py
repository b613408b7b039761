"""A position edited on the page: as text, and by clicks where the text is a grid."""

from typing import Any

import pytest

from web.conftest import Server, Visits
from web.test_analysis_tree import address, held_back

pytestmark = pytest.mark.web


def opened(page: Any) -> Any:
    """The editor's text, opened."""
    page.locator(".tree [aria-current]").wait_for()
    page.get_by_text("Edit the position").click()
    page.locator(".editor .sp-host").wait_for()
    return page.get_by_role("textbox", name="The position as text")


def pieces(page: Any) -> int:
    """How many pieces lie on the editor's board."""
    return int(page.locator(".editor .sp-pieces > *").count())


def click_on_cell(page: Any, x: int, y: int) -> None:
    """A click on a cell of the editor's board, as soon as the board stays where it is: what is above it may still be growing."""
    board = page.locator(".editor svg.sp-board")
    place = board.evaluate(
        """(svg, [x, y]) => {
            const at = new DOMPoint(x * 40 + 20, y * 40 + 20).matrixTransform(svg.getScreenCTM()), box = svg.getBoundingClientRect();
            return {x: at.x - box.x, y: at.y - box.y};
        }""",
        [x, y],
    )
    board.click(position=place)


def test_the_board_follows_the_text_and_what_is_wrong_is_said(server: Server, visit: Visits) -> None:
    visit.refusals_expected = True
    page = visit(address(server.url, m="0.-1,-1.4"))
    text = opened(page)
    page.wait_for_function("() => document.querySelectorAll('.editor .sp-pieces > *').length === 2")
    assert text.input_value() == "x../.o./..."
    text.fill("x.x/.o./..o")
    page.wait_for_function("() => document.querySelectorAll('.editor .sp-pieces > *').length === 4")
    text.fill("x.x/.o./")
    page.locator(".editor [role=status]", has_text="is no position of").wait_for()
    assert page.get_by_role("button", name="Analyse this position").is_disabled()
    text.fill("x.x/.o./..o")
    page.locator(".editor [role=status]:empty").wait_for(state="attached")
    page.get_by_role("button", name="Analyse this position").click()
    page.wait_for_url("**s=x.x**")
    page.wait_for_function("() => document.querySelectorAll('.board-and-bar .sp-pieces > *').length === 4")


def test_a_click_on_a_cell_puts_the_chosen_symbol_there(server: Server, visit: Visits) -> None:
    visit.refusals_expected = True
    page = visit(address(server.url, m="0.-1,-1.4"))
    text = opened(page)
    page.locator(".symbols").wait_for()
    for symbol, (x, y), there in (
        ("x", (2, 0), "x.x/.o./..."),
        ("o", (2, 2), "x.x/.o./..o"),
        (".", (0, 0), "..x/.o./..o"),
    ):
        page.locator(f".symbols [data-symbol='{symbol}']").click()
        click_on_cell(page, x, y)
        assert text.input_value() == there
    # One x less than o's: no position; the board shows what was put on it all the same.
    page.locator(".editor [role=status]:not(:empty)").wait_for()
    assert page.get_by_role("button", name="Analyse this position").is_disabled()


def test_the_first_position_of_light_riders_offers_its_symbols(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, "light_riders(width=6, height=6)"))
    text = opened(page)
    page.locator(".symbols [data-symbol='x']").click()
    click_on_cell(page, 2, 0)
    assert text.input_value().splitlines()[1] == "..x..."
    page.locator(".editor .sp-walls > *").first.wait_for(state="attached")
    page.get_by_role("button", name="Analyse this position").and_(page.locator(":enabled")).wait_for()


def test_a_text_that_is_no_grid_is_edited_as_text_alone(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, "goofspiel(cards=3)"))
    text = opened(page)
    text.fill(text.input_value() + " ")
    page.get_by_role("button", name="Analyse this position").and_(page.locator(":enabled")).wait_for()
    assert page.locator(".symbols").is_hidden()


def test_the_editor_begins_with_the_position_shown_unless_something_was_edited(
    server: Server, visit: Visits
) -> None:
    page = visit(address(server.url, m="0.-1,-1.4"))
    text, summary = opened(page), page.get_by_text("Edit the position")
    assert text.input_value() == "x../.o./..."
    summary.click()
    page.get_by_role("button", name="One move back (←)").click()
    page.locator(".crumbs", has_text="Move 1 of 2").wait_for()
    summary.click()
    page.wait_for_function("() => document.querySelectorAll('.editor .sp-pieces > *').length === 1")
    assert text.input_value() == "x../.../..."
    text.fill("x../.../..o")
    summary.click()
    page.get_by_role("button", name="One move back (←)").click()
    page.locator(".crumbs", has_text="Move 0 of 2").wait_for()
    summary.click()
    assert text.input_value() == "x../.../..o"


def test_what_was_clicked_is_not_analysed_before_the_server_knows_it(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, m="0.-1,-1.4"))
    text, go = opened(page), page.get_by_role("button", name="Analyse this position")
    page.locator(".symbols").wait_for()
    go.and_(page.locator(":enabled")).wait_for()
    waiting = held_back(page, "/api/from-text")
    page.locator(".symbols [data-symbol='.']").click()
    click_on_cell(page, 1, 1)
    assert text.input_value() == "x../.../..." and go.is_disabled()
    while not waiting:
        page.wait_for_timeout(50)
    waiting[0].continue_()
    go.and_(page.locator(":enabled")).wait_for()
