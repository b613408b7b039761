"""What the tests of the arena share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from saddlepoint.arena.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A new one, `games.db` in the test's folder."""
    with Ledger(tmp_path / "games.db") as opened:
        yield opened
