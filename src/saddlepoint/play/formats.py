"""Files of games in other formats than the library's own: what a game brings to read one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .replay import Replay


@dataclass(frozen=True)
class ReplayFormat:
    """A format in which a file is one game."""

    recognises: Callable[[bytes], bool]
    """Whether a file is of this format, by its first line, which may be no JSON."""
    read: Callable[[Sequence[bytes]], Replay]
    """The game of all its lines, whose moves are checked afterwards; raises ReplayError in one sentence."""
