"""Other libraries' interfaces to the games, and batches of games as arrays."""

from ..lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
