"""Tron-41 once nobody can meet any more: a search for ends near at hand, and a plan for the rest."""

import time
from itertools import pairwise
from typing import Any

from ..algorithms.algorithm import Algorithm
from ..algorithms.limits import Limits, StopToken
from ..algorithms.result import SearchResult
from ..boards.grid import int_of
from ..boards.longest_path import solve_fill
from ..evaluators import TronControl
from ..game import Game
from ..games.tron41 import Tron41
from ..solvers.tron41 import plan_lasting, reach, stay_separated
from .base import MoveStatistics
from .clock import Clock
from .searching import LEAST_SECONDS, MOST_SECONDS, SearchPlayer
from .timing import TimePolicy

_FILL_SHARE = 0.6
"""Of the time, for the longest path where there is nothing to pick up; what is left goes to the beam search."""


def _share(limit: float | None, share: float) -> Any:
    """A share of a limit of seconds or nodes."""
    return None if limit is None else max(1, int(limit * share)) if isinstance(limit, int) else limit * share


class LastingPlan:
    """What a player does on its own until it can go no further; kept while its part of the board stays as planned.

    Without armor and power-ups in reach, lasting is filling: the longest path, proven where there is time. That is the
    best play there is, unless the other can still set a trap, or clear barriers that it has in its bombs' reach.
    Otherwise beam search plans what to pick up and when; plans are improved from move to move.
    """

    def __init__(self, guide: TronControl) -> None:
        self._guide = guide
        self._expected: Any = None
        self.nodes = 0
        """Positions visited by the searches of the last action."""
        self._drop()

    def _drop(self) -> None:
        self._actions: list[int] = []
        self._worth = 0.0
        self.proven = False
        """Whether nothing the player can do on its own lasts longer."""

    def _look(self, game: Any, state: Any, player: int) -> Any:
        """What is in reach; a plan made for something else is dropped."""
        here = reach(game, state, player)
        if here != self._expected:
            self._drop()
            self._expected = here
        return here

    def next_action(self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None) -> int | None:
        """The action to take now, None where every way is closed. Thinks while the plan is not proven best."""
        _, goods, _ = self._look(game, state, player)
        self.nodes = 0
        if not self.proven:
            if not int_of(goods) and not game.armor(state, player):
                self._fill(game, state, player, _share(seconds, _FILL_SHARE), _share(nodes, _FILL_SHARE))
                seconds, nodes = _share(seconds, 1 - _FILL_SHARE), _share(nodes, 1 - _FILL_SHARE)
            if not self.proven:
                self._plan(game, state, player, seconds, nodes)
        return self._actions[0] if self._actions else None

    def follow(self, game: Any, state: Any, player: int, action: int) -> None:
        """The action is being taken, planned or not."""
        self._look(game, state, player)
        if not self._actions or self._actions[0] != action:
            self._drop()
            return
        child = game.next_state(state, action)
        traps = int_of(state.traps).bit_count() - int_of(child.traps).bit_count()
        self._worth -= (0.0 if game.speed(state, player) else 1.0) + self._guide.trap_separated * traps
        self._actions.pop(0)
        self._expected = reach(game, game.with_turn(child, player), player)

    def _fill(self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None) -> None:
        head = int(game.head(state, player))
        found = solve_fill(game.grid, game.walls(state), head, seconds=seconds, nodes=nodes)
        # Of the steps that a speed counter keeps the turn for, the other need not outlast any.
        worth = float(max(0, found.lower - game.speed(state, player)))
        self.nodes += found.nodes if nodes is None else min(found.nodes, nodes)
        self.proven = found.exact
        if found.exact or worth > self._worth:
            self._worth = worth
            cells = [game.grid.position(cell) for cell in (head, *found.path)]
            steps = [(0, -1), (1, 0), (0, 1), (-1, 0)]
            self._actions = [
                steps.index((there[0] - here[0], there[1] - here[1])) for here, there in pairwise(cells)
            ]

    def _plan(self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None) -> None:
        found = plan_lasting(game, self._guide, state, player, seconds=seconds, nodes=nodes)
        self.nodes += found.nodes if nodes is None else min(found.nodes, nodes)
        if found.value > self._worth or not self._actions:
            self._actions, self._worth = list(found.actions), found.value


class LastingPlayer(SearchPlayer):
    """A search player of Tron-41 that plans to last, once the players stay apart.

    While traps are in anybody's reach, the plan does not know what the other may do. Then half of the time goes to the
    search of both players' moves, and the plan's action is only taken where that search finds it at most `margin` steps
    worse than its own best; a win that it proves goes before the plan.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        *,
        guide: TronControl,
        margin: float = 3.0,
        limits: Limits | None = None,
        policy: TimePolicy | None = None,
        stop: StopToken | None = None,
    ) -> None:
        super().__init__(algorithm, limits=limits, policy=policy, stop=stop)
        self._guide, self._margin = guide, margin

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._lasting: LastingPlan | None = None
        self._statistics: MoveStatistics | None = None

    @property
    def last_statistics(self) -> MoveStatistics | None:
        return super().last_statistics if self._statistics is None else self._statistics

    def _warm(self, searcher: Any) -> None:
        super()._warm(searcher)
        game, state = self.game, self.game.initial_state()
        assert isinstance(game, Tron41)
        stay_separated(game, state)
        reach(game, state, 0)
        solve_fill(game.grid, game.walls(state), int(game.head(state, 0)), nodes=1)
        plan_lasting(game, self._guide, state, 0, nodes=1)

    def choose(self, state: Any, clock: Clock) -> int:
        self._statistics, started = None, time.perf_counter()
        game = self.game
        assert isinstance(game, Tron41)
        if self._lasting is None:
            if not stay_separated(game, state):
                return super().choose(state, clock)
            self._lasting = LastingPlan(self._guide)
        actions = game.search_actions(state, self.player)
        self._result = None
        self._moves += 1
        if len(actions) == 1:
            action = actions[0]
        else:
            self._searched = self._lasting.nodes = 0
            action = self._last(state, clock)
            found = self._result
            self._statistics = MoveStatistics(
                time.perf_counter() - started, found.depth if found else None, self._searched + self._lasting.nodes,
                found.value if found else None,
            )  # fmt: skip
        self._lasting.follow(game, state, self.player, action)
        return action

    def _last(self, state: Any, clock: Clock) -> int:
        """The plan's next action, unless the search knows better."""
        assert self._lasting is not None
        game, seconds, nodes = self.game, self.limits.seconds, self.limits.nodes
        if seconds is None and nodes is None:
            allowance = self.policy.allowance(clock, self.rounds_left(state), separated=True)
            seconds = min(max(allowance.hard, LEAST_SECONDS), MOST_SECONDS)
        trapped = any(int_of(reach(game, state, player)[1]) & int_of(state.traps) for player in (0, 1))
        if not trapped:
            action = self._lasting.next_action(game, state, self.player, seconds, nodes)
            return game.search_actions(state, self.player)[0] if action is None else action
        found = self._looked(state, _share(seconds, 0.5), _share(nodes, 0.5))
        self._result, searched = found, self._chosen(found)
        low, high = found.bounds
        if (low if self.player == 0 else -high) > 0:  # a win is proven
            return searched
        planned = self._lasting.next_action(game, state, self.player, _share(seconds, 0.25), _share(nodes, 0.25))
        if planned is None or planned == searched:
            return searched
        after = game.next_state(state, planned)
        then = self._looked(after, _share(seconds, 0.2), _share(nodes, 0.2)) if game.current_player(after) >= 0 else None
        return planned if then is None or self._as_good(found, then) else searched

    def _looked(self, state: Any, seconds: float | None, nodes: int | None) -> SearchResult:
        found = self._searcher.search(
            state, Limits(self.limits.depth, nodes, seconds), stop=self.stop,
            seed=int(self._search_seeds.integers(2**63)), variation=False, root_step=self._moves,
        )  # fmt: skip
        self._searched += found.statistics.nodes
        return found

    def _mine(self, value: float) -> float:
        return value if self.player == 0 else -value

    def _as_good(self, found: SearchResult, then: SearchResult) -> bool:
        """Whether the position after the plan's action is worth as much, looked at equally deep."""
        before = {iteration.depth: iteration.value for iteration in found.iterations}
        after = {iteration.depth + 1: iteration.value for iteration in then.iterations}
        depth = max(before.keys() & after.keys(), default=None)
        if depth is None:
            return True
        best, planned = self._mine(before[depth]), self._mine(after[depth])
        return self._guide.steps_of(planned) >= self._guide.steps_of(best) - self._margin
