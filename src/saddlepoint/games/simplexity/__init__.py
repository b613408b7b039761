"""Simplexity (ColorShapeLinks): connect four of a colour or of a shape; shape counts first."""

from ..interface import attach

__getattr__, __dir__ = attach(__name__, __file__)
