"""What policies are worth: both played, and each against its best response. All positions that can come about are looked at once.

In a game of perfect information a best response is found from the end: in each position the action that is best against the other's
probabilities there. So the values are exact, up to rounding, for every policy that depends on the position alone.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.algorithm import UnsupportedGameError
from ..compiled import borrowed, jit, jit_part
from ..compiled.call import run
from ..game import CHANCE, TERMINAL, Game
from ..solvers.general import Solution, solve_positions
from ..solvers.general.induction import named, new_memory
from ..solvers.general.positions import fill_slots, row_with
from ..solvers.general.successors import ENDED, lent, opened, write_successor
from .policy import JoinedPolicy, Mixtures, Policy, probabilities

BOTH, AGAINST_FIRST, AGAINST_SECOND = range(3)
"""What a position is worth to player 0: both policies played, player 1 responding best to player 0's, player 0 responding best to 1's."""


@jit_part
def policy_bounds(node, cells, m, n, x, y, found):
    """Write what a stage is worth in the three ways, by what its successors are: `cells` of shape (3, m, n), x and y the probabilities."""
    if node == CHANCE:
        for way in range(3):
            found[way] = 0.0
            for i in range(m):
                found[way] += x[i] * cells[way, i, 0]
        return
    both, least, most = 0.0, math.inf, -math.inf
    for j in range(n):
        reply = 0.0
        for i in range(m):
            both += x[i] * y[j] * cells[BOTH, i, j]
            reply += x[i] * cells[AGAINST_FIRST, i, j]
        least = min(least, reply)
    for i in range(m):
        reply = 0.0
        for j in range(n):
            reply += y[j] * cells[AGAINST_SECOND, i, j]
        most = max(most, reply)
    found[BOTH], found[AGAINST_FIRST], found[AGAINST_SECOND] = both, least, most


@jit
def evaluate(game, like, rows, count, width, slots, packing, arrays, weights, starts, cells, found):
    """Fill `found` (positions, 3), in the order in which they were solved; weights: x and y of each one from `starts` on, no chance's."""
    memory, packing = named(arrays), lent(packing)
    rows, slots, weights, starts = borrowed(rows), borrowed(slots), borrowed(weights), borrowed(starts)
    cells, found = borrowed(cells), borrowed(found)
    actions, words, key = memory.actions[0], memory.words, memory.key
    for index in range(count):
        state, node, m, n = opened(game, like, rows[index * (width + 1) :], packing, words[0], actions, memory.x)
        for i in range(m):
            for j in range(n):
                fit, _, score = write_successor(game, state, actions[0, i], actions[1, j], False, -1, 0, packing, width, words[1], key)
                after = np.int64(-1) if fit == ENDED else row_with(key, width, rows, slots)
                for way in range(3):
                    cells[way, i, j] = score if after < 0 else found[after, way]
        start = starts[index]
        x = memory.x if node == CHANCE else weights[start : start + m]
        policy_bounds(node, cells, m, n, x, weights[start + m : start + m + n], found[index])


class _Evaluated:
    """Both players' policies in all positions of a game, and what these are worth."""

    def __init__(self, game: Game, policy: Policy, state: Any) -> None:
        if game.clock:
            raise UnsupportedGameError(f"positions of {game!r} come back: policies are evaluated where every game ends by its rules")
        self.game, self.policy = game, policy
        self.root = game.initial_state() if state is None else state
        if game.current_player(self.root) == TERMINAL:
            self.worth = np.full((1, 3), float(game.returns(self.root)))
            return
        self.solution = solution = Solution.of(solve_positions(game, self.root))
        count, packing = len(solution), solution.packing
        rows, slots = solution.rows(), np.zeros(1 << (2 * count).bit_length(), np.uint64)
        run(fill_slots, rows, np.ones(count, np.uint32), count, packing.width, slots)
        weights, starts = self._weights()
        side = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
        cells = np.zeros((3, side, max(game.max_actions, 1)))
        self.worth = np.zeros((count, 3))
        run(
            evaluate, game, solution.root, rows, count, packing.width, slots, packing.arrays, new_memory(game, len(packing.base)),
            weights, starts, cells, self.worth,
        )  # fmt: skip

    def _weights(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The probabilities of all positions one after another, and where each one's begin."""
        game, solution = self.game, self.solution
        found: list[list[float]] = [[]] * len(solution)
        for place, state in zip(solution.order.tolist(), solution.kept_states(), strict=True):
            if game.current_player(state) != CHANCE:
                given = self.policy(state)
                found[place] = [
                    weight for player in (0, 1)
                    for weight in (list(probabilities(game, state, lambda _, given=given: given, player).values()) or [1.0])
                ]  # fmt: skip
        starts = np.cumsum([0, *(len(one) for one in found)])
        return np.array([weight for one in found for weight in one] or [0.0]), starts

    def value(self, way: int) -> float:
        """What the start is worth, in that way."""
        return float(self.worth[-1, way])


@dataclass(frozen=True)
class BestResponse:
    """A best response to a policy: the result that it gets, and what it plays."""

    value: float
    """Player 0's expected result from the start, whoever responds."""
    player: int
    """Who responds."""
    policy: Policy
    """The responder's best actions, each with probability 1, and the other player's part of the policy that is responded to."""


class _Responding:
    """The policy of a best response: pure actions of the responder, found by one look ahead."""

    def __init__(self, evaluated: _Evaluated, player: int) -> None:
        self._evaluated, self._player = evaluated, player

    def __call__(self, state: Any, /) -> Mixtures:
        evaluated, player = self._evaluated, self._player
        game, given = evaluated.game, evaluated.policy(state)
        own = game.legal_actions(state, player)
        other = probabilities(game, state, evaluated.policy, 1 - player) or {-1: 1.0}
        sign = 1 if player == 0 else -1

        def worth(action: int) -> float:
            pairs = [((action, reply) if player == 0 else (reply, action), weight) for reply, weight in other.items()]
            return sign * math.fsum(weight * self._after(state, *joint) for joint, weight in pairs if weight)

        best = {max(own, key=worth): 1.0} if own else {}
        return (best, given[1]) if player == 0 else (given[0], best)

    def _after(self, state: Any, action0: int, action1: int) -> float:
        evaluated = self._evaluated
        child = evaluated.game.advance(state, action0, action1)
        if evaluated.game.current_player(child) == TERMINAL:
            return float(evaluated.game.returns(child))
        place = evaluated.solution.order[evaluated.solution.place_of(child)]
        return float(evaluated.worth[place, AGAINST_SECOND if self._player == 0 else AGAINST_FIRST])


def value_of(game: Game, policy0: Policy, policy1: Policy | None = None, state: Any = None) -> float:
    """Player 0's expected result where player 0 plays by one policy and player 1 by another (by the same where none is given).

    `state` is where the game begins, by default its usual start. Every position that can come about is looked at once: for games of up
    to some millions of positions. Raises PolicyError for a policy that gives no probabilities, and UnsupportedGameError for a game whose
    positions come back.
    """
    return _Evaluated(game, policy0 if policy1 is None else JoinedPolicy(policy0, policy1), state).value(BOTH)


def best_response(game: Game, policy: Policy, player: int, state: Any = None) -> BestResponse:
    """The best that `player` (0 or 1) can do against the other player's part of a policy, exactly; see `value_of`."""
    if player not in (0, 1):
        raise ValueError(f"a player is 0 or 1, not {player!r}")
    evaluated = _Evaluated(game, policy, state)
    return BestResponse(evaluated.value((AGAINST_SECOND, AGAINST_FIRST)[player]), player, _Responding(evaluated, player))


def nash_conv(game: Game, policy: Policy, state: Any = None) -> float:
    """How far a policy is from an equilibrium, exactly: what best responses to both players gain together, in the game's units.

    0 in an equilibrium. OpenSpiel's exploitability is half of it. See `value_of` for `state` and errors.
    """
    evaluated = _Evaluated(game, policy, state)
    return max(evaluated.value(AGAINST_SECOND) - evaluated.value(AGAINST_FIRST), 0.0)
