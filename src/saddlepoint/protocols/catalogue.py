"""All protocols. A new one is a folder, and a line here."""

from .asp import ASP
from .csl import CSL
from .lines import LINES
from .protocol import Protocol
from .riddles import RIDDLES

PROTOCOLS: tuple[Protocol, ...] = (LINES, RIDDLES, ASP, CSL)


def contest_of(game: str, *, bot: bool) -> Protocol | None:
    """The protocol that is for this game alone: one with a bot of ours, or else one that programs speak to us."""
    return next((one for one in PROTOCOLS if one.game == game and (one.bot if bot else one.player) is not None), None)
