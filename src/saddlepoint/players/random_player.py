"""The player that every other one must beat."""

import random
from typing import Any

from ..game import Game
from .base import Player, PlayerError
from .clock import Clock


class RandomPlayer(Player):
    """Chooses uniformly among the actions worth searching: those that do not lose at once, where the game can tell."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = random.Random(seed)

    def choose(self, state: Any, clock: Clock) -> int:
        actions = self.game.search_actions(state, self.player)
        if not actions:
            raise PlayerError(f"player {self.player} has no choice in this position")
        return self._random.choice(actions)
