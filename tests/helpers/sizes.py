"""How much of a test to do: all of it among the slow tests, a part in `make test`, a small part as plain Python."""

import os

import pytest

from saddlepoint.compiled import PLAIN_PYTHON

_FULL = os.environ.get("SADDLEPOINT_TESTS") == "full"

PLAIN_ONLY = pytest.mark.skipif(
    not PLAIN_PYTHON, reason="compiled, another board of as many words or more is tried"
)
"""For boards that differ in size from those compiled, which takes seconds a size, and not in kind."""

COMPILED_ONLY = pytest.mark.skipif(
    PLAIN_PYTHON, reason="long without compilation, and smaller examples run the same lines"
)


def scaled(number: int, least: int = 12) -> int:
    """A number of examples; in `make test` an eighth of it, and a fortieth without compilation, but not less than `least`."""
    return (
        number
        if _FULL and not PLAIN_PYTHON
        else max(min(number, least), number // (40 if PLAIN_PYTHON else 8))
    )
