"""What the command line gives the server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the page is there before the games are loaded
    from ..game import Game


@dataclass(frozen=True)
class Given:
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
