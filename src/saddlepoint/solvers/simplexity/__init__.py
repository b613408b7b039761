"""Simplexity, solved as far as it goes: forced wins and losses with their distances, small boards to the end."""

from .forced import Forced, ForcedSearch, Step

__all__ = ["Forced", "ForcedSearch", "Step"]
