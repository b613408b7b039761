"""Fixed-depth searches as published players have them: described programs, built as described.

They are not meant to be strong or quick but to be what they were: no deepening, no table, their own order of moves, the
first of equally good moves kept. For strength take `PrincipalVariation`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.limits import Limits
from ..boards.limits import new_control
from ..compiled import Component, jit, kernel, mix, monotonic_ns, python_monotonic_ns, run, thread_ns
from ..game.base import CHANCE, NO_ACTION, TERMINAL, Game
from .base import Answer, MoveStatistics, Player
from .clock import Clock, usable_bank

_RANDOM, _NODES, _NODE_LIMIT, _DEADLINE, _OWN_DEADLINE, _LATEST, _STOPPED = range(7)
_CLOCK_INTERVAL = 63  # nodes between two looks at the clock, as a mask
_RESERVE = 0.05
"""Seconds of the bank that are left alone."""
_ENDLESS = 1e6
"""Seconds for a move where the clock is endless."""


@dataclass(frozen=True)
class Manner(Component):
    """The search of a published player; values are the root player's view. Subclasses replace what differs."""

    evaluator: Any

    @kernel
    def actions(self, game, state, player, out):
        """The moves it looks at, in its order."""
        return game.legal_actions(state, player, out)

    @kernel
    def end(self, game, state, root):
        """The value of a finished game."""
        return self.evaluator.evaluate_for(game, state, root)

    @kernel
    def leaf(self, game, state, root):
        """The value of a position at the depth limit."""
        return self.evaluator.evaluate_for(game, state, root)

    @kernel
    def step(self, game, child, depth):
        """The gain of a move for its player besides the value of the position after it.

        `depth` plies are left below.
        """
        return 0.0

    @kernel
    def depth(self, game, state, depth):
        """The plies to search from this root, where `depth` are asked for."""
        return depth


@jit
def unlimited(seed):
    """The workspace of a `published_search` that nothing stops; its fields are those that the names above number."""
    ws = np.zeros(7, np.uint64)
    ws[_RANDOM] = np.uint64(seed)
    ws[_NODE_LIMIT] = ws[_DEADLINE] = np.uint64(0xFFFFFFFFFFFFFFFF)
    return ws


@jit
def _put_off(ws):
    """As `put_off` of boards/limits.py."""
    now, own = np.uint64(monotonic_ns()), np.uint64(thread_ns())
    if own < ws[_OWN_DEADLINE] and now < ws[_LATEST]:
        ws[_DEADLINE] = min(now + (ws[_OWN_DEADLINE] - own), ws[_LATEST])
    else:
        ws[_STOPPED] = 1


@jit
def published_search(game, manner, state, depth, alpha, beta, root, shuffled, actions, chances, ws):
    """The value for the root's player by minimax with alpha-beta; the chosen action is left in actions[0].

    `actions` has a row of legal actions for each ply to come. At a chance node one outcome is drawn. Where the limits in
    `ws` stop it, the value means nothing and the root's action is the best of those it had finished, or the first.
    """
    ws[_NODES] += np.uint64(1)
    if ws[_NODES] & np.uint64(_CLOCK_INTERVAL) == np.uint64(0) and np.uint64(monotonic_ns()) >= ws[_DEADLINE]:
        _put_off(ws)
    if ws[_NODES] > ws[_NODE_LIMIT]:
        ws[_STOPPED] = 1
    player = game.current_player(state)
    if player == TERMINAL:
        return float(manner.end(game, state, root))
    if player == CHANCE:
        count = game.chance_outcomes(state, actions[0], chances)
        ws[_RANDOM] = mix(ws[_RANDOM] + np.uint64(1))
        left = np.float64(ws[_RANDOM] >> np.uint64(11)) * 2.0**-53
        drawn = 0
        while drawn < count - 1 and left >= chances[drawn]:
            left -= chances[drawn]
            drawn += 1
        child = game.successor(state, actions[0, drawn], NO_ACTION)
        return published_search(game, manner, child, depth, alpha, beta, root, shuffled, actions, chances, ws)
    if depth == 0:
        return float(manner.leaf(game, state, root))
    count = manner.actions(game, state, player, actions[0])
    if ws[_STOPPED] != np.uint64(0):
        return 0.0
    if shuffled:
        for k in range(count - 1, 0, -1):
            ws[_RANDOM] = mix(ws[_RANDOM] + np.uint64(1))
            other = np.int64(ws[_RANDOM] % np.uint64(k + 1))
            held = actions[0, k]
            actions[0, k] = actions[0, other]
            actions[0, other] = held
    chosen = actions[0, 0]
    best = -np.inf if player == root else np.inf
    for k in range(count):
        action = actions[0, k]
        child = game.successor(
            state, action if player == 0 else NO_ACTION, action if player == 1 else NO_ACTION
        )
        value = published_search(
            game, manner, child, depth - 1, alpha, beta, root, shuffled, actions[1:], chances, ws
        )
        if ws[_STOPPED] != np.uint64(0):
            break
        earned = float(manner.step(game, child, depth - 1))
        if player == root:
            value += earned
            if value > best:
                best, chosen = value, action
            alpha = max(alpha, best)
        else:
            value -= earned
            if value < best:
                best, chosen = value, action
            beta = min(beta, best)
        if alpha >= beta:
            break
    actions[0, 0] = chosen
    return best


class PublishedPlayer(Player):
    """Plays by `published_search` to a fixed depth; where limits or the clock end it before, by what it had finished."""

    def __init__(
        self,
        manner: Manner,
        depth: int,
        shuffled: bool = False,
        largest: float = np.inf,
        limits: Limits | None = None,
    ) -> None:
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, not {depth}")
        self.manner, self.depth = manner, depth
        self.limits = limits or Limits()
        self._compiled_for: Game | None = None
        self._shuffled, self._largest = shuffled, float(largest)

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._chances = np.zeros(game.max_outcomes)
        if game != self._compiled_for:  # before a clock runs
            self._ws = np.zeros(7, np.uint64)
            self._search(game.initial_state(), 1, _ENDLESS, 1)
            self._compiled_for = game
        self._ws = np.zeros(7, np.uint64)
        self._ws[_RANDOM] = np.random.default_rng(seed).integers(1 << 62)

    def choose(self, state: Any, clock: Clock) -> Answer:
        seconds = usable_bank(clock, _RESERVE) if self.limits.seconds is None else self.limits.seconds
        nodes = np.iinfo(np.int64).max if self.limits.nodes is None else self.limits.nodes
        return self._search(state, self.depth, seconds, nodes)

    def _search(self, state: Any, depth: int, seconds: float, nodes: int) -> Answer:
        started = python_monotonic_ns()
        control = new_control(nodes, min(seconds, _ENDLESS))
        self._ws[_NODES] = self._ws[_STOPPED] = 0
        for place, name in (
            (_NODE_LIMIT, "node_limit"),
            (_DEADLINE, "deadline"),
            (_OWN_DEADLINE, "own_deadline"),
            (_LATEST, "latest"),
        ):
            self._ws[place] = control[name]
        depth = int(self.manner.depth(self.game, state, depth))
        if self.limits.depth is not None:
            depth = min(depth, self.limits.depth)
        # A chance node takes a row too.
        actions = np.zeros((2 * depth + 2, max(self.game.max_actions, self.game.max_outcomes)), np.int64)
        run(
            published_search,
            self.game,
            self.manner,
            state,
            depth,
            -self._largest,
            self._largest,
            self.player,
            self._shuffled,
            actions,
            self._chances,
            self._ws,
        )
        used = (python_monotonic_ns() - started) / 1e9
        return Answer(
            int(actions[0, 0]), MoveStatistics(used, depth, int(min(self._ws[_NODES], self._ws[_NODE_LIMIT])))
        )
