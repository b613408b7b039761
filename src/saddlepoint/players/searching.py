"""A player that searches, and plans that play in the search's place."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np

from ..algorithms.algorithm import Algorithm, Memory, UnsupportedGameError
from ..algorithms.limits import Limits, StopToken
from ..algorithms.result import Iteration, SearchResult
from ..algorithms.searcher import Searcher
from ..algorithms.simultaneous.serialised_alpha_beta import SerialisedAlphaBeta
from ..boards.longest_path import are_separated, is_territorial, solve_fill
from ..compiled.clock import seconds_counted
from ..evaluators import Prospects
from ..game.base import NO_ACTION, SIMULTANEOUS, Game
from ..solvers.general.solution import Solution
from .base import Answer, MoveStatistics, Player
from .clock import ENDLESS, Clock, Deadline, DepthRule, TimePolicy, Uniform, fixed_time
from .named import choice_of

LEAST_SECONDS, MOST_SECONDS = 0.001, 10.0
"""Thinking time where a clock is empty, and where it is endless."""
_NODES_TO_WARM = 1000
"""More than a search to depth 1 visits; a search that knows no depth ends there."""


class SearchPlayer(Player):
    """Plays by a search.

    `limits` (depth, nodes, seconds) bound every move; where they give no seconds the policy makes them of the clock.
    A SerialisedAlphaBeta is turned so that this player commits first: it expects the opponent to know its move.
    `choice` is "best" (the most probable action) or "mixture" (sampled from the mixed strategy). With `depth_rule` the
    depth is a published program's instead of iterative deepening, as far as the clock has a bank. `plans`
    play in the search's place where they know better, in the last part of a game or in all of it: the first that has an answer.
    `search_of` gives the search of a game when one begins, in the place of `algorithm`.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        *,
        limits: Limits | None = None,
        policy: TimePolicy | None = None,
        choice: str = "best",
        depth_rule: bool = False,
        plans: "Sequence[EndgamePlan]" = (),
        rounds_a_step: float = 1.0,
        stop: StopToken | None = None,
        search_of: Callable[[Game], Algorithm] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.search_of = search_of
        self.threads = int(getattr(algorithm, "threads", 1))
        self.limits = limits or Limits()
        self.policy = policy or Uniform()
        self.choice: Literal["best", "mixture"] = choice_of(choice)
        self.stop = stop
        self._depth_rule, self._rounds_a_step = depth_rule, rounds_a_step
        self._rule = DepthRule()
        self.plans = tuple(plans)
        self._searchers: dict[Any, Searcher] = {}

    follows = True
    now = staticmethod(seconds_counted)
    """The clock by which a move's seconds count; only differences mean something."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self.random = np.random.default_rng(seed)
        self._search_seeds = np.random.default_rng(None if seed is None else [seed, 1])
        self._rule = DepthRule()
        self._moves, self._is_new = 0, True
        if self.search_of is not None:
            self.algorithm = self.search_of(game)
        algorithm = turned_to(self.algorithm, player)
        key = (game, algorithm)
        if key not in self._searchers:
            searcher = Searcher(game, algorithm, memory=Memory())
            start = game.initial_state()
            # Before the clock runs all is compiled, or loaded, that a move may need; proof-number search knows no depth.
            searcher.search(start, Limits(depth=1, nodes=_NODES_TO_WARM), variation=False)
            for plan in self.plans:
                plan.warm(game, start)
            self._searchers[key] = (
                searcher  # once it is warm: the next game of one that could not be warmed says so too
            )
        self._searcher = self._searchers[key]
        self._searcher.memory.clear()
        for plan in self.plans:
            plan.begin(self)

    def follow(self, state: Any, clock: Clock, seconds: tuple[float, float]) -> None:
        for plan in self.plans if self._is_new else ():  # nobody has moved, and no clock runs
            plan.begin_at(self, state)
        self._is_new = False
        for plan in self.plans:
            plan.follow(self, state)

    def choose(self, state: Any, clock: Clock) -> Answer:
        started = seconds_counted()
        self._moves += 1
        for plan in self.plans:
            if (answer := plan.choose(self, state, clock)) is not None:
                return answer
        actions = self.game.search_actions(state, self.player)
        if len(actions) == 1:  # forced
            return Answer(actions[0])
        deadline = self.deadline(clock)
        seconds = self.seconds(deadline.search)
        depth, deepen = self.limits.depth, True
        if self._depth_rule and not fixed_time(clock):
            depth, deepen = max(1, round(self._rule.next(clock) * self._rounds_a_step)), False

        def keep_going(iterations: list[Iteration]) -> bool:
            # A budget of nodes alone is spent whole: such a game repeats move for move.
            return (
                self.limits.seconds is not None
                or seconds is None
                or self.policy.keep_going(iterations, self.player, deadline)
            )

        if seconds is not None:  # what was done before the search counts, too
            seconds = max(seconds - (seconds_counted() - started), LEAST_SECONDS)
        result = self.search(
            state, Limits(depth, self.limits.nodes, seconds), deepen=deepen, keep_going=keep_going
        )
        return Answer(self.chosen(result), result)

    def deadline(self, clock: Clock, separated: bool = False) -> Deadline:
        """The policy's deadline for this clock and the most steps that the game can still last."""
        return self.policy.deadline(clock, max(1, self.game.max_depth - self._moves), separated)

    def seconds(self, allowed: float) -> float | None:
        """Seconds for a move to which the policy gives `allowed`; None where only nodes bound it."""
        return (
            self.limits.seconds
            if self.limits.seconds is not None or self.limits.nodes is not None
            else min(max(allowed, LEAST_SECONDS), MOST_SECONDS)
        )

    def search(self, state: Any, limits: Limits, **options: Any) -> SearchResult:
        """Search this position, with a seed of its own; `options` are those of `Searcher.search`."""
        seed = int(self._search_seeds.integers(2**63))
        return self._searcher.search(
            state, limits, stop=self.stop, seed=seed, variation=False, root_step=self._moves, **options
        )

    def chosen(self, result: SearchResult) -> int:
        """The action to take after a search."""
        mixture = mixture_of(result, self.player, self.choice)
        if self.choice == "best" or _is_cut_short(result):
            return next(iter(mixture))
        actions, weights = list(mixture), np.array(list(mixture.values()))
        return int(self.random.choice(actions, p=weights / weights.sum()))

    def mixture(self, state: Any, search: Callable[[Algorithm], SearchResult]) -> dict[int, float]:
        """The player's probabilities by action in a position searched alone; `begin` is called before.

        `search` returns an algorithm's result there; it is called only where it is needed.
        """
        for plan in self.plans:
            if (found := plan.mixture(self, state)) is not None:
                return found
        actions = self.game.search_actions(state, self.player)
        if len(actions) == 1:
            return {actions[0]: 1.0}
        result = search(self._searcher.algorithm)
        return (
            {action: 1.0 / len(actions) for action in actions}
            if not result.strategies[self.player]
            else mixture_of(result, self.player, self.choice)
        )

    @property
    def solution(self) -> Solution | None:
        """The solution of the whole game, where it plays from that."""
        return next((found for plan in self.plans if (found := plan.solution) is not None), None)


def first_that_takes(game: Game, *algorithms: Algorithm) -> Algorithm:
    """The first of these searches that takes the game, with its evaluator.

    Raises UnsupportedGameError without one.
    """
    for algorithm in algorithms[:-1]:
        with suppress(UnsupportedGameError):
            algorithm.check(game)
            return algorithm
    algorithms[-1].check(game)
    return algorithms[-1]


def turned_to(algorithm: Algorithm, player: int) -> Algorithm:
    """The search of that player: a serialised one lets it commit first."""
    return replace(cast(Any, algorithm), first=player) if algorithm.is_serialised else algorithm


def mixture_of(result: SearchResult, player: int, choice: Literal["best", "mixture"]) -> dict[int, float]:
    """The probabilities by action after a search.

    Raises ValueError where the result has no strategy of that player.
    """
    if _is_cut_short(result):
        # The first action of an unfinished iteration was the best of the last one: a successor is better still.
        return {result.partial.best[player]: 1.0}  # type: ignore[union-attr, index]
    return result.strategies[player] if choice == "mixture" else {result.best_action(player): 1.0}


def _is_cut_short(result: SearchResult) -> bool:
    """Whether an unfinished iteration says what is best."""
    return result.partial is not None and result.partial.best is not None


class EndgamePlan(ABC):
    """A plan that plays in a search's place where it knows better, for example in the last part of a game."""

    adapts = False
    """Whether it plays a position differently after other games, so that nobody can tell its probabilities."""

    @abstractmethod
    def begin(self, searching: SearchPlayer) -> None:
        """Begin a new game, with the game and player of `searching`."""

    def begin_at(self, searching: SearchPlayer, state: Any) -> None:
        """This is the position in which it begins; called after `begin`, before any clock runs, by whoever knows it."""

    def follow(self, searching: SearchPlayer, state: Any) -> None:
        """This is the position now."""

    @abstractmethod
    def warm(self, game: Game, state: Any) -> None:
        """Compile, or load, what this plan needs, before any clock runs."""

    @abstractmethod
    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        """The answer in this position, with the game, player and limits of `searching`; None where the search shall play."""

    @property
    def solution(self) -> Solution | None:
        """The solution that it plays from, if any.

        The search is then not used for any position that can occur.
        """
        return None

    def mixture(self, searching: SearchPlayer, state: Any) -> dict[int, float] | None:
        """Its probabilities by action in a position seen alone; None where the search shall play."""
        self.begin(searching)
        answer = self.choose(searching, state, ENDLESS)
        return None if answer is None else {answer.action: 1.0}


# Playing on alone: once the riders are separated, drive the longest path that can be found.


class FillRoom(EndgamePlan):
    """Drives the longest path that can be found once the players of a territorial game are separated.

    The path is kept from move to move, and lengthened while it is not proven longest and there is time.
    """

    def begin(self, searching: SearchPlayer) -> None:
        self._filling = self._exact = False
        self._path: list[int] = []

    def warm(self, game: Any, state: Any) -> None:
        if is_territorial(game):
            are_separated(game, state)
            found = solve_fill(game.grid, game.walls(state), int(game.head(state, 0)), seconds=0.001)
            if found.path:
                action_to(game, state, 0, found.path[0])

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        game: Any = searching.game
        self._filling = self._filling or (is_territorial(game) and are_separated(game, state))
        if not self._filling:
            return None
        limits, started, visited = searching.limits, time.perf_counter(), 0
        if not self._exact:
            seconds = searching.seconds(searching.deadline(clock, separated=True).depth)
            found = solve_fill(
                game.grid,
                game.walls(state),
                int(game.head(state, searching.player)),
                seconds=seconds,
                nodes=limits.nodes,
                stop=searching.stop,
            )
            # The node that was refused is counted too.
            visited = found.nodes if limits.nodes is None else min(found.nodes, limits.nodes)
            self._exact = found.exact
            if found.exact or found.lower > len(self._path):
                self._path = list(found.path)
        action = action_to(game, state, searching.player, self._path.pop(0)) if self._path else None
        return (
            None
            if action is None
            else Answer(action, MoveStatistics(time.perf_counter() - started, None, visited))
        )


def action_to(game: Any, state: Any, player: int, cell: int) -> int | None:
    """The player's action that leads to a cell, None if there is none."""
    is_joint = game.current_player(state) == SIMULTANEOUS
    other = game.search_actions(state, 1 - player)[0] if is_joint else NO_ACTION
    for action in game.search_actions(state, player):
        joint = (action, other) if player == 0 else (other, action)
        if int(game.head(game.next_state(state, *joint), player)) == cell:
            return action
    return None


def trails_search() -> SerialisedAlphaBeta:
    """The search that scores best in games of two heads that leave trails and move at the same time."""
    return SerialisedAlphaBeta(
        Prospects(),
        killers=True,
        history=True,
        null_windows=True,
        discount=1e-6,
        by_choices=True,
        futility=0.4,
        deeper_entries=True,
    )
