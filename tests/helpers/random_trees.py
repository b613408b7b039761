"""Random trees whose whole content follows from a seed in the state, so that one compilation serves all: moves at once, and in turn.

Plain minimax, by nothing but the definition, is what searches of the games in turn are held to.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from saddlepoint.algorithms import SearchResult
from saddlepoint.compiled import Component, jit, kernel, mix, run
from saddlepoint.game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from saddlepoint.matrix import solve_matrix

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
    def quiet_outcome(self, state):
        return np.int64(mix(state.key + np.uint64(3)) % np.uint64(self.size(state, 2)))

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


class TurnState(NamedTuple):
    key: np.uint64
    depth: int
    """Steps left to the end."""
    branching: int
    luck: int
    """Of 16 positions so many are chance's."""
    levels: int
    """Number of different results (odd: a draw among them); few levels mean many ties; 0: a continuum."""
    merging: int
    """1: the order of actions does not matter, so that many ways lead to one position."""


@dataclass(frozen=True)
class SureTree(Game):
    """A random tree in which one player may move several times in a row; all of it is hashed from a key.

    Some lines end early. Results are from -1 to 1, times `sign` and then more by `shift`.
    """

    sign: float = field(default=1.0, repr=False)
    shift: float = 0.0

    name: ClassVar[str] = "sure_tree"
    max_actions: ClassVar[int] = 6
    max_depth: ClassVar[int] = 16

    @property
    def min_utility(self) -> float:
        return self.shift - 1.0

    @property
    def max_utility(self) -> float:
        return self.shift + 1.0

    def initial_state(
        self,
        seed: int = 0,
        depth: int = 4,
        branching: int = 3,
        luck: int = 0,
        levels: int = 3,
        merging: int = 0,
    ) -> TurnState:
        return TurnState(np.uint64(seed * 7919 + 17), depth, branching, luck, levels, merging)

    @kernel
    def current_player(self, state):
        draw = mix(state.key ^ np.uint64(99))
        if state.depth == 0 or draw % np.uint64(29) == np.uint64(0):
            return TERMINAL
        if np.int64((draw >> np.uint64(8)) % np.uint64(16)) < state.luck:
            return CHANCE
        return np.int64((draw >> np.uint64(16)) % np.uint64(2))

    @kernel
    def size(self, state):
        return 1 + np.int64(mix(state.key + np.uint64(1)) % np.uint64(state.branching))

    @kernel
    def legal_actions(self, state, player, out):
        if self.current_player(state) != player:
            return 0
        for k in range(self.size(state)):
            out[k] = k
        return self.size(state)

    @kernel
    def next_state(self, state, action):
        if state.merging == 1:
            key = state.key + mix(np.uint64(action + 3))
        else:
            key = mix(state.key ^ np.uint64((action + 2) * 64))
        return TurnState(key, state.depth - 1, state.branching, state.luck, state.levels, state.merging)

    @kernel
    def returns(self, state):
        draw = mix(state.key + np.uint64(5))
        if state.levels == 0:
            result = (draw >> np.uint64(11)) / 9007199254740992.0 * 2.0 - 1.0
        else:
            result = np.int64(draw % np.uint64(state.levels)) / (state.levels - 1) * 2.0 - 1.0
        return self.sign * result + self.shift

    @kernel
    def bounds(self, state):
        """Where there are 5 levels: the least and the greatest result one step before the last."""
        if state.levels != 5 or state.depth != 1 or self.current_player(state) == TERMINAL:
            return self.min_utility, self.max_utility
        low, high = self.max_utility, self.min_utility
        for action in range(self.size(state)):
            result = self.returns(self.next_state(state, action))
            low, high = min(low, result), max(high, result)
        return low, high

    @kernel
    def hash(self, state):
        return mix(state.key + np.uint64(state.depth)) | np.uint64(1)


@dataclass(frozen=True)
class TurnTree(SureTree):
    """The same with chance nodes, where the state's `luck` is above 0."""

    name: ClassVar[str] = "turn_tree"

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        count = self.size(state)
        for k in range(count):
            out[k] = k
            probabilities[k] = (k + 1) / (count * (count + 1) / 2)
        return count

    @kernel
    def quiet_outcome(self, state):
        return self.size(state) - 1


@dataclass(frozen=True)
class Noise(Component):
    """An evaluation hashed from the position, and the moves that are not quiet."""

    @kernel
    def evaluate(self, game, state):
        return (mix(state.key + np.uint64(77)) >> np.uint64(11)) / 9007199254740992.0 * 1.8 - 0.9

    @kernel
    def noisy_actions(self, game, state, player, out):
        count = 0
        for k in range(game.legal_actions(state, player, out)):
            if out[k] % 2 == 1:
                out[count] = out[k]
                count += 1
        return count


@dataclass(frozen=True)
class RootNoise(Component):
    """What each player thinks of a position, which has nothing to do with what the other thinks."""

    @property
    def bound(self) -> float:
        return 7.0

    @kernel
    def evaluate_for(self, game, state, player):
        return np.int64(mix(state.key + np.uint64(177 + player)) % np.uint64(15)) - 7.0


@jit
def _minimax(game, evaluator, state, depth, keep, root, actions, chances, ply):
    node = game.current_player(state)
    if node == TERMINAL:
        if root < 0:
            return game.returns(state)
        return evaluator.evaluate_for(game, state, root) * (1.0 - 2.0 * root)
    if depth == 0:
        if root < 0:
            return float(evaluator.evaluate(game, state))
        return evaluator.evaluate_for(game, state, root) * (1.0 - 2.0 * root)
    if node == CHANCE:
        total = 0.0
        for k in range(game.chance_outcomes(state, actions[ply], chances[ply])):
            child = game.next_state(state, actions[ply, k])
            total += chances[ply, k] * _minimax(
                game, evaluator, child, depth, keep, root, actions, chances, ply + 1
            )
        return total
    count = game.legal_actions(state, node, actions[ply])
    best = -np.inf if node == 0 else np.inf
    for k in range(count):
        child = game.next_state(state, actions[ply, k])
        value = keep * _minimax(game, evaluator, child, depth - 1, keep, root, actions, chances, ply + 1)
        best = max(best, value) if node == 0 else min(best, value)
    return best


@dataclass(frozen=True)
class Both(Component):
    """An evaluator with both views, so that one reference serves all."""

    absolute: Component
    relative: Component

    @kernel
    def evaluate(self, game, state):
        return self.absolute.evaluate(game, state)

    @kernel
    def evaluate_for(self, game, state, player):
        return self.relative.evaluate_for(game, state, player)


@dataclass(frozen=True)
class Nothing(Component):
    """An evaluator without an opinion."""

    @kernel
    def evaluate(self, game, state):
        return 0.0

    @kernel
    def evaluate_for(self, game, state, player):
        return 0.0


def minimax(game: Game, state: Any, depth: int = 99, distance: float = 0.0, root: int = -1) -> float:
    """Player 0's value; `root` is the player whose view counts (RootNoise), -1 for results, and Noise at the depth."""
    evaluator = Both(Noise(), RootNoise()) if isinstance(game, SureTree) else Nothing()
    plies = game.max_depth + 2
    scratch = np.zeros((plies, game.max_actions), np.int64), np.zeros((plies, game.max_actions))
    return float(run(_minimax, game, evaluator, state, depth, 1.0 - distance, root, *scratch, 0))


def by_definition(game: Game, state: Any, quiet: bool = False) -> float:
    """Player 0's value of any game by nothing but the definition, in plain Python; `quiet`: chance does what it does quietly."""
    node = game.current_player(state)
    if node == TERMINAL:
        return float(game.returns(state))
    if node == CHANCE:
        outcomes = [(game.quiet_outcome(state), 1.0)] if quiet else game.chance_outcomes(state)
        return sum(p * by_definition(game, game.advance(state, one, NO_ACTION), quiet) for one, p in outcomes)
    own = [game.legal_actions(state, p) if node in (p, SIMULTANEOUS) else [NO_ACTION] for p in (0, 1)]
    cells = [[by_definition(game, game.advance(state, a, b), quiet) for b in own[1]] for a in own[0]]
    return solve_matrix(cells).value


def best_moves(game: Game, state: Any, value: Callable[[Any], float]) -> set[int]:
    """All actions of who moves after which the value is the best but for rounding, by a function that gives a position's value."""
    player = game.current_player(state)
    values = {action: value(game.next_state(state, action)) for action in game.legal_actions(state, player)}
    best = max(values.values()) if player == 0 else min(values.values())
    return {action for action, found in values.items() if abs(found - best) < 1e-9}


def restated(result: SearchResult, distance: float) -> float:
    """The value of the game in which results lose that share a move, from a result that tells the moves."""
    return result.value if result.plies is None else result.value * (1.0 - distance) ** result.plies


def is_proven(result: SearchResult, distance: float) -> bool:
    """Whether the value is known but for what results may have lost on the longest way."""
    low, high = result.bounds
    return high - low <= 40 * distance and low - 1e-9 <= result.value <= high + 1e-9


def random_positions(game: Game, count: int, seed: int, least: int = 0, most: int = 10**9):
    """Unfinished positions after random moves, at least `least` and at most `most` of them."""
    draw = np.random.default_rng(seed)
    found = 0
    while found < count:
        state = game.initial_state()
        for _ in range(int(draw.integers(least, min(most, game.max_depth) + 1))):
            actions = game.legal_actions(state, game.current_player(state))
            if not actions:
                break
            state = game.next_state(state, int(draw.choice(actions)))
        if game.current_player(state) != TERMINAL:
            found += 1
            yield state


def urgent_positions(game: Game, count: int, seed: int) -> list[tuple[Any, int, set[int], set[int]]]:
    """Of so many positions those where a win in one can be played, or a loss in one prevented: by both players, several times each.

    With each whose move it is, its moves that win, and those after which the other cannot win at once.
    """
    urgent, kinds = [], Counter[tuple[bool, int]]()
    for state in random_positions(game, count, seed, least=2):
        player = game.current_player(state)
        followers = {a: game.next_state(state, a) for a in game.legal_actions(state, player)}
        winning = {a for a, after in followers.items() if game.returns(after) == 1 - 2 * player}
        losing = {
            a
            for a, after in followers.items()
            for b in game.legal_actions(after, 1 - player)
            if game.returns(game.next_state(after, b)) == 2 * player - 1
        }
        if winning or (losing and losing < set(followers)):
            urgent.append((state, player, winning, set(followers) - losing))
            kinds[bool(winning), player] += 1
    assert len(kinds) == 4 and min(kinds.values()) > count // 60
    return urgent


__all__ = [
    "MIXED",
    "ONLY_SIMULTANEOUS",
    "ONLY_TURNS",
    "Noise",
    "RandomGame",
    "RootNoise",
    "State",
    "SureTree",
    "ToldGame",
    "TurnState",
    "TurnTree",
    "best_moves",
    "by_definition",
    "is_proven",
    "minimax",
    "random_positions",
    "restated",
    "urgent_positions",
]
