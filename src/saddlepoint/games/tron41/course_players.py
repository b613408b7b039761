"""The course's two simplest Tron bots: along the wall, and at random."""

import random
from typing import Any

from ...game import Game
from ...players.base import Player
from ...players.clock import Clock
from . import ACTIONS, Tron41

_UP = ACTIONS.index("U")
_AHEAD = 3
"""The safe actions after a step into the open: the cell just left is none."""


class WallPlayer(Player):
    """Keeps to walls and trails: the first safe direction whose target has fewer than 3 safe continuations.

    The directions are tried in an order drawn for each game. Where no target qualifies it takes the first safe
    direction of that order, where none is safe U. Like all of the course's bots it never enters a barrier, armor or not.
    """

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._order = [0, 1, 2, 3]
        random.Random(seed).shuffle(self._order)

    def choose(self, state: Any, clock: Clock) -> int:
        game = self.game
        assert isinstance(game, Tron41)
        safe = [action for action in self._order if game.is_safe(state, self.player, action, False)]
        for action in safe:
            if game.ways_on(state, self.player, action) < _AHEAD:
                return action
        return safe[0] if safe else _UP


class SafePlayer(Player):
    """Uniform over the safe actions, U if there is none: the course's random bot."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = random.Random(seed)

    def choose(self, state: Any, clock: Clock) -> int:
        assert isinstance(self.game, Tron41)
        safe = self.game.safe_actions(state, self.player)
        return self._random.choice(safe) if safe else _UP
