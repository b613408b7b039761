"""Tiny games for tests: a race of guesses that lasts two rounds, and one-player-at-a-time and chance variants."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from saddlepoint.compiled import kernel, mix
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL, Game, Symmetry


class State(NamedTuple):
    round: int
    lead: int


@dataclass(frozen=True)
class Guess(Game):
    """Each round the player who names the higher of `size` numbers leads by one more."""

    size: int = 3
    rounds: int = 2

    name: ClassVar[str] = "guess"

    @property
    def max_actions(self) -> int:
        return self.size

    @property
    def max_depth(self) -> int:
        return self.rounds

    def initial_state(self) -> State:
        return State(0, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.size):
            out[action] = action
        return self.size

    @kernel
    def next_state(self, state, action0, action1):
        return State(state.round + 1, state.lead + self.gain(action0, action1))

    @kernel
    def gain(self, action0, action1):
        return int(action0 > action1) - int(action0 < action1)

    @kernel
    def returns(self, state):
        return float(int(state.lead > 0) - int(state.lead < 0))

    @kernel
    def hash(self, state):
        return mix(np.uint64(state.round * 1000 + state.lead + 100))

    def symmetries(self, state: Any) -> list[Symmetry]:
        same = tuple(range(self.size))
        return [Symmetry(State(state.round, -state.lead), same, same, True)]


@dataclass(frozen=True)
class Turns(Game):
    """Chance deals a number; then players add 1 or 2 in turn until the sum is 6 or more; an even end is player 0's."""

    name: ClassVar[str] = "turns"
    max_actions: ClassVar[int] = 2
    max_depth: ClassVar[int] = 7

    def initial_state(self) -> State:
        return State(-1, 0)

    @kernel
    def current_player(self, state):
        if state.round < 0:
            return CHANCE
        return TERMINAL if state.lead >= 6 else state.round % 2

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 0
        out[1] = 1
        return 2

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        for k in range(2):
            out[k] = k
            probabilities[k] = 0.25 + 0.5 * k
        return 2

    @kernel
    def next_state(self, state, action):
        return State(state.round + 1, state.lead + action + (0 if state.round < 0 else 1))

    @kernel
    def returns(self, state):
        return 1.0 if state.lead % 2 == 0 else -1.0


class Unshowable(Guess):
    """A game whose positions cannot be shown."""

    def render(self, state: Any) -> str:
        raise RuntimeError("a secret path /home/x")
