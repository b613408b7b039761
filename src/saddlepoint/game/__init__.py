"""Games: rules, positions, specs that name them, pictures, games in users' own files, and the checker of
rules.
"""

from ..system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
