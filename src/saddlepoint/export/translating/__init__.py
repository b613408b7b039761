"""From the Python that a game's texts and pictures are written in to JavaScript: from live objects and the sources of their functions."""

from .program import translated
from .shared import translated_functions

__all__ = ["translated", "translated_functions"]
