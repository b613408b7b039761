"""OpenSpiel's compiled module, and what is said where it is not installed."""

from typing import Any

from ..optional import library

pyspiel: Any = library("pyspiel", "open_spiel")
"""The module; it has no type stubs."""
