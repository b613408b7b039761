"""A player that searches: an algorithm, a time policy, and how to choose from the strategy found."""

import dataclasses
import time
from typing import Any, Literal

import numpy as np

from ..algorithms.algorithm import Algorithm, Memory
from ..algorithms.limits import Limits, StopToken
from ..algorithms.result import Iteration, SearchResult
from ..algorithms.searcher import Searcher
from ..algorithms.simultaneous.serialised_alpha_beta import AlphaBeta
from ..game import Game
from .base import MoveStatistics, Player
from .clock import Clock
from .filling import FillPlan, action_to, are_apart, is_territorial
from .timing import DepthRule, TimePolicy, Uniform, fixed_time

LEAST_SECONDS, MOST_SECONDS = 0.001, 10.0
"""Thinking time where a clock is empty, and where it is endless."""


class SearchPlayer(Player):
    """Plays by a search.

    `limits` (depth, nodes, seconds) bound every move; where they give no seconds the policy makes them of the clock.
    An AlphaBeta is turned so that this player commits first: it expects the opponent to know its move.
    `choice` is "best" (the most probable action) or "mixture" (drawn from the equilibrium). With `depth_rule` the
    depth is the first Light Riders program's instead of iterative deepening, as far as the clock has a bank. With
    `endgame` it drives the longest path it can find once the players of a territorial game are separated.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        *,
        limits: Limits | None = None,
        policy: TimePolicy | None = None,
        choice: Literal["best", "mixture"] = "best",
        depth_rule: bool = False,
        endgame: bool = False,
        rounds_a_step: float = 1.0,
        stop: StopToken | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.limits = limits or Limits()
        self.policy = policy or Uniform()
        self.choice = choice
        self.stop = stop
        self._depth_rule, self._rounds_a_step = depth_rule, rounds_a_step
        self._rule = DepthRule()
        self._endgame = endgame
        self._searchers: dict[Any, Searcher] = {}
        self._result: SearchResult | None = None

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = np.random.default_rng(seed)
        self._search_seeds = np.random.default_rng(None if seed is None else [seed, 1])
        self._rule = DepthRule()
        self._moves = 0
        self._result = None
        self._plan: FillPlan | None = None
        self._filled: MoveStatistics | None = None
        """Of the last move, where it was a step of the longest path."""
        algorithm = self.algorithm
        if isinstance(algorithm, AlphaBeta):
            algorithm = dataclasses.replace(algorithm, first=0 if player == 0 else 1)
        key = (game, algorithm)
        if key not in self._searchers:
            self._searchers[key] = Searcher(game, algorithm, memory=Memory())
            self._warm(self._searchers[key])
        self._searcher = self._searchers[key]
        self._searcher.memory.clear()

    def _warm(self, searcher: Searcher) -> None:
        """Compile, or load, all that a move may need: before the clock runs."""
        state = self.game.initial_state()
        searcher.search(state, Limits(depth=1), variation=False)
        if self._endgame and is_territorial(self.game):
            are_apart(self.game, state)
            cell = FillPlan().next_cell(self.game, state, 0, 0.001)
            if cell is not None:
                action_to(self.game, state, 0, cell)

    @property
    def last_result(self) -> SearchResult | None:
        return self._result

    @property
    def last_statistics(self) -> MoveStatistics | None:
        return super().last_statistics if self._filled is None else self._filled

    def rounds_left(self, state: Any) -> int:
        """The most steps the game can still last."""
        return max(1, self.game.max_depth - self._moves)

    def choose(self, state: Any, clock: Clock) -> int:
        self._moves += 1
        self._filled = None
        actions = self.game.search_actions(state, self.player)
        if self._endgame and is_territorial(self.game) and (self._plan is not None or are_apart(self.game, state)):
            action = self._fill(state, clock)
            if action is not None:
                self._result = None
                return action
        if len(actions) == 1:  # forced
            self._result = None
            return actions[0]
        self._result = self._search(state, clock)
        return self._chosen(self._result)

    def _search(self, state: Any, clock: Clock) -> SearchResult:
        allowance = self.policy.allowance(clock, self.rounds_left(state))
        seconds = self.limits.seconds
        if seconds is None and self.limits.nodes is None:
            seconds = min(max(allowance.hard, LEAST_SECONDS), MOST_SECONDS)
        depth, deepen = self.limits.depth, True
        if self._depth_rule and not fixed_time(clock):
            depth, deepen = max(1, round(self._rule.next(clock) * self._rounds_a_step)), False

        def keep_going(iterations: list[Iteration]) -> bool:
            # A budget of nodes alone is spent whole: such a game repeats move for move.
            return self.limits.seconds is not None or seconds is None or self.policy.keep_going(
                iterations, self.player, allowance
            )

        return self._searcher.search(
            state, Limits(depth, self.limits.nodes, seconds), stop=self.stop,
            seed=int(self._search_seeds.integers(2**63)), deepen=deepen, variation=False, root_step=self._moves,
            keep_going=keep_going,
        )  # fmt: skip

    def _fill(self, state: Any, clock: Clock) -> int | None:
        """The next step of the longest path."""
        self._plan = self._plan or FillPlan()
        seconds = self.limits.seconds
        if seconds is None and self.limits.nodes is None:
            allowance = self.policy.allowance(clock, self.rounds_left(state), separated=True)
            seconds = min(max(allowance.soft, LEAST_SECONDS), MOST_SECONDS)
        started = time.perf_counter()
        cell = self._plan.next_cell(self.game, state, self.player, seconds, self.limits.nodes)
        if cell is None:
            return None
        visited = 0 if self._plan.last is None else self._plan.last.nodes
        if self.limits.nodes is not None:
            visited = min(visited, self.limits.nodes)  # the one that was refused is counted too
        self._filled = MoveStatistics(time.perf_counter() - started, None, visited)
        return action_to(self.game, state, self.player, cell)

    def _chosen(self, result: SearchResult) -> int:
        partial = result.partial
        if partial is not None and partial.best is not None:
            # The first action of an unfinished iteration was the best of the last one: a successor is better still.
            return partial.best[self.player]
        mixture = result.strategies[self.player]
        if self.choice == "mixture":
            actions, weights = list(mixture), np.array(list(mixture.values()))
            return int(self._random.choice(actions, p=weights / weights.sum()))
        return result.best_action(self.player)
