"""The best moves, each with its value and the line after it."""

import re
from typing import Any

import pytest

from helpers.tables import DROPS, RIDERS
from web.conftest import Server, Visits
from web.test_analysis_tree import address
from web.test_analysis_view import wait_for_matrix

pytestmark = pytest.mark.web


def firsts(page: Any, section: int = 0) -> list[str]:
    """The first moves of the lines of one player."""
    return [
        " ".join(one.split())
        for one in page.locator(".lines").nth(section).locator(".pv li:first-child").all_inner_texts()
    ]


def test_in_turns_the_best_moves_have_a_value_and_a_line_each(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, DROPS))
    page.locator(".panel:not(.old) .line-of-play").nth(2).wait_for()
    page.get_by_role("button", name="Pause").click()
    assert page.locator(".line-of-play").count() == 3
    shown, ranked = firsts(page), page.locator(".ranking .name").all_inner_texts()
    worth = dict(zip(ranked, page.locator(".ranking .worth").all_inner_texts(), strict=True))
    assert len(set(shown)) == 3
    assert [worth[name] for name in shown] == page.locator(".line-of-play > .worth").all_inner_texts(), (
        "the values of the list"
    )
    page.get_by_label("Lines of each player").select_option("5")
    page.locator(".line-of-play").nth(4).wait_for()
    page.get_by_label("Lines of each player").select_option("1")
    page.wait_for_function("() => document.querySelectorAll('.line-of-play').length === 1")
    page.reload()
    page.locator(".panel:not(.old) .line-of-play").wait_for()
    assert page.get_by_label("Lines of each player").input_value() == "1", "kept in this browser"


def test_where_both_choose_either_players_moves_have_lines_with_how_often_they_are_played(
    server: Server, visit: Visits
) -> None:
    page = visit(address(server.url, RIDERS))
    wait_for_matrix(page)
    page.locator(".lines").nth(1).wait_for()
    page.get_by_role("button", name="Pause").click()
    for player in (0, 1):
        section = page.locator(".lines").nth(player)
        parts = [int(one.split()[0]) for one in section.locator(".part").all_inner_texts()]
        assert parts == sorted(parts, reverse=True) and len(parts) >= 2
        sides = page.locator(f".matrix th.owner{player}").all()
        shares = sorted((float(one.get_attribute("data-share") or 0) for one in sides), reverse=True)
        assert parts == [pytest.approx(100 * one, abs=0.51) for one in shares[: len(parts)]]


def test_a_click_on_a_move_of_a_line_plays_it_as_a_variation(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, m="0.-1", at="0"))
    others = page.locator(".panel:not(.old) .line-of-play").filter(
        has=page.locator("li:first-child", has_text=re.compile("[1-8]"))
    )
    # A search of depth 1, which a slow machine shows for a while, has lines of one move.
    longer = others.filter(has=page.locator(".pv li:nth-child(2) button"))
    longer.first.wait_for()
    page.get_by_role("button", name="Pause").click()
    line = longer.first.locator(".pv button")
    names = [one.strip() for one in line.all_inner_texts()[:2]]
    line.nth(1).click()
    page.locator(".tree [aria-current]").and_(page.locator("button", has_text=names[1])).wait_for()
    moves = [one.split()[-1] for one in page.locator(".tree button").all_inner_texts()]
    assert names[0] != "0", "the line of another move than the game's"
    assert moves == ["Start", "0", *names], "under the game's first move"


def test_a_bound_is_told_as_one_and_never_as_a_value(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, RIDERS))
    told = page.evaluate(
        """async () => {
            const { Lines } = await import("/static/views/analysis/lines.js");
            const lines = new Lines({ names: ["Blue", "Orange"], range: [-1, 1], on: { line() {}, walk() {} } });
            const one = (value, bound) => lines.worth({ value, bound });
            return [one(0.3, null), one(0.3, "upper"), one(-0.3, "lower"), one(1, "upper"), one(-1, "lower"), one(-1, "upper")];
        }"""
    )
    assert told == ["+0.30", "at most +0.30", "at least \u22120.30", "\u2013", "\u2013", "at most \u22121.00"]
    page.get_by_role("region", name="Search", exact=True).get_by_label("Search").select_option("alphabeta")
    page.locator(".panel:not(.old) .line-of-play > .worth").first.wait_for()
    page.wait_for_function(
        """() => {
            const told = [...document.querySelectorAll('.panel:not(.old) .line-of-play > .worth')].map((one) => one.innerText);
            return told.length && told.every((one) => /^(at (least|most) |\\u2013)/.test(one));
        }"""
    )
