"""What a game may import from the library: the names in `__init__.pyi`, by subject. docs/plugins.md is their list.

Each is loaded when it is first asked for, so that a list of games or players loads neither rules nor searches.
"""

from ...system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
