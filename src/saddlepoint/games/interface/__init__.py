"""The names of the library that a game may import, by subject: see `__init__.pyi` and docs/plugins.md.

Each is loaded when it is first asked for, so that a list of games or players loads neither rules nor searches.
"""

from ...system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
