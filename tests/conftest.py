"""What all tests share."""

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings
from numba.core import event

import saddlepoint.cli
from helpers.accessibility import axe
from helpers.browser import CHROMIUM, MISSING
from helpers.cli_runs import cli
from helpers.flip_database import write_small_database
from helpers.sizes import scaled
from saddlepoint.compiled import PLAIN_PYTHON

__all__ = ["axe", "cli"]  # fixtures

# The first example of a property may compile for seconds.
settings.register_profile("saddlepoint", deadline=None, max_examples=scaled(100, 10 if PLAIN_PYTHON else 25))
settings.load_profile("saddlepoint")

# On a busy machine a command that a test runs in this process would say that it runs, and add a line to what the test expects.
saddlepoint.cli.COMMAND_SAID = 1e6

# `best` of Rubik's Flip would solve it, which takes half a minute: it finds a database of one position, and searches.
_DATA_HOME = tempfile.TemporaryDirectory(prefix="saddlepoint-tests-")
os.environ["XDG_DATA_HOME"] = _DATA_HOME.name
write_small_database(Path(_DATA_HOME.name, "saddlepoint", "rubiks_flip-draw.solved"))

# A run in the background may have been started with Ctrl-C or (nohup) SIGHUP ignored, and the programs it starts would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, for the whole session: Playwright takes one in a process."""
    if CHROMIUM is None:
        pytest.fail(MISSING, pytrace=False)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long to compile is compiled among the slow tests, which also try all examples of a property."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.full)
        if not PLAIN_PYTHON and _compiles_long(item):
            item.add_marker(pytest.mark.slow)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What only `make test-interop` tries is not loaded elsewhere, where its libraries are missing.

    The second run of what is marked `plain` loads the files alone in which something is: less than half of them.
    """
    if (
        "not interop" in str(config.getoption("markexpr"))
        and "interop" in collection_path.parts
        and collection_path.match("test_*.py")
    ):
        if "pytestmark = pytest.mark.interop" in collection_path.read_text(encoding="utf-8"):
            return True
    if not (
        PLAIN_PYTHON
        and str(config.getoption("markexpr")).startswith("plain ")
        and collection_path.match("test_*.py")
    ):
        return None
    return True if "mark.plain" not in collection_path.read_text(encoding="utf-8") else None


def _compiles_long(item: pytest.Item) -> bool:
    """What the nearest mark says: that of the parameters, of the test, of the file."""
    own = [mark.name for mark in item.own_markers if mark.name in ("compiles_long", "compiles_soon")]
    return own[-1] == "compiles_long" if own else item.get_closest_marker("compiles_long") is not None


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's own folder, in which it runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


class _Untraced(event.Listener):
    """Keeps coverage out of Numba's compiler, which is not measured and takes half as long again when it is traced."""

    def __init__(self) -> None:
        self._local = threading.local()

    def on_start(self, event: event.Event) -> None:
        depth = getattr(self._local, "depth", 0)
        if depth == 0:
            self._local.tracer = sys.gettrace()
            sys.settrace(None)
        self._local.depth = depth + 1

    def on_end(self, event: event.Event) -> None:
        self._local.depth -= 1
        if self._local.depth == 0:
            sys.settrace(self._local.tracer)


event.register("numba:compile", _Untraced())
