"""The moves that a player of Tron-41 can survive on its own: beam search (Lowerre 1976) over its moves, and the plan of `best`.

Bombs, armor, speed and traps count. What the other player does is left out: where nothing it can reach touches this
player's part of the board that is no loss; where it can still set a trap or clear barriers, the plan is to be made again.
"""

import time
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ... import (
    Limits,
    SearchResult,
)
from ..interface import (
    Answer,
    Clock,
    EndgamePlan,
    Game,
    MoveStatistics,
    SearchPlayer,
    board_of,
    count,
    free_cells,
    int_of,
    is_empty,
    is_last_node,
    jit,
    neighbours,
    new_control,
    reachable,
    run,
    separated,
    single,
    solve_fill,
    words_of_board,
)
from .evaluators import TronControl
from .game import Tron41

_CLOCK_INTERVAL = 255  # nodes between two looks at the clock, as a mask
_FIRST_WIDTH, _LARGEST_WIDTH, _WIDER = 3, 4096, 3
_MOST_STEPS = 700


@dataclass(frozen=True)
class SurvivalResult:
    value: float
    """The turns that the other player must outlast, and for each trap taken `trap_separated` of the guide's."""
    actions: tuple[int, ...]
    width: int
    """Positions kept of each length by the search that found it."""
    nodes: int


@jit
def _stay_separated(game: Any, state: Any) -> bool:
    grid = game.grid
    free = free_cells(grid, game.walls(state))
    if not separated(grid, game.head(state, 0), game.head(state, 1), free):
        return False
    open_cells = free | board_of(grid, state.barriers)
    if separated(grid, game.head(state, 0), game.head(state, 1), open_cells):
        return True
    if game.armor(state, 0) > 0 or game.armor(state, 1) > 0:
        return False
    keys = board_of(grid, state.bombs) | board_of(grid, state.armors)
    both = reachable(grid, game.head(state, 0), free) | reachable(grid, game.head(state, 1), free)
    return is_empty(keys & both)


def stay_separated(game: Any, state: Any) -> bool:
    """Whether no cell can ever be reached by both players.

    Walls separate them, or barriers that neither can open: no armor in hand, neither armor nor bomb in reach of either.
    """
    return bool(run(_stay_separated, game, state))


@jit
def _reach(game: Any, state: Any, player: Any) -> Any:
    grid = game.grid
    own = reachable(grid, game.head(state, player), free_cells(grid, game.walls(state)))
    edge = neighbours(grid, own | single(grid, game.head(state, player))) & board_of(grid, state.barriers)
    goods = own & board_of(grid, game.powerups(state))
    return words_of_board(grid, own), words_of_board(grid, goods), words_of_board(grid, edge)


def reach(game: Any, state: Any, player: int) -> Any:
    """(cells a player reaches, power-ups among them, barriers beside them), as words."""
    return run(_reach, game, state, player)


@jit
def outlook(game: Any, guide: Any, state: Any, player: Any) -> float:
    """About how many moves the player has left."""
    grid = game.grid
    own = reachable(grid, game.head(state, player), free_cells(grid, game.walls(state)))
    return guide.life(game, state, player, own)


@jit
def beam_alone(game: Any, guide: Any, state: Any, player: Any, width: Any, actions: Any, control: Any) -> Any:
    """(value, steps) of the best line of a beam search of that width; its actions go to `actions`.

    All lines of a length are made from the best `width` of the lines before, judged by what they have earned and by the
    guide's outlook. Positions met twice are kept once. `control.stop` is set where the limits ended it: the best line of
    those lengths that were finished is left then.
    """
    longest = len(actions)
    parents = np.empty((longest, width), np.int32)
    taken = np.empty((longest, width), np.int8)
    earned = np.zeros(width)
    scores, sums = np.empty(4 * width), np.empty(4 * width)
    origins, directions = np.empty(4 * width, np.int64), np.empty(4 * width, np.int64)
    keys = np.empty(4 * width, np.uint64)
    slots = 1
    while slots < 8 * width:
        slots *= 2
    beam = [game.with_turn(state, player)]
    best, best_step, best_place = 0.0, -1, 0
    for step in range(longest):
        if control.stop != 0:
            break
        children = beam[:0]
        found = 0
        for k in range(len(beam)):
            here = beam[k]
            armored = game.armor(here, player) > 0
            waits = 0.0 if game.speed(here, player) > 0 else 1.0
            traps = count(board_of(game.grid, here.traps))
            if control.stop != 0:
                break
            for direction in range(4):
                if not game.is_safe(here, player, direction, armored):
                    continue
                if is_last_node(control, _CLOCK_INTERVAL):
                    break
                child = game.with_turn(game.next_state(here, direction), player)
                sums[found] = earned[k] + waits
                sums[found] += guide.trap_separated * (traps - count(board_of(game.grid, child.traps)))
                scores[found] = -(sums[found] + outlook(game, guide, child, player))
                origins[found], directions[found] = k, direction
                keys[found] = game.hash(child) | np.uint64(1)
                children.append(child)
                found += 1
        if found == 0 or control.stop != 0:
            break
        order = np.argsort(scores[:found])
        seen = np.zeros(slots, np.uint64)
        kept = beam[:0]
        sums_kept = np.zeros(width)
        for place in order:
            slot = np.int64(keys[place] >> np.uint64(1)) & (slots - 1)
            while seen[slot] != np.uint64(0) and seen[slot] != keys[place]:
                slot = (slot + 1) & (slots - 1)
            if seen[slot] == keys[place]:
                continue
            seen[slot] = keys[place]
            new = len(kept)
            kept.append(children[place])
            parents[step, new], taken[step, new] = origins[place], directions[place]
            sums_kept[new] = sums[place]
            if sums[place] > best:
                best, best_step, best_place = sums[place], step, new
            if new + 1 == width:
                break
        beam, earned = kept, sums_kept
    place = best_place
    for step in range(best_step, -1, -1):
        actions[step] = taken[step, place]
        place = parents[step, place]
    return best, best_step + 1


def plan_survival(
    game: Any,
    guide: Any,
    state: Any,
    player: int,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    width: int = _FIRST_WIDTH,
    widest: int = _LARGEST_WIDTH,
) -> SurvivalResult:
    """The best plan of beam searches of growing width, from `width` on, until the limits end them.

    Of a search that the limits end, the lines of finished lengths count. `guide` is a TronControl: its `life` says what a
    position promises, in steps.
    """
    control = new_control(nodes, seconds)
    best = SurvivalResult(-1.0, (), 0, 0)
    while True:
        actions = np.zeros(min(_MOST_STEPS, game.max_depth), np.int64)
        value, steps = run(beam_alone, game, guide, state, player, width, actions, control)
        if value > best.value and (steps > 0 or not control["stop"]):
            best = SurvivalResult(float(value), tuple(actions[:steps].tolist()), width, 0)
        width *= _WIDER
        if control["stop"] or width > widest:
            break
    return SurvivalResult(best.value, best.actions, best.width, int(control["nodes"]))


# The plan of `best`, from move to move.

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
