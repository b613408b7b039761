"""Files of games in other formats than the library's own: what a game brings to read one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .replay import Replay


@dataclass(frozen=True)
class ReplayFormat:
    """A format in which a file is one game, or several, one after the other."""

    recognises: Callable[[bytes], bool]
    """Whether a game of this format begins with this line, which may be no JSON; of an object over many lines all of them."""
    read: Callable[[Sequence[bytes]], Replay]
    """The game of its lines, whose moves are checked afterwards; raises ReplayError in one sentence."""
