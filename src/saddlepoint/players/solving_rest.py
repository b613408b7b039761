"""Solving what is left of a game as soon as that fits the time of a move, and playing from the solution."""

import math
from typing import Any

from ..compiled.clock import seconds_counted
from ..game import Game
from ..solvers.beforehand import solve_rest, warm_rest
from ..solvers.general import Solution
from .base import Answer
from .clock import ENDLESS, Clock
from .searching import EndgamePlan, SearchPlayer
from .solution import against_tremble, answer_from, mixture_from

_SHARE_EXPECTED, _SHARE = 0.6, 0.8
"""Of a move's time: what solving may be expected to take, and what it may take; the rest is left to the search."""
_LEAST_SECONDS = 0.005
"""Less time is left to the search alone: seeing that a game is too large takes half a millisecond."""


class SolveRest(EndgamePlan):
    """Plays from the solution of what is left of the game, once that can be solved in the time of one move.

    A limit of nodes bounds the positions that are solved, instead of the time; with a limit of depth alone nothing is solved. With
    `tremble` it plays the best against another who errs in this move with that probability (`against_tremble`); 0 is an equilibrium.
    """

    def __init__(self, tremble: float = 0.0) -> None:
        self._tremble = tremble
        self._solution: Solution | None = None
        self._ready: set[Game] = set()
        """Games for which all is compiled: in others nothing is solved, since it would be compiled while the clock runs."""
        self._slowness = 1.0
        """How many times as long as it is counted solving may take: rules differ. Learnt from what was broken off."""

    def begin(self, searching: SearchPlayer) -> None:
        self._solution = None

    def warm(self, game: Game, state: Any) -> None:
        """Compile, or load, by the last moves of some game."""
        if (solution := warm_rest(game, state)) is not None:
            against_tremble(solution.at(solution.root), 0, self._tremble)
            self._ready.add(game)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        solution = self._solved(searching, state, clock)
        if solution is None:
            return None
        return answer_from(solution, state, searching.player, searching.choice, searching.random, self._tremble)

    def mixture(self, searching: SearchPlayer, state: Any) -> dict[int, float] | None:
        solution = self._solved(searching, state, ENDLESS)
        if solution is None:
            return None
        return mixture_from(solution, state, searching.player, searching.choice, self._tremble)

    def _solved(self, searching: SearchPlayer, state: Any, clock: Clock) -> Solution | None:
        """A solution in which the position is, if there is one or there is time for it."""
        if self._solution is None or not self._solution.has(state):
            self._solution = self._solve(searching, state, clock)
        return self._solution

    def _solve(self, searching: SearchPlayer, state: Any, clock: Clock) -> Solution | None:
        limits, stop = searching.limits, searching.stop
        if searching.game not in self._ready or (limits.depth is not None and limits.nodes is None and limits.seconds is None):
            return None
        seconds = searching.seconds(searching.allowance(clock).hard)
        if seconds is not None and seconds < _LEAST_SECONDS:
            return None
        end = math.inf if seconds is None else seconds_counted() + _SHARE * seconds
        work = math.inf if seconds is None else _SHARE_EXPECTED * seconds / self._slowness

        def keep_going() -> bool:
            return seconds_counted() < end and not (stop is not None and stop.stopped)

        found = solve_rest(searching.game, state, work, limits.nodes, keep_going)
        if found is None and seconds_counted() >= end:
            self._slowness *= 2
        return found
