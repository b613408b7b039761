"""Players that play from solutions: of the whole game, solved beforehand, or of what is left of it as soon as that fits the time."""

import math
import threading
import time
from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

import numpy as np

from ..algorithms.algorithm import Algorithm
from ..algorithms.limits import Limits
from ..algorithms.result import SearchResult
from ..compiled.clock import seconds_counted
from ..game.base import Game, GameError
from ..game.spec import name_of
from ..matrix import solve_matrix
from ..policies.opponents import OpponentModel, SafeExploitation
from ..solvers.beforehand import Budget, solve_beforehand, solve_rest, warm_rest
from ..solvers.general.check import Erring
from ..solvers.general.solution import Solution, Stage
from ..system.patience import SOLVING_SAID
from ..system.terminal import WaitingLine
from .base import Answer, Player, PlayerError, Seen
from .clock import ENDLESS, Adaptive, Clock
from .searching import EndgamePlan, SearchPlayer


def answer_from(
    solution: Solution,
    state: Any,
    player: int,
    choice: Literal["best", "mixture"],
    random: np.random.Generator,
    tremble: float = 0.0,
    erring: Erring | None = None,
) -> Answer:
    """An action of `mixture_from`, drawn by its probabilities, with the value of the position."""
    started = time.perf_counter()
    stage = solution.at(state)
    mixture = mixture_from(solution, state, player, choice, tremble, erring)
    if choice == "best":
        action = next(iter(mixture))
    else:
        actions, weights = list(mixture), np.array(list(mixture.values()))
        action = int(random.choice(actions, p=weights / weights.sum()))
    found = SearchResult(
        value=stage.value,
        bounds=(stage.value, stage.value),
        strategies=stage.strategies,
        exact=True,
        complete=True,
        seconds=time.perf_counter() - started,
    )
    return Answer(action, found)


def mixture_from(
    solution: Solution,
    state: Any,
    player: int,
    choice: Literal["best", "mixture"],
    tremble: float = 0.0,
    erring: Erring | None = None,
) -> dict[int, float]:
    """The probabilities of an equilibrium of the whole game; with choice "best" the likeliest action alone.

    With `erring`, where actions keep the value whatever the other does, the one of them that gets most against one who errs. With
    `tremble` it is the best against another who plays on by the solution, but here takes any action alike with that probability.
    Raises GameError in a position that cannot come about from the start that was solved.
    """
    stage = solution.at(state)
    found = against_tremble(stage, player, tremble) if tremble > 0 else stage.strategies[player]
    if erring is not None and len(found) > 1:
        found = erring.better(state, player, found)
    return found if choice == "mixture" else {max(found, key=lambda action: found[action]): 1.0}


def against_tremble(stage: Stage, player: int, tremble: float) -> dict[int, float]:
    """The player's best probabilities by action against an opponent that trembles.

    The opponent minimises the player's result, but with the probability `tremble` takes any action alike.

    `tremble` is from 0, the equilibrium, to less than 1. Against one who does not tremble this gives up tremble / (1 - tremble) times the
    range of the stage's values at most (Selten 1975).
    """
    cells = np.array(stage.matrix)
    steady = (1.0 - tremble) * cells + tremble * cells.mean(axis=1 - player, keepdims=True)
    solved = solve_matrix(steady)
    return dict(
        zip(
            stage.strategies[player],
            (solved.row_strategy, solved.column_strategy)[player].tolist(),
            strict=True,
        )
    )


def policy_from(solution: Solution, choice: str) -> Any:
    """The mixtures of a solution as a Policy; with choice "best" their likeliest actions."""
    from ..policies import LikeliestPolicy, SolutionPolicy

    solved = SolutionPolicy(solution)
    return solved if choice == "mixture" else LikeliestPolicy(solved)


class SolutionPlayer(Player):
    """Plays an equilibrium of the whole game: draws from its mixture, or with choice "best" takes the likeliest action.

    Raises ValueError for a solution with a discount, since a match has none, and PlayerError in a match of another game, or in a
    position that cannot come about from the start that was solved. A limit of moves that the solution leaves out may be in the match.
    """

    def __init__(self, solution: Solution, choice: Literal["best", "mixture"] = "mixture") -> None:
        if solution.discount not in (None, 1.0):
            raise ValueError(
                f"this is a solution of {solution.subject}, and a match counts results in full: "
                "solve the game without --discount to play it"
            )
        self.solution = solution
        self.choice: Literal["best", "mixture"] = choice

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        if game != self.solution.game:
            raise PlayerError(
                f"this is a solution of {self.solution.subject}, not of {game!r}: solve that game to play it"
            )
        super().begin(game, player, seed)
        self._random = np.random.default_rng(seed)

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Load what any position may need: an image, which the first one need not be, takes more."""
        super().warm(game, state, seats)
        self.solution.warm()

    def choose(self, state: Any, clock: Clock) -> Answer:
        try:
            return answer_from(self.solution, state, self.player, self.choice, self._random)
        except GameError as error:
            raise PlayerError(str(error)) from error

    def strategy(self, game: Game) -> Any:
        """The solution's mixtures, or with choice "best" their likeliest actions."""
        return policy_from(self.solution, self.choice)


# Solving a game before it is played, where that takes a few seconds at most, and playing from the solution.

_SHARE_OF_A_START = 0.1
_MOST_KEPT, _MOST_POSITIONS = 64, 8_000_000
"""Starts that are remembered, and positions of all their solutions together: at most some 300 MB."""


class _Solved(NamedTuple):
    """A solution and, for a game that ends by its rules and is not too large, the moves that gain most from a player's errors."""

    solution: Solution
    erring: Erring | None


_known: OrderedDict[tuple[Game, Any, Budget], _Solved | None] = OrderedDict()
"""The solutions of this process, by game and start, and the games known to be too large."""
_files: dict[Game, _Solved] = {}
"""Solutions of whole games that are mapped from files: they take no memory that counts."""
_lock = threading.Lock()


def plays_from_file(game: Game) -> bool:
    """Whether the solution of this whole game is mapped from a file."""
    return game in _files


def play_from(solution: Solution) -> None:
    """The solution of this whole game lies in a file: whoever solves it first plays from that."""
    with _lock:
        if solution.game not in _files:
            _files[solution.game] = _with_errors(solution)


def _kept(game: Game, start: Any, budget: Budget) -> _Solved | None:
    """The solution from this start, if it fits the budget; solved now where it is not known.

    Where the whole game does not fit, another start may take a tenth of the budget: most openings are as large.
    """
    whole = game, game.initial_state(), budget
    with _lock:  # who waits here would solve the same
        if start != whole[1] and whole in _known and _known[whole] is None:
            budget = budget.share(_SHARE_OF_A_START)
        key = game, start, budget
        if (found := _files.get(game)) is not None and found.solution.has(start):
            return found
        if key not in _known:
            _known[key] = _solved(game, start, budget)
        _known.move_to_end(key)
        while (
            len(_known) > _MOST_KEPT
            or sum(len(one.solution) for one in _known.values() if one is not None) > _MOST_POSITIONS
        ):
            _known.popitem(last=False)
        return _known.get(key)


def is_solved_beforehand(game: Game) -> bool:
    """Whether the whole game fits the usual budget; it is solved for that where it is not known, and kept."""
    return _kept(game, game.initial_state(), Budget()) is not None


def leave_unsolved(game: Game) -> None:
    """The whole game is known not to fit the usual budget: nothing is tried."""
    with _lock:
        _known[game, game.initial_state(), Budget()] = None


def _solved(game: Game, start: Any, budget: Budget) -> _Solved | None:
    name = name_of(game)
    lines: list[WaitingLine] = []

    def tell() -> None:
        message = f"solving {name}, to play it exactly (once in a run; `best(solve=false)` searches instead)"
        lines.append(WaitingLine(message, f"solved {name}", SOLVING_SAID))

    found = None
    try:
        found = solve_beforehand(game, start, budget, tell)
    finally:
        for line in lines:
            line.close(found is not None)
    if found is None:
        return None
    return _with_errors(found)


def _with_errors(solution: Solution) -> _Solved:
    """A solution that is warm, with the moves that gain most from errors where it ends by its rules and is not too large."""
    solution.warm()
    few = len(solution) <= _MOST_POSITIONS
    return _Solved(solution, Erring(solution) if solution.discount is None and few else None)


class _FromSolution(EndgamePlan):
    """Plays from the solution that it has for a position."""

    _tremble = 0.0

    @abstractmethod
    def _found(self, searching: SearchPlayer, state: Any, clock: Clock) -> _Solved | None:
        """A solution in which the position is; None where there is none."""

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        if (found := self._found(searching, state, clock)) is None:
            return None
        return answer_from(
            found.solution,
            state,
            searching.player,
            searching.choice,
            searching.random,
            self._tremble,
            found.erring,
        )

    def mixture(self, searching: SearchPlayer, state: Any) -> dict[int, float] | None:
        if (found := self._found(searching, state, ENDLESS)) is None:
            return None
        return mixture_from(
            found.solution, state, searching.player, searching.choice, self._tremble, found.erring
        )


class SolveFirst(_FromSolution):
    """A plan that plays an equilibrium of the whole game, solved before the clock ran, by the player's
    `choice`.

    Where a move keeps the value whatever the other does, it takes the one of these that gets most against a player who errs.

    It is solved from its usual start when a game begins, and from the position in which this one begins where
    that is another. A game that does not fit the budget is left to the search. Solutions are kept for the
    next games of the process.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._solved: _Solved | None = None

    def begin(self, searching: SearchPlayer) -> None:
        self._solved = _kept(searching.game, searching.game.initial_state(), self._budget)

    def begin_at(self, searching: SearchPlayer, state: Any) -> None:
        game = searching.game
        if state != game.initial_state() and not (
            self._solved is not None and self._solved.solution.has(state)
        ):
            self._solved = _kept(game, state, self._budget)

    def warm(self, game: Game, state: Any) -> None:
        _kept(game, state, self._budget)

    def _found(self, searching: SearchPlayer, state: Any, clock: Clock) -> _Solved | None:
        # Another game began elsewhere.
        return self._solved if self._solved is not None and self._solved.solution.has(state) else None

    @property
    def solution(self) -> Solution | None:
        return None if self._solved is None else self._solved.solution

    @property
    def erring(self) -> Erring | None:
        return None if self._solved is None else self._solved.erring


def solved_or_searched(
    algorithm: Algorithm,
    limits: Limits | None,
    solve: bool,
    choice: str = "best",
    rest: EndgamePlan | None = None,
    *,
    always: bool = False,
    search_of: Callable[[Game], Algorithm] | None = None,
) -> SearchPlayer:
    """A player of the whole game's solution where it was solved before the clock runs; else it searches, but where `rest` knows better.

    Without `solve` it always searches; but `rest` that plays `always`, whatever the position, plays then too. `search_of` as in
    `SearchPlayer`.
    """
    plans: list[EndgamePlan] = [SolveFirst()] if solve else []
    plans += [rest] if rest is not None and (solve or always) else []
    return SearchPlayer(
        algorithm,
        limits=limits,
        policy=Adaptive(),
        choice=choice,
        plans=plans,
        search_of=search_of,
    )


# Solving what is left of a game as soon as that fits the time of a move, and playing from the solution.

_SHARE_EXPECTED, _SHARE = 0.6, 0.8
"""Of a move's time: what solving may be expected to take, and what it may take; the rest is left to the search."""
_LEAST_SECONDS = 0.005
"""Less time is left to the search alone: seeing that a game is too large takes half a millisecond."""


class SolveRest(_FromSolution):
    """A plan that plays from the solution of the rest of the game, once that can be solved in the time of one
    move.

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

    def _found(self, searching: SearchPlayer, state: Any, clock: Clock) -> _Solved | None:
        """The solution that is known, or a new one where there is time for it."""
        if self._solution is None or not self._solution.has(state):
            self._solution = self._solve(searching, state, clock)
        return None if self._solution is None else _Solved(self._solution, None)

    def _solve(self, searching: SearchPlayer, state: Any, clock: Clock) -> Solution | None:
        limits, stop = searching.limits, searching.stop
        if searching.game not in self._ready or (
            limits.depth is not None and limits.nodes is None and limits.seconds is None
        ):
            return None
        seconds = searching.seconds(searching.deadline(clock).search)
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


# What the other gives away, at a stated price: see policies/opponents.py.


class TakeGifts(SolveFirst):
    """A plan for a solved game: the mixture that gets most against the other's habits, of those that may be played at the price.

    risk: what the whole game may cost of its value against the worst opponent, in the game's units. seen: choices from earlier games,
    from which the other's habits are known at the beginning; those of this player's own games are added.
    """

    adapts = True

    def __init__(self, risk: float, seen: Iterable[Seen] = ()) -> None:
        super().__init__()
        if not risk >= 0:
            raise ValueError(f"risk must be 0 or more, not {risk:g}")
        self._risk, self._seen = risk, tuple(seen)
        self._habits: dict[Game, OpponentModel] = {}
        self._game: SafeExploitation | None = None

    def begin(self, searching: SearchPlayer) -> None:
        super().begin(searching)
        self._game = None

    def begin_at(self, searching: SearchPlayer, state: Any) -> None:
        super().begin_at(searching, state)
        if (solution := self.solution) is None:
            raise PlayerError(
                f"{name_of(searching.game)} cannot be solved before it is played, and a risk can be promised in solved games only"
            )
        if searching.game not in self._habits:
            self._habits[searching.game] = habits = OpponentModel()
            for before, player, action in self._seen:
                if solution.has(before):
                    habits.note(
                        searching.game, before, player, action, solution.at(before).strategies[player]
                    )
        self._game = SafeExploitation(
            solution, searching.player, self._risk, self._habits[searching.game], self.erring
        )

    def follow(self, searching: SearchPlayer, state: Any) -> None:
        if self._game is not None:
            self._game.saw(state)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        if self._game is None:  # in a process of its own it is told only where it chooses
            self.begin_at(searching, state)
        assert self._game is not None
        mixture = self._game.mixture(state)
        action = int(searching.random.choice(list(mixture), p=list(mixture.values())))
        self._game.chose(action)
        return Answer(action)
