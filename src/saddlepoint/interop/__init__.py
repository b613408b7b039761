"""Other libraries' interfaces, each in a file or a folder of its own, which alone loads its library; and batches of games as arrays."""

from ..system.lazy import attach

__getattr__, __dir__ = attach(__name__, __file__)
