"""A position edited on the page: as text, and by clicks where the text is a grid."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from web.conftest import Server, Visits
from web.test_analysis_tree import PHONE, address, held_back

pytestmark = pytest.mark.web


@pytest.fixture
def opened(server: Server, visit: Visits) -> Callable[..., tuple[Any, Any, Any]]:
    """An analysis whose editor is open: the page, the editor's text, and the button that analyses it."""

    def at(*game: str, **more: str) -> tuple[Any, Any, Any]:
        page = visit(address(server.url, *game, **more))
        page.locator(".tree [aria-current]").wait_for()
        page.get_by_text("Edit the position").click()
        page.locator(".editor .sp-host").wait_for()
        return (
            page,
            page.get_by_role("textbox", name="The position as text"),
            page.get_by_role("button", name="Analyse this position"),
        )

    return at


def pieces(page: Any, count: int, board: str = ".editor") -> None:
    """Wait until so many pieces lie on the board, or on another one."""
    expect(page.locator(f"{board} .sp-pieces > *")).to_have_count(count)


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


def test_the_board_follows_the_text_and_what_is_wrong_is_said(opened: Any, visit: Visits) -> None:
    visit.refusals_expected = True
    page, text, go = opened(m="0.-1,-1.4")
    pieces(page, 2)
    assert text.input_value() == "x../.o./..."
    text.fill("x.x/.o./..o")
    pieces(page, 4)
    text.fill("x.x/.o./")
    page.locator(".editor [role=status]", has_text="is no position of").wait_for()
    expect(go).to_be_disabled()
    text.fill("x.x/.o./..o")
    page.locator(".editor [role=status]:empty").wait_for(state="attached")
    go.click()
    page.wait_for_url("**s=x.x**")
    pieces(page, 4, ".board-and-bar")


def test_a_click_on_a_cell_puts_the_chosen_symbol_there(opened: Any, visit: Visits) -> None:
    visit.refusals_expected = True
    page, text, go = opened(m="0.-1,-1.4")
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
    expect(go).to_be_disabled()


def test_the_first_position_of_light_riders_offers_its_symbols(opened: Any) -> None:
    page, text, go = opened("light_riders(width=6, height=6)")
    page.locator(".symbols [data-symbol='x']").click()
    click_on_cell(page, 2, 0)
    assert text.input_value().splitlines()[1] == "..x..."
    page.locator(".editor .sp-walls > *").first.wait_for(state="attached")
    expect(go).to_be_enabled()


def test_a_text_that_is_no_grid_is_edited_as_text_alone(opened: Any) -> None:
    page, text, go = opened("goofspiel(cards=3)")
    text.fill(text.input_value() + " ")
    expect(go).to_be_enabled()
    assert page.locator(".symbols").is_hidden()


def test_the_editor_begins_with_the_position_shown_unless_something_was_edited(opened: Any) -> None:
    page, text, _ = opened(m="0.-1,-1.4")
    summary = page.get_by_text("Edit the position")
    for edited, move, there in (
        ("x../.o./...", "Move 1 of 2", "x../.../..."),
        ("x../.../..o", "Move 0 of 2", "x../.../..o"),
    ):
        text.fill(edited)  # the first time it is what stands there
        summary.click()
        page.get_by_role("button", name="One move back (←)").click()
        page.locator(".crumbs", has_text=move).wait_for()
        summary.click()
        expect(text).to_have_value(there)


def test_what_was_clicked_is_not_analysed_before_the_server_knows_it(opened: Any) -> None:
    page, text, go = opened(m="0.-1,-1.4")
    expect(go).to_be_enabled()
    waiting = held_back(page, "/api/from-text")
    page.locator(".symbols [data-symbol='.']").click()
    click_on_cell(page, 1, 1)
    assert text.input_value() == "x../.../..." and go.is_disabled()
    while not waiting:
        page.wait_for_timeout(50)
    waiting[0].continue_()
    expect(go).to_be_enabled()


def test_a_head_is_moved_and_the_symbols_say_whose_they_are(opened: Any) -> None:
    page, text, go = opened("light_riders(width=6, height=6)")
    page.locator(".symbols [data-symbol='0']").click()
    for x, y in ((0, 0), (5, 5)):
        click_on_cell(page, x, y)
        assert text.input_value().splitlines()[1 + y][x] == "0"
        assert "".join(text.input_value().splitlines()[1:]).count("0") == 1
        expect(go).to_be_enabled()
    told = page.locator(".symbols button").all_inner_texts()
    assert {" ".join(one.split()) for one in told} == {"0 Blue", "1 Orange", ". free", "x wall"}


def test_on_a_phone_the_first_line_of_a_text_is_read_without_scrolling(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, "light_riders"), viewport={"width": 360, "height": 740}, **PHONE)
    page.get_by_text("Edit the position").click()
    page.locator(".editor .sp-host").wait_for()
    assert page.locator(".editor textarea").evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_what_no_game_comes_to_is_refused_with_its_cell(opened: Any, visit: Visits) -> None:
    visit.refusals_expected = True
    page, _, go = opened("connect_four")
    page.locator(".symbols [data-symbol='x']").click()
    click_on_cell(page, 3, 2)
    page.get_by_text("the x in row 3 from the top, column 4 hangs in the air").wait_for()
    expect(go).to_be_disabled()
