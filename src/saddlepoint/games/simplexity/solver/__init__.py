"""Simplexity, solved as far as it goes: forced wins and losses with their distances, small boards to the end."""

from .forced import Forced, ForcedAnswer, ForcedSearch

__all__ = ["Forced", "ForcedAnswer", "ForcedSearch"]
