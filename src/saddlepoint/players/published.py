"""Fixed-depth searches as published players have them: described programs, built as described.

They are not meant to be strong or quick but to be what they were: no deepening, no table, their own order of moves, the
first of equally good moves kept. For strength take `PrincipalVariation`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.limits import Limits
from ..boards.limits import is_last_node, new_control
from ..compiled import Component, jit, kernel, mix, python_monotonic_ns, run
from ..game.base import CHANCE, NO_ACTION, TERMINAL, Game
from .base import Answer, MoveStatistics, Player
from .clock import Clock, usable_bank

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
def published_search(
    game, manner, state, depth, alpha, beta, root, shuffled, actions, chances, control, drawn
):
    """The value for the root's player by minimax with alpha-beta; the chosen action is left in actions[0].

    `actions` has a row of legal actions for each ply to come. At a chance node one outcome is drawn; `drawn` is the state of all
    random choices. Where the limits of `control` stop it, the value means nothing and the root's action is the best of those it had
    finished, or the first.
    """
    is_last_node(control, _CLOCK_INTERVAL)
    player = game.current_player(state)
    if player == TERMINAL:
        return float(manner.end(game, state, root))
    if player == CHANCE:
        count = game.chance_outcomes(state, actions[0], chances)
        drawn[0] = mix(drawn[0] + np.uint64(1))
        left = np.float64(drawn[0] >> np.uint64(11)) * 2.0**-53
        outcome = 0
        while outcome < count - 1 and left >= chances[outcome]:
            left -= chances[outcome]
            outcome += 1
        child = game.successor(state, actions[0, outcome], NO_ACTION)
        return published_search(
            game, manner, child, depth, alpha, beta, root, shuffled, actions, chances, control, drawn
        )
    if depth == 0:
        return float(manner.leaf(game, state, root))
    count = manner.actions(game, state, player, actions[0])
    if control.stop != 0:
        return 0.0
    if shuffled:
        for k in range(count - 1, 0, -1):
            drawn[0] = mix(drawn[0] + np.uint64(1))
            other = np.int64(drawn[0] % np.uint64(k + 1))
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
            game, manner, child, depth - 1, alpha, beta, root, shuffled, actions[1:], chances, control, drawn
        )
        if control.stop != 0:
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
        self._drawn = np.zeros(1, np.uint64)
        if game != self._compiled_for:  # before a clock runs
            self._search(game.initial_state(), 1, _ENDLESS, 1)
            self._compiled_for = game
        self._drawn[0] = np.random.default_rng(seed).integers(1 << 62)

    def choose(self, state: Any, clock: Clock) -> Answer:
        seconds = usable_bank(clock, _RESERVE) if self.limits.seconds is None else self.limits.seconds
        return self._search(state, self.depth, seconds, self.limits.nodes)

    def _search(self, state: Any, depth: int, seconds: float, nodes: int | None) -> Answer:
        started = python_monotonic_ns()
        control = new_control(nodes, min(seconds, _ENDLESS))
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
            control,
            self._drawn,
        )
        used = (python_monotonic_ns() - started) / 1e9
        visited = int(min(control["nodes"], control["node_limit"]))
        return Answer(int(actions[0, 0]), MoveStatistics(used, depth, visited))
