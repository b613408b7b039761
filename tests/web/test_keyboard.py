"""Everything that can be used is reached by Tab, and where the focus is can be seen."""

from typing import Any

import pytest

from helpers.tables import CARDS, DROPS, FROM_A_FILE, settled, table
from helpers.views_of_page import VIEWS
from web.conftest import Server, Visits

pytestmark = pytest.mark.web

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


def check(page: Any) -> None:
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
    check(page)


@pytest.mark.parametrize("game", [CARDS, DROPS, "oshi_zumo", FROM_A_FILE])
def test_every_table(server: Server, visit: Visits, game: str) -> None:
    page = visit(table(server.url, game, "you", "you"))
    settled(page)
    check(page)
