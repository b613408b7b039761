"""The translation of a game's texts and pictures from Python to JavaScript: from live objects and the sources
of their functions.

What a game's own texts are translated with knows the game beforehand. Python that is the same for every game is handed one, and asks it
as an object: so one script serves all games.
"""

from .program import translated, translated_functions

__all__ = ["translated", "translated_functions"]
