"""Littman's soccer, and what it brings besides its rules."""

from ..interface import Description, attach

GAME = Description(replay_formats=("game:EPISODE",))

__getattr__, __dir__ = attach(__name__, __file__)
