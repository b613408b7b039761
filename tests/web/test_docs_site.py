"""The site of the documentation, where `make docs` has made it: in a browser, from a plain file server, and from disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from docs_site.pages import contents

from page_of_files import serving
from web.accessibility import axe, look
from web.conftest import Visits

__all__ = ["axe"]  # a fixture
SITE = Path(__file__).parents[2] / "build" / "docs"
pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="`make docs` has not been run"),
]


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Its address."""
    with serving(SITE) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "name", ["index", "search", "stage", "algorithms/smab", "reference/search", "parts/play-and-watch"]
)
def test_no_page_has_a_violation_and_none_asks_another_host(
    site: str, visit: Visits, axe: str, name: str, scheme: str
) -> None:
    page = visit(f"{site}/{name}.html", color_scheme=scheme, bypass_csp=True)
    look(page, axe)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["index", "commands", "algorithms", "reference/writing", "stage"])
def test_no_page_is_wider_than_the_screen(site: str, visit: Visits, name: str, width: int) -> None:
    page = visit(f"{site}/{name}.html", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_word_is_found(site: str, visit: Visits) -> None:
    page = visit(f"{site}/search.html?q=double+oracle")
    page.locator("#search-results a", has_text="Double oracle: do").first.wait_for()


def test_the_matrix_of_the_stage_can_be_changed_from_disk_too(visit: Visits) -> None:
    page = visit((SITE / "stage.html").as_uri())
    page.get_by_label("up, left", exact=True).fill("9")
    page.get_by_text("The value is 7/13").wait_for()
    assert (
        page.locator("article table:visible").count() == 2
    )  # the one that was changed is shown once; the page has another one


@pytest.mark.skipif(not (SITE / "board").is_dir(), reason="`make site` has not been run before `make docs`")
@pytest.mark.parametrize("name", [*contents()["boards"]])
def test_a_live_board_is_there_in_the_place_of_a_picture(site: str, visit: Visits, name: str) -> None:
    page = visit(f"{site}/{name}.html", bypass_csp=True)
    page.locator("div.board").scroll_into_view_if_needed()
    page.frame_locator("div.board iframe").locator("main .board, main svg").first.wait_for()


def test_from_disk_a_word_is_found_too(visit: Visits) -> None:
    page = visit(f"{(SITE / 'search.html').as_uri()}?q=tremble")
    page.locator("#search-results a").first.wait_for()
