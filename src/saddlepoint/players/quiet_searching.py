"""A player that searches, and leaves chance out."""

from typing import Any

from ..game import Game
from .searching import SearchPlayer


class QuietSearchPlayer(SearchPlayer):
    """A SearchPlayer that thinks about `game.quiet()`, the game in which chance does nothing.

    For games in which chance matters little as far as a search looks ahead.
    """

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        quiet: Any = game
        super().begin(quiet.quiet(), player, seed)
