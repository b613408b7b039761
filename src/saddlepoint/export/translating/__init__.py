"""From the Python that a game's texts and pictures are written in to JavaScript: from live objects and the sources of their functions."""

from .program import translated

__all__ = ["translated"]
