"""A player that looks for the best response to a policy, where positions are too many to be enumerated."""

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from ..algorithms.sampling.playouts import place_at
from ..compiled import hash_of_words, jit, mix, run
from ..compiled.states import as_machine_words
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from .policy import Policy, probabilities

_STRIDE = 0x9E3779B97F4A7C15
_MOST_KEPT = 100_000
"""Positions of which is remembered what the policy plays there."""
_DEEPEST = 64


@jit
def _play_out(game, state, games, seed, memory):
    """The mean result of so many random games from a position; what is drawn follows from the position and the seed."""
    actions, chances = memory
    drawn, total = mix(hash_of_words(state) + np.uint64(seed)), 0.0
    for _ in range(games):
        now = state
        while True:
            node = game.current_player(now)
            if node == TERMINAL:
                break
            action0, action1 = np.int64(NO_ACTION), np.int64(NO_ACTION)
            drawn = mix(drawn + np.uint64(_STRIDE))
            if node == CHANCE:
                count = game.chance_outcomes(now, actions, chances)
                action0 = np.int64(actions[place_at(np.float64(drawn >> np.uint64(11)) * 2.0**-53, chances, count)])
            if node == SIMULTANEOUS or node == 0:
                action0 = np.int64(actions[np.int64(drawn % np.uint64(game.search_actions(now, 0, actions)))])
            if node == SIMULTANEOUS or node == 1:
                action1 = np.int64(actions[np.int64((drawn >> np.uint64(32)) % np.uint64(game.search_actions(now, 1, actions)))])
            now = game.successor(now, action0, action1)
        total += game.returns(now)
    return total / games


class RandomGames:
    """What a position is worth to player 0, as random games from there end, the same ones every time."""

    def __init__(self, game: Game, games: int = 16, seed: int = 0) -> None:
        self._game, self._games, self._seed = game, games, seed
        choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
        self._memory = np.zeros(choices, np.int64), np.zeros(choices)

    def __call__(self, state: Any, /) -> float:
        """Player 0's mean result."""
        return float(run(_play_out, self._game, as_machine_words(state), self._games, self._seed, self._memory))


class _TooFarError(Exception):
    """The budget of positions is spent."""


class AskedPolicy:
    """A policy that remembers what it plays in positions that were met before."""

    def __init__(self, game: Game, policy: Policy) -> None:
        self._game, self._policy = game, policy
        self._known: OrderedDict[tuple[Any, int], dict[int, float]] = OrderedDict()

    def mixture(self, state: Any, player: int) -> dict[int, float]:
        """The player's probabilities by action; empty where it has no choice."""
        if (state, player) not in self._known:
            given = self._policy(state)
            for side in (0, 1):
                self._known[state, side] = probabilities(self._game, state, lambda _: given, side)
            while len(self._known) > _MOST_KEPT:
                self._known.popitem(last=False)
        return self._known[state, player]


class Responder:
    """Chooses against a policy that is known: in each position the best of its own actions in expectation over the policy's.

    It looks one step farther after the other, own actions maximised, the policy's and chance's outcomes expected, until that would
    ask the policy in more than `look` positions for a move. Where the looking ends a position is worth what `leaf` says (player 0's
    expected result). It is the same every time. `player` is who responds.
    """

    def __init__(self, game: Game, policy: AskedPolicy, player: int, leaf: Callable[[Any], float], look: int) -> None:
        self._game, self._policy, self._player, self._leaf, self._look = game, policy, player, leaf, look
        self._sign, self._asked, self._is_cut = (1, -1)[player], 0, False

    def choose(self, state: Any) -> int:
        """An action in a position in which the player has a choice."""
        actions = self._game.search_actions(state, self._player)
        best = actions[0]
        if len(actions) == 1:
            return best
        self._asked = 0
        try:
            for depth in range(1, _DEEPEST):
                self._is_cut = False
                worth = {action: self._after(state, action, depth) for action in actions}
                best = max(actions, key=lambda action: worth[action])
                if not self._is_cut:
                    break
        except _TooFarError:
            pass
        return best

    def _after(self, state: Any, action: int, depth: int) -> float:
        """What an action is worth to the responder."""
        replies = self._policy.mixture(state, 1 - self._player) or {NO_ACTION: 1.0}
        return math.fsum(
            chance * self._worth(self._advanced(state, action, reply), depth - 1) for reply, chance in replies.items() if chance > 0
        )

    def _advanced(self, state: Any, own: int, other: int) -> Any:
        return self._game.advance(state, *((own, other) if self._player == 0 else (other, own)))

    def _worth(self, state: Any, depth: int) -> float:
        game = self._game
        node = game.current_player(state)
        if node == TERMINAL:
            return self._sign * float(game.returns(state))
        if depth == 0:
            self._is_cut = True
            return self._sign * self._leaf(state)
        if node == CHANCE:
            return math.fsum(
                chance * self._worth(game.advance(state, outcome, NO_ACTION), depth) for outcome, chance in game.chance_outcomes(state)
            )
        self._asked += 1
        if self._asked > self._look:
            raise _TooFarError
        own = game.search_actions(state, self._player) if node in (SIMULTANEOUS, self._player) else [NO_ACTION]
        return max(self._after(state, action, depth) for action in own)
