"""Players of Tron-41 that are made for it alone."""

import random
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ... import (
    Limits,
    SearchResult,
)
from ..interface import (
    TERMINAL,
    Answer,
    Clock,
    EndgamePlan,
    Game,
    Manner,
    MoveStatistics,
    Player,
    SearchPlayer,
    int_of,
    kernel,
    solve_fill,
)
from .evaluators import TronControl
from .game import (
    Tron41,
)
from .rules import UP
from .survival import plan_survival, reach, stay_separated


@dataclass(frozen=True)
class SafeMoves(Manner):
    """Looks at moves that are safe without armor, like all of the course's bots."""

    @kernel
    def actions(self, game, state, player, out):
        return game.steps(state, player, False, out)


@dataclass(frozen=True)
class CutoffByRoom(Manner):
    """tron_freespace: one view for both players, and a depth that follows the room that is left."""

    @kernel
    def actions(self, game, state, player, out):
        return game.search_actions(state, player, out)

    @kernel
    def end(self, game, state, root):
        return game.returns(state) if root == 0 else -game.returns(state)

    @kernel
    def leaf(self, game, state, root):
        value = self.evaluator.evaluate(game, state)
        return value if root == 0 else -value

    @kernel
    def depth(self, game, state, depth):
        return self.evaluator.cutoff_depth(game, state) if game.current_player(state) != TERMINAL else depth


_AHEAD = 3
"""The safe actions after a step into the open: the cell just left is none."""


class WallPlayer(Player):
    """Keeps to walls and trails: the first safe direction whose target has fewer than 3 safe continuations.

    The directions are tried in an order drawn for each game. Where no target qualifies it takes the first safe
    direction of that order, where none is safe U. Like all of the course's bots it never enters a barrier, armor or not.
    """

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._order = [0, 1, 2, 3]
        random.Random(seed).shuffle(self._order)

    def choose(self, state: Any, clock: Clock) -> int:
        game = self.game
        assert isinstance(game, Tron41)
        safe = [action for action in self._order if game.is_safe(state, self.player, action, False)]
        for action in safe:
            if game.ways_on(state, self.player, action) < _AHEAD:
                return action
        return safe[0] if safe else UP


class SafePlayer(Player):
    """Uniform over the safe actions, U if there is none: the course's random bot."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = random.Random(seed)

    def choose(self, state: Any, clock: Clock) -> int:
        assert isinstance(self.game, Tron41)
        safe = self.game.safe_actions(state, self.player)
        return self._random.choice(safe) if safe else UP


_FILL_SHARE = 0.6
"""Of the time, for the longest path where there is nothing to pick up; what is left goes to the beam search."""


def _share(limit: float | None, share: float) -> Any:
    """A share of a limit of seconds or nodes."""
    return None if limit is None else max(1, int(limit * share)) if isinstance(limit, int) else limit * share


class SurvivalPlan:
    """A player's own moves to its end, which survive longest; kept while the cells that it reaches stay as planned.

    Without armor and power-ups in reach, the longest survival is the longest path, proven where there is time. That is the
    best play there is, unless the other player can still set a trap, or clear barriers in reach of its bombs.
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
        self._value = 0.0
        self.proven = False
        """Whether no moves of its own survive longer."""

    def _look(self, game: Any, state: Any, player: int) -> Any:
        """The items in reach; a plan made for others is dropped."""
        here = reach(game, state, player)
        if here != self._expected:
            self._drop()
            self._expected = here
        return here

    def next_action(
        self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None
    ) -> int | None:
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

    def follow(self, game: Any, state: Any, player: int, action: int | None) -> None:
        self._look(game, state, player)
        if not self._actions or self._actions[0] != action:
            self._drop()
            return
        child = game.next_state(state, action)
        traps = int_of(state.traps).bit_count() - int_of(child.traps).bit_count()
        self._value -= (0.0 if game.speed(state, player) else 1.0) + self._guide.trap_separated * traps
        self._actions.pop(0)
        self._expected = reach(game, game.with_turn(child, player), player)

    def _fill(self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None) -> None:
        head = int(game.head(state, player))
        found = solve_fill(game.grid, game.walls(state), head, seconds=seconds, nodes=nodes)
        # Of the steps that a speed counter keeps the turn for, the other need not outlast any.
        value = float(max(0, found.lower - game.speed(state, player)))
        self.nodes += found.nodes if nodes is None else min(found.nodes, nodes)
        self.proven = found.exact
        if found.exact or value > self._value:
            self._value = value
            cells = [game.grid.position(cell) for cell in (head, *found.path)]
            steps = [(0, -1), (1, 0), (0, 1), (-1, 0)]
            self._actions = [
                steps.index((there[0] - here[0], there[1] - here[1])) for here, there in pairwise(cells)
            ]

    def _plan(self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None) -> None:
        found = plan_survival(game, self._guide, state, player, seconds=seconds, nodes=nodes)
        self.nodes += found.nodes if nodes is None else min(found.nodes, nodes)
        if found.value > self._value or not self._actions:
            self._actions, self._value = list(found.actions), found.value


class TronSurvival(EndgamePlan):
    """Plans the longest survival in Tron-41, when the players stay separated.

    While traps are in anybody's reach, the plan does not know what the other player may do. Then half of the time goes to the
    two-player search, and the plan's action is only taken where that search finds it at most `margin` steps
    worse than its own best; a win that it proves goes before the plan.
    """

    def __init__(self, guide: TronControl, margin: float = 3.0) -> None:
        self._guide, self._margin = guide, margin

    def begin(self, searching: SearchPlayer) -> None:
        self._plan: SurvivalPlan | None = None

    def warm(self, game: Game, state: Any) -> None:
        assert isinstance(game, Tron41)
        stay_separated(game, state)
        plan = SurvivalPlan(self._guide)
        plan._fill(game, state, 0, None, 1)
        plan.follow(game, state, 0, plan.next_action(game, state, 0, None, 1))

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        game, started = searching.game, time.perf_counter()
        assert isinstance(game, Tron41)
        if self._plan is None:
            if not stay_separated(game, state):
                return None
            self._plan = SurvivalPlan(self._guide)
        actions = game.search_actions(state, searching.player)
        if len(actions) == 1:
            answer = Answer(actions[0])
        else:
            self._searched = self._plan.nodes = 0
            action, found = self._last(searching, self._plan, state, clock)
            used, nodes = time.perf_counter() - started, self._searched + self._plan.nodes
            findings = MoveStatistics(used, None, nodes)
            if found is not None:
                findings = replace(found, seconds=used, statistics=replace(found.statistics, nodes=nodes))
            answer = Answer(action, findings)
        self._plan.follow(game, state, searching.player, answer.action)
        return answer

    def _last(
        self, searching: SearchPlayer, plan: SurvivalPlan, state: Any, clock: Clock
    ) -> tuple[int, SearchResult | None]:
        """The plan's next action unless the search knows better, and what that has found."""
        game, player, nodes = searching.game, searching.player, searching.limits.nodes
        seconds = searching.seconds(searching.deadline(clock, separated=True).search)
        trapped = any(int_of(reach(game, state, one)[1]) & int_of(state.traps) for one in (0, 1))
        if not trapped:
            action = plan.next_action(game, state, player, seconds, nodes)
            return game.search_actions(state, player)[0] if action is None else action, None
        found = self._looked(searching, state, _share(seconds, 0.5), _share(nodes, 0.5))
        searched = searching.chosen(found)
        low, high = found.bounds
        if (low if player == 0 else -high) > 0:  # a win is proven
            return searched, found
        planned = plan.next_action(game, state, player, _share(seconds, 0.25), _share(nodes, 0.25))
        if planned is None or planned == searched:
            return searched, found
        after = game.next_state(state, planned)
        if game.current_player(after) < 0:
            return planned, found
        then = self._looked(searching, after, _share(seconds, 0.2), _share(nodes, 0.2))
        return planned if self._as_good(player, found, then) else searched, found

    def _looked(
        self, searching: SearchPlayer, state: Any, seconds: float | None, nodes: int | None
    ) -> SearchResult:
        found = searching.search(state, Limits(searching.limits.depth, nodes, seconds))
        self._searched += found.statistics.nodes
        return found

    def _as_good(self, player: int, found: SearchResult, then: SearchResult) -> bool:
        """Whether the position after the plan's action has as high a value, searched equally deep."""
        before = {iteration.depth: iteration.value for iteration in found.iterations}
        after = {iteration.depth + 1: iteration.value for iteration in then.iterations}
        depth = max(before.keys() & after.keys(), default=None)
        if depth is None:
            return True
        sign = 1 if player == 0 else -1
        best, planned = sign * before[depth], sign * after[depth]
        return self._guide.steps_of(planned) >= self._guide.steps_of(best) - self._margin
