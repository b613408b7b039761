"""axe-core finds nothing to object to on any view of the page, light and dark."""

from typing import Any

import pytest

from helpers.accessibility import look
from helpers.lost_games import played
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
