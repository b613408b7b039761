"""Battlesnake for two snakes: standard, wrapped, constrictor and royale, by the rules of the official engine."""

from .game import Battlesnake
from .state import CAUSES, Snake, State

__all__ = ["CAUSES", "Battlesnake", "Snake", "State"]
