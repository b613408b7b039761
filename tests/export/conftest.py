"""The page without a server of all games, made once for all tests of it."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.exported_modules import needs_linker
from helpers.page_server import GAMES, MARGINS, OWN, made_page, serving
from web.conftest import visit

__all__ = ["visit"]  # a fixture


@pytest.fixture(scope="session")
def linker() -> None:
    """Skip where the extra is not installed."""
    needs_linker()


@pytest.fixture(scope="session")
def site_folder(linker: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a page with small boards of every game, and one game from a file: made by the process that asks first, for all."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for_node = shared / "site" / "package.json"
        if not for_node.exists():
            made_page(shared / "site", *GAMES, MARGINS, OWN)
            for_node.write_text('{"type": "module"}')
    return shared / "site"


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """Its address."""
    with serving(site_folder) as address:
        yield address
