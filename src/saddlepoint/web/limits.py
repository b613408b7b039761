"""What the command line gives the server, and what its clients may ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game.base import Game


@dataclass(frozen=True)
class Served:
    """Own games, opponents and files: whatever else a client may name is this library's."""

    games: "Mapping[str, Game]"
    """By the texts that name them."""
    players: tuple[str, ...] = ()
    weights: Sequence[str] = ()
    """Files of weights."""
    replays: Sequence[str] = ()
    ledgers: Sequence[str] = ()
    fits: Sequence[str] = ()
    """What fits write, or shall write."""


# What one client may ask for, and all together.

MESSAGE = 65_536
"""Bytes of a request's body, and of a message on a WebSocket."""
UPLOAD = 4_000_000
"""Bytes of a file of games dropped on the page, each of which is held in memory; one named on the command line may have more."""
MOVES = 4096
"""Moves of a game."""
BRANCHES = 1000
"""Moves that were tried beside a game, in one analysis."""
POSITIONS = 1024
"""Positions in one answer."""
VARIATIONS = 200_000
"""Characters of the variations that a file has of a game."""
TEXT = 20_000
"""Characters of a position."""
SPEC = 1000
"""Characters of a game's or a player's spec."""
SECONDS = 10.0
"""Thinking time of a move."""
ANALYSIS_SECONDS = 60.0
REVIEW_SECONDS = 5.0
"""Thinking time for each turn of a review."""
NODES = 50_000_000
"""Positions that a search for one move may look at; it ends with its time, too."""
SEARCHES = 2
"""Searches at the same time; others wait."""
WAITING = 16
"""Searches that may wait for their turn."""
CALLS = 4
"""Other work (rules, pictures, ledgers) at the same time."""
CALLS_WAITING = 256
SOCKETS = 64
BODY_SECONDS = 20.0
"""Seconds in which a request's body must have come."""
PLAYERS = 6
"""Players kept ready between two moves; each has its tables."""
BOARDS = 24
"""Games of other sizes than the usual ones for which rules are compiled: what is compiled stays in memory."""


def to_json() -> dict[str, float]:
    """The limits that the page needs to know."""
    return {
        "seconds": SECONDS,
        "analysis_seconds": ANALYSIS_SECONDS,
        "nodes": NODES,
        "message": MESSAGE,
        "upload": UPLOAD,
        "moves": MOVES,
        "positions": POSITIONS,
    }
