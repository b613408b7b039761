"""Two-player games, simultaneous-move or turn-based: search, equilibria, arena."""

from .lazy import attach

# Numba takes most of half a second to import: not before a name is used that needs it.
__getattr__, __dir__ = attach(__name__, __file__)
