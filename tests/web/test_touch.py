"""On a phone: whatever is touched is 44 pixels wide and high at least, and no view is wider than the screen."""

from typing import Any

import pytest

from helpers.tables import CARDS, DROPS, FROM_A_FILE, by_mouse, play_on
from helpers.views_of_page import VIEWS
from web.conftest import Server, Visits

pytestmark = pytest.mark.web

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


def check(page: Any) -> None:
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
        check(page)


@pytest.mark.parametrize("game", [CARDS, DROPS, "oshi_zumo", FROM_A_FILE])
def test_every_table_can_be_touched(sit: Any, game: str) -> None:
    page = sit(game, look={"viewport": {"width": 360, "height": 740}, **PHONE})
    check(page)
    play_on(page, by_mouse, most=1)
    check(page)
