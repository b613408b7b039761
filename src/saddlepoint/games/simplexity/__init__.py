"""Simplexity (ColorShapeLinks): connect four of a colour or of a shape; shape counts first."""

from .game import Simplexity
from .state import DRAW, RED, RED_WON, ROUND, SQUARE, UNDECIDED, WHITE, WHITE_WON, State

__all__ = ["DRAW", "RED", "RED_WON", "ROUND", "SQUARE", "UNDECIDED", "WHITE", "WHITE_WON", "Simplexity", "State"]
