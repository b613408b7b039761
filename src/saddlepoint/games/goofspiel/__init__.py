"""Goofspiel."""

from ..interface import attach

__getattr__, __dir__ = attach(__name__, __file__)
