"""Games made for tests: random trees whose whole content follows from a seed in the state, so one compilation serves all."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from saddlepoint.compiled import kernel, mix
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL, Game

ONLY_SIMULTANEOUS, ONLY_TURNS, MIXED = 0, 1, 2


class State(NamedTuple):
    key: np.uint64
    depth: int
    """Steps left to the end."""
    branching: int
    kinds: int
    """Which kinds of nodes occur."""
    levels: int
    """Number of different results (odd: a draw among them); few levels mean many ties."""
    total: int
    """Of path sums (levels == 0): the sum so far of -1, 0, +1 per joint action."""


@dataclass(frozen=True)
class RandomGame(Game):
    """A random tree in which depth, branching, node kinds and results are hashed from a key."""

    name: ClassVar[str] = "random_tree"
    max_actions: ClassVar[int] = 5
    max_depth: ClassVar[int] = 16
    min_utility: ClassVar[float] = -8.0
    max_utility: ClassVar[float] = 8.0

    def initial_state(
        self,
        seed: int = 0,
        depth: int = 3,
        branching: int = 3,
        kinds: int = ONLY_SIMULTANEOUS,
        levels: int = 3,
    ) -> State:
        return State(np.uint64(seed * 7919 + 17), depth, branching, kinds, levels, 0)

    @kernel
    def current_player(self, state):
        if state.depth == 0:
            return TERMINAL
        if state.kinds == 0:
            return SIMULTANEOUS
        draw = np.int64(mix(state.key ^ np.uint64(99)) % np.uint64(8))
        if state.kinds == 1:
            return draw & 1
        return CHANCE if draw < 2 else 0 if draw == 2 else 1 if draw == 3 else SIMULTANEOUS

    @kernel
    def size(self, state, player):
        """1 to branching actions, differing from node to node."""
        draw = mix(state.key + np.uint64(player + 1))
        return state.branching - np.int64(draw % np.uint64(4) == np.uint64(0)) if state.branching > 1 else 1

    @kernel
    def legal_actions(self, state, player, out):
        for k in range(self.size(state, player)):
            out[k] = k
        return self.size(state, player)

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        count = self.size(state, 2)
        for k in range(count):
            out[k] = k
            probabilities[k] = (k + 1) / (count * (count + 1) / 2)
        return count

    @kernel
    def next_state(self, state, action0, action1):
        key = mix(state.key ^ np.uint64((action0 + 2) * 64 + action1 + 2))
        step = np.int64(key % np.uint64(3)) - 1
        return State(key, state.depth - 1, state.branching, state.kinds, state.levels, state.total + step)

    @kernel
    def returns(self, state):
        if state.levels == 0:
            return float(state.total)
        draw = mix(state.key + np.uint64(5))
        if state.levels == 1:
            return (draw >> np.uint64(11)) / 9007199254740992.0 * 2.0 - 1.0
        return np.int64(draw % np.uint64(state.levels)) / (state.levels - 1) * 2.0 - 1.0

    @kernel
    def hash(self, state):
        return state.key + np.uint64(state.depth * 64 + state.total + 32)

    def to_text(self, state: Any) -> str:
        return "random_tree " + " ".join(str(int(v)) for v in state)

    def from_text(self, text: str) -> State:
        key, *rest = text.split()[1:]
        return State(np.uint64(int(key)), *map(int, rest))


class ToldGame(RandomGame):
    """The same, which says what is true of every tree: a position follows one other."""

    chance_is_told: ClassVar[bool] = True
