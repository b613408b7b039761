"""What makes players, for processes that compile: it takes long, or fails."""

import time
from pathlib import Path
from typing import Any

from saddlepoint.game.base import Game
from saddlepoint.players.base import Player, RandomPlayer

LONG = 600.0  # seconds that no test waits


class Noted(RandomPlayer):
    """A player that takes no time to compile, and notes for which game it did."""

    def __init__(self, note: str) -> None:
        self._note = Path(note)

    def warm(self, game: Game, state: Any, seats: Any = (0, 1)) -> None:
        self._note.write_text(repr(game))


def make(spec: str, game: Game) -> Player:
    """`slow` takes long, `wrong` fails, any other is the name of a file that is written when it is compiled."""
    if spec == "slow":
        time.sleep(LONG)
    if spec == "wrong":
        raise ValueError("no such player")
    return Noted(spec)
