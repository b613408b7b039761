"""How a protocol begins, and what answers it: by this it is found out which one a program speaks."""

from collections.abc import Callable
from dataclasses import dataclass

LONGEST_SHOWN = 60
"""Characters of what a program wrote that a message quotes."""


@dataclass(frozen=True)
class Opening:
    """What a program is told at the start of a game."""

    lines: tuple[str, ...]
    answers: Callable[[str], bool]
    """Whether a line that the program wrote is the answer to it, which no other protocol has."""
    expected: str
    """The answer in words, for a message."""
    refuses: Callable[[str], bool] = lambda line: False
    """Whether a line says, in this protocol, that the program cannot play."""


def quoted(line: str) -> str:
    """What a program wrote, short and printable, in quotes."""
    return repr(line[:LONGEST_SHOWN]) + ("..." if len(line) > LONGEST_SHOWN else "")
