"""Solving a game before it is played, where that takes a few seconds at most, and playing from the solution."""

import threading
from collections import OrderedDict
from typing import Any, NamedTuple

from ..algorithms.algorithm import Algorithm
from ..algorithms.limits import Limits
from ..compiled.waiting_line import WaitingLine
from ..game import Game, GameError
from ..solvers.beforehand import Budget, solve_beforehand
from ..solvers.general import Solution
from ..solvers.general.erring import Erring
from ..spec import name_of
from .base import Answer
from .clock import Clock
from .searching import EndgamePlan, InOrder, SearchPlayer, choice_of
from .solution import answer_from, mixture_from
from .timing import Adaptive

_PATIENCE = 2.0
"""Seconds before solving is worth a line."""
_MOST_KEPT, _MOST_POSITIONS = 64, 8_000_000
"""Starts that are remembered, and positions of all their solutions together: at most some 300 MB."""


class _Solved(NamedTuple):
    """A solution, and of a game that ends by its rules which of its moves get most against a player who errs."""

    solution: Solution
    erring: Erring | None


class _Kept:
    """What was solved in this process, by game and start, and what is known to be too large."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[Game, Any, Budget], _Solved | None] = OrderedDict()

    def solution(self, game: Game, start: Any, budget: Budget) -> _Solved | None:
        """The solution from this start, if it fits the budget; solved now where it is not known."""
        key = game, start, budget
        with self._lock:  # who waits here would solve the same
            if key not in self._known:
                self._known[key] = _solved(game, start, budget)
            self._known.move_to_end(key)
            while len(self._known) > _MOST_KEPT or self._positions() > _MOST_POSITIONS:
                self._known.popitem(last=False)
            return self._known.get(key)

    def _positions(self) -> int:
        return sum(len(one.solution) for one in self._known.values() if one is not None)


_kept = _Kept()


def _solved(game: Game, start: Any, budget: Budget) -> _Solved | None:
    name = name_of(game)
    lines: list[WaitingLine] = []

    def tell() -> None:
        message = f"solving {name}, to play it exactly (once in a run; `best(solve=false)` searches instead)"
        lines.append(WaitingLine(message, f"solved {name}", _PATIENCE))

    finished = False
    try:
        found = solve_beforehand(game, start, budget, tell)
        finished = True
    finally:
        for line in lines:
            line.close(finished)
    if found is None:
        return None
    found.warm()
    erring = None if game.clock else Erring(found)
    if erring is not None:
        erring.warm()
    return _Solved(found, erring)


class SolveFirst(EndgamePlan):
    """Plays an equilibrium of the whole game, drawn from by the player's `choice`, where the game was solved before the clock ran.

    Where a move keeps the value whatever the other does, it takes the one of these that gets most against a player who errs.

    It is solved from its usual start when a game begins, and from the position in which this one begins where that is another. What does
    not fit the budget is left to the search. Solutions are kept for the next games of the process.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._solved: _Solved | None = None

    def begin(self, searching: SearchPlayer) -> None:
        self._solved = _kept.solution(searching.game, searching.game.initial_state(), self._budget)

    def begin_at(self, searching: SearchPlayer, state: Any) -> None:
        game = searching.game
        if state != game.initial_state() and not (self._solved is not None and self._solved.solution.has(state)):
            self._solved = _kept.solution(game, state, self._budget)

    def warm(self, game: Game, state: Any) -> None:
        _kept.solution(game, state, self._budget)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        if self._solved is None:
            return None
        try:
            solution, erring = self._solved
            return answer_from(solution, state, searching.player, searching.choice, searching.random, erring=erring)
        except GameError:  # it began elsewhere
            return None

    @property
    def solution(self) -> Solution | None:
        return None if self._solved is None else self._solved.solution

    def mixture(self, searching: SearchPlayer, state: Any) -> dict[int, float] | None:
        if self._solved is None:
            return None
        try:
            solution, erring = self._solved
            return mixture_from(solution, state, searching.player, searching.choice, erring=erring)
        except GameError:
            return None


def solved_or_searched(
    algorithm: Algorithm,
    limits: Limits | None,
    solve: bool,
    choice: str = "best",
    rest: EndgamePlan | None = None,
    *,
    always: bool = False,
) -> SearchPlayer:
    """A player of the whole game's solution where it was solved before the clock runs; else it searches, but where `rest` knows better.

    Without `solve` it always searches; but `rest` that plays `always`, whatever the position, plays then too.
    """
    plan = (rest if always else None) if not solve else SolveFirst() if rest is None else InOrder(SolveFirst(), rest)
    return SearchPlayer(algorithm, limits=limits, policy=Adaptive(), choice=choice_of(choice), endgame=plan)
