"""What a game is: its rules, its positions, specs that name it, pictures, games in users' own files, and the checker of rules."""

from ..system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
