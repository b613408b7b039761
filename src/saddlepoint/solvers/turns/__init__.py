"""Games in turn without chance: the exact value and the best first moves, without keeping every position."""

from .search import METHODS, TurnSearch, TurnValue, bounds_in_words

__all__ = ["METHODS", "TurnSearch", "TurnValue", "bounds_in_words"]
