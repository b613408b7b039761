"""Tron-41 once nobody can meet any more: a search for ends near at hand, and a plan for the rest."""

from typing import Any

from ..boards.grid import int_of
from ..boards.longest_path import solve_fill
from ..evaluators import TronControl
from ..game import Game
from ..games.tron41 import Tron41
from ..search.algorithm import Algorithm
from ..search.limits import Limits, StopToken
from ..solvers.tron41 import last_alone, reach, stay_apart
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
        self._worth -= (0.0 if game.speed(state, player) else 1.0) + self._guide.trap_apart * traps
        self._actions.pop(0)
        self._expected = reach(game, game.alone(child, player), player)

    def _fill(self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None) -> None:
        head = int(game.head(state, player))
        found = solve_fill(game.grid, game.walls(state), head, seconds=seconds, nodes=nodes)
        # Of the steps that a speed counter keeps the turn for, the other need not outlast any.
        worth = float(max(0, found.lower - game.speed(state, player)))
        self.proven = found.exact
        if found.exact or worth > self._worth:
            self._worth = worth
            cells = [game.grid.position(cell) for cell in (head, *found.path)]
            steps = [(0, -1), (1, 0), (0, 1), (-1, 0)]
            self._actions = [
                steps.index((there[0] - here[0], there[1] - here[1])) for here, there in zip(cells, cells[1:], strict=False)
            ]

    def _plan(self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None) -> None:
        found = last_alone(game, self._guide, state, player, seconds=seconds, nodes=nodes)
        if found.worth > self._worth or not self._actions:
            self._actions, self._worth = list(found.actions), found.worth


class LastingPlayer(SearchPlayer):
    """A search player of Tron-41 that plans to last, once the players stay apart.

    While traps are in anybody's reach, `search_share` of the time still goes to the search of both players' moves, and a
    win that it proves goes before the plan.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        *,
        guide: TronControl,
        search_share: float = 0.3,
        limits: Limits | None = None,
        policy: TimePolicy | None = None,
        stop: StopToken | None = None,
    ) -> None:
        super().__init__(algorithm, limits=limits, policy=policy, stop=stop)
        self._guide, self._search_share = guide, search_share

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._lasting: LastingPlan | None = None

    def _warm(self, searcher: Any) -> None:
        super()._warm(searcher)
        game, state = self.game, self.game.initial_state()
        assert isinstance(game, Tron41)
        stay_apart(game, state)
        reach(game, state, 0)
        solve_fill(game.grid, game.walls(state), int(game.head(state, 0)), nodes=1)
        last_alone(game, self._guide, state, 0, nodes=1)

    def choose(self, state: Any, clock: Clock) -> int:
        game = self.game
        assert isinstance(game, Tron41)
        if self._lasting is None:
            if not stay_apart(game, state):
                return super().choose(state, clock)
            self._lasting = LastingPlan(self._guide)
        actions = game.search_actions(state, self.player)
        action = actions[0] if len(actions) == 1 else self._last(state, clock)
        self._lasting.follow(game, state, self.player, action)
        return action

    def _last(self, state: Any, clock: Clock) -> int:
        """A proven win, or the plan's next action."""
        assert self._lasting is not None
        game, seconds, nodes = self.game, self.limits.seconds, self.limits.nodes
        self._moves += 1
        self._result = None
        if seconds is None and nodes is None:
            allowance = self.policy.allowance(clock, self.rounds_left(state), separated=True)
            seconds = min(max(allowance.hard, LEAST_SECONDS), MOST_SECONDS)
        if any(int_of(reach(game, state, player)[1]) & int_of(state.traps) for player in (0, 1)):
            share = self._search_share
            limits = Limits(self.limits.depth, _share(nodes, share), _share(seconds, share))
            found = self._searcher.search(
                state, limits, stop=self.stop, seed=int(self._search_seeds.integers(2**63)), variation=False,
                root_step=self._moves,
            )  # fmt: skip
            seconds, nodes = _share(seconds, 1 - share), _share(nodes, 1 - share)
            if found.exact and (found.value if self.player == 0 else -found.value) > 0:
                self._result = found
                return self._chosen(found)
        action = self._lasting.next_action(game, state, self.player, seconds, nodes)
        return game.search_actions(state, self.player)[0] if action is None else action
