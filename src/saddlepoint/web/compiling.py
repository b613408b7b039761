"""Something is being compiled: who asked has to wait."""

from typing import NamedTuple


class Compiling(NamedTuple):
    """What is being compiled, and about the seconds that it still takes; None where nobody knows."""

    what: str
    left: float | None


class StillCompiling(Exception):
    """The request can be answered once something is compiled."""

    def __init__(self, compiling: Compiling) -> None:
        super().__init__(compiling.what)
        self.compiling = compiling
