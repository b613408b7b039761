"""The games. To add one, write a file or a folder here, and its line in the list, `__init__.pyi`."""

from ..system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
