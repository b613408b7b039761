"""What the tests of commands share: the program, run in this process or on a terminal of its own."""

from helpers.cli_runs import cli
from helpers.terminals import terminal

__all__ = ["cli", "terminal"]  # fixtures
