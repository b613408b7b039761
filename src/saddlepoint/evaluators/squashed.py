"""From a count of cells to an expected result, by a squashing function."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from ..boards.flood import NOBODY, PLAYER_0, PLAYER_1
from ..compiled import Component, jit_inline, kernel


@dataclass(frozen=True)
class Squashed(Component):
    """Base of evaluators that squash a number to a result: player 0's expected result is tanh(raw / scale).

    A subclass has the kernel `raw(game, state)`. `scale` 0 leaves the raw number as it is. A mixed strategy depends on
    the squashing function, the choice of alpha-beta does not.
    """

    scale: float = 20.0
    raw: ClassVar[Any]

    def __post_init__(self) -> None:
        if self.scale < 0:
            raise ValueError(f"scale must be 0 (raw) or more, not {self.scale}")

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return 1.0 if self.scale else self.largest_raw

    @property
    def largest_raw(self) -> float:
        """The largest absolute raw value on any board."""
        return 1024.0

    @kernel
    def raw(self, game, state):
        """The number that `evaluate` squashes to a result; every subclass has its own."""
        return 0.0

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result, between -1 and 1; the raw number where `scale` is 0."""
        raw = self.raw(game, state)
        return math.tanh(raw / self.scale) if self.scale > 0.0 else raw


@jit_inline
def ties_by_turn(game, state):
    """Who takes equally near cells: who moves next in a turn-based game, nobody where both move at once."""
    player = game.current_player(state)
    return PLAYER_0 if player == 0 else PLAYER_1 if player == 1 else NOBODY
