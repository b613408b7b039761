"""OpenSpiel's compiled module, and what is said where it is not installed."""

from typing import Any

from ..._extras import how_to_install

try:
    import pyspiel as _found  # pyright: ignore[reportMissingImports]
except ImportError as error:
    raise ImportError(f"OpenSpiel is not installed: {how_to_install('open_spiel')}") from error

pyspiel: Any = _found
"""The module; it has no type stubs."""
