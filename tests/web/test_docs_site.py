"""The site of the documentation, where `make docs` has made it: in a browser, from a plain file server, and from disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from page_of_files import serving
from web.accessibility import axe, look
from web.conftest import Visits

__all__ = ["axe"]  # a fixture
SITE = Path(__file__).parents[2] / "build" / "docs"
pytestmark = [pytest.mark.web, pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="`make docs` has not been run")]


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Its address."""
    with serving(SITE) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "search", "solving-large", "algorithms/smab", "reference/search", "parts/play-and-watch"])
def test_no_page_has_a_violation_and_none_asks_another_host(site: str, visit: Visits, axe: str, name: str, scheme: str) -> None:
    page = visit(f"{site}/{name}.html", color_scheme=scheme, bypass_csp=True)
    look(page, axe)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["index", "commands", "algorithms", "reference/writing"])
def test_no_page_is_wider_than_the_screen(site: str, visit: Visits, name: str, width: int) -> None:
    page = visit(f"{site}/{name}.html", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_word_is_found(site: str, visit: Visits) -> None:
    page = visit(f"{site}/search.html?q=double+oracle")
    page.locator("#search-results a", has_text="Double oracle: do").first.wait_for()


def test_from_disk_a_word_is_found_too(visit: Visits) -> None:
    page = visit(f"{(SITE / 'search.html').as_uri()}?q=tremble")
    page.locator("#search-results a").first.wait_for()
