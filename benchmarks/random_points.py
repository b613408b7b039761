"""Goofspiel-like random games: every joint action is worth a point to either player or to none; more points win."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint.compiled import kernel, mix
from saddlepoint.game.base import SIMULTANEOUS, TERMINAL, Game


class State(NamedTuple):
    """Which random game, and how far it is."""

    key: np.uint64
    left: int
    """Rounds to come."""
    points: int
    """Player 0's less player 1's."""


@dataclass(frozen=True)
class RandomPoints(Game):
    """`rounds` rounds of `actions` actions each; -1, 0 or +1 points for a joint action, drawn from the path's hash."""

    rounds: int = 6
    actions: int = 3

    name: ClassVar[str] = "random_points"

    @property
    def max_actions(self) -> int:
        return self.actions

    @property
    def max_depth(self) -> int:
        return self.rounds

    def initial_state(self, seed: int = 0) -> State:
        return State(np.uint64(seed * 7919 + 17), self.rounds, 0)

    @kernel
    def current_player(self, state):
        return SIMULTANEOUS if state.left > 0 else TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        for k in range(self.actions):
            out[k] = k
        return self.actions

    @kernel
    def next_state(self, state, action0, action1):
        key = mix(state.key ^ np.uint64((action0 + 2) * 64 + action1 + 2))
        return State(key, state.left - 1, state.points + np.int64(key % np.uint64(3)) - 1)

    @kernel
    def returns(self, state):
        return 1.0 if state.points > 0 else -1.0 if state.points < 0 else 0.0

    @kernel
    def bounds(self, state):
        """A lead of more points than there are rounds to come is won."""
        low, high = state.points - state.left, state.points + state.left
        return (1.0 if low > 0 else -1.0 if low < 0 else 0.0), (
            1.0 if high > 0 else -1.0 if high < 0 else 0.0
        )
