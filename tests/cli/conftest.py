"""What the tests of commands share: the program on a terminal of its own."""

from helpers.terminals import terminal

__all__ = ["terminal"]  # a fixture
