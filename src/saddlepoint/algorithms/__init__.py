"""Searches, one algorithm family a file; generic over games and evaluators.

Each is loaded when it is first asked for: a player needs one of them, and starts the sooner.
"""

from ..system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
