"""The page without a server of all games, made once for all tests of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from exported_modules import needs_linker
from page_of_files import GAMES, MARGINS, OWN, made_page, serving
from web.conftest import browser, visit

__all__ = ["browser", "visit"]  # fixtures: one browser for all files, which Playwright demands of a process


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a page with small boards of every game, and one game from a file."""
    needs_linker()
    folder = made_page(tmp_path_factory.mktemp("site"), *GAMES, MARGINS, OWN)
    (folder / "package.json").write_text('{"type": "module"}')  # for Node
    return folder


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """Its address."""
    with serving(site_folder) as address:
        yield address
