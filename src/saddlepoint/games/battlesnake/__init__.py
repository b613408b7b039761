"""Battlesnake for two snakes: standard, wrapped, constrictor and royale, by the rules of the official engine."""

from ..interface import attach

__getattr__, __dir__ = attach(__name__, __file__)
