"""Every view of the page: axe-core objects to nothing, all can be reached by Tab, and on a phone touched without scrolling sideways."""

from typing import Any

import pytest

from helpers.accessibility import look
from helpers.lost_games import played
from helpers.tables import CARDS, DROPS, FROM_A_FILE, by_mouse, play_on, settled, table
from helpers.views_of_page import VIEWS
from web.conftest import Server, Visits

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def with_ledger(start_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server that was given a ledger."""
    return start_server("--ledger", str(played(tmp_path_factory.mktemp("ledger") / "games.db", 2)))


def look_twice(page: Any, axe: str) -> None:
    """Light, and dark as the system asks for it."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"html[data-theme={scheme}]").wait_for()
        look(page, axe)


@pytest.mark.parametrize("name", VIEWS)
def test_no_view_has_a_violation(with_ledger: Server, visit: Visits, axe: str, name: str) -> None:
    fragment, complete = VIEWS[name]
    page = visit(f"{with_ledger.url}/{fragment}", bypass_csp=True)
    page.locator(complete).first.wait_for()
    look_twice(page, axe)


def test_a_reviews_numbers_and_its_lessons_have_no_violation(
    with_ledger: Server, visit: Visits, axe: str
) -> None:
    address = "#/analysis?g=tic_tac_toe&s=xx.%2Fo..%2F..o&m=6.-1,-1.4,7.-1,-1.5&p0=You&p1=Gentle&review=1"
    page = visit(f"{with_ledger.url}/{address}", bypass_csp=True)
    page.locator(".numbers-of-review table").first.wait_for(timeout=120_000)
    page.get_by_text("The curve as a table").click()
    look_twice(page, axe)
    page.get_by_role("button", name="Learn from your mistakes").click()
    page.locator(".lesson .sp-target").first.wait_for()
    look_twice(page, axe)
    page.get_by_role("button", name="Show the answer").click()
    look_twice(page, axe)


# -- by keyboard ---------------------------------------------------------------------------------------------------------

_MARK = """() => {
  const kinds = "a[href], button:enabled, select, summary, textarea, input:enabled, .sp-target[tabindex='0']";
  const usable = [...document.querySelectorAll(kinds)]
    .filter((one) => one.checkVisibility() && !one.closest("[inert]") && !(one.type === "radio" && !one.checked) && one.tabIndex >= 0);
  usable.forEach((one, number) => { one.dataset.usable = number; });
  document.activeElement.blur?.();
  return usable.length;
}"""
_FOCUSED = """() => {
  const one = document.activeElement;
  const seen = (node) => { const style = getComputedStyle(node); return style.outlineStyle !== "none" && style.outlineWidth !== "0px"; };
  const shown = seen(one) || Boolean(one.closest("label") && seen(one.closest("label")))
    || Boolean(one.querySelector(".sp-hit") && getComputedStyle(one.querySelector(".sp-hit")).stroke !== "none");
  return [one.dataset.usable ?? "", shown, one.outerHTML.slice(0, 120)];
}"""


def check_keyboard(page: Any) -> None:
    count = page.evaluate(_MARK)
    reached, hidden = set[str](), list[str]()
    for _ in range(count + 8):
        page.keyboard.press("Tab")
        number, shown, what = page.evaluate(_FOCUSED)
        if number:
            reached.add(number)
            if not shown:
                hidden.append(what)
    assert not hidden
    missed = page.evaluate(
        "all => all.map((one) => document.querySelector(`[data-usable='${one}']`)?.outerHTML.slice(0, 120) ?? one)",
        sorted({str(number) for number in range(count)} - reached),
    )
    assert not missed


@pytest.mark.parametrize("name", ["start", "options", "analysis-open", "replay-open"])
def test_every_view(server: Server, visit: Visits, name: str) -> None:
    fragment, complete = VIEWS[name]
    page = visit(f"{server.url}/{fragment}")
    page.locator(complete).first.wait_for()
    page.wait_for_timeout(500)
    check_keyboard(page)


@pytest.mark.parametrize("game", [CARDS, DROPS, "oshi_zumo", FROM_A_FILE])
def test_every_table(server: Server, visit: Visits, game: str) -> None:
    page = visit(table(server.url, game, "you", "you"))
    settled(page)
    check_keyboard(page)


# -- by touch ------------------------------------------------------------------------------------------------------------

LEAST = 44
"""CSS pixels: what Apple's guidelines and WCAG 2.2's criterion 2.5.5 ask for."""
_SMALL = """least => [...document.querySelectorAll("button, a, select, summary, input, label.button, .choice, .switch")]
  .filter((one) => one.checkVisibility() && !one.closest("[inert]") && !one.closest(".unseen, .skip, .choice, .switch > *"))
  .filter((one) => !["checkbox", "radio", "range"].includes(one.type))
  .filter((one) => !(one.localName === "a" && getComputedStyle(one).display === "inline"))
  .map((one) => [one.innerText || one.getAttribute("aria-label") || one.localName, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < least - 0.5 || box.height < least - 0.5)
  .map(([name, box]) => `${name.trim()}: ${box.width} x ${box.height}`)"""
PHONE = {"has_touch": True, "is_mobile": True}


def check_touch(page: Any) -> None:
    assert page.evaluate(_SMALL, LEAST) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(
    "name", [name for name in VIEWS if name not in ("analysis-review", "replay", "arena")]
)
def test_every_view_can_be_touched(server: Server, visit: Visits, name: str) -> None:
    fragment, complete = VIEWS[name]
    page = visit(f"{server.url}/{fragment}", viewport={"width": 360, "height": 800}, **PHONE)
    page.locator(complete).first.wait_for()
    for width in (360, 414):
        page.set_viewport_size({"width": width, "height": 800})
        check_touch(page)


@pytest.mark.parametrize("game", [CARDS, DROPS, "oshi_zumo", FROM_A_FILE])
def test_every_table_can_be_touched(sit: Any, game: str) -> None:
    page = sit(game, look={"viewport": {"width": 360, "height": 740}, **PHONE})
    check_touch(page)
    play_on(page, by_mouse, most=1)
    check_touch(page)
