"""Tron-41, the alternating Tron with power-ups of a university course (rules of 2018 to 2021)."""

from ..interface import attach

__getattr__, __dir__ = attach(__name__, __file__)
