"""Simplexity, solved as far as it goes: forced wins and losses with their distances, small boards to the end."""

from .forced import Answer, Forced, ForcedSearch, Step

__all__ = ["Answer", "Forced", "ForcedSearch", "Step"]
