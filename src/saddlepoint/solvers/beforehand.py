"""Solutions made before a game is played: of the whole game where it fits a budget of some seconds and
memory.

The budget is counted in positions and the cells of their matrices, not in seconds, so that a game is solved everywhere or nowhere; only
rules that take twice as long as usual ones are broken off by a clock.
"""

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ..algorithms.algorithm import UnsupportedGameError
from ..compiled import PLAIN_PYTHON
from ..compiled.states import as_machine_words
from ..game.base import CHANCE, NO_ACTION, TERMINAL, Game, GameError
from .cycles import solve_cycles
from .general import Solution
from .general.reached import Size, Walks
from .general.solve import Induction, SolveCounts

_FEW_WALKS, _WALKS = (16, 64) if PLAIN_PYTHON else (2048, 8192)
_FEWEST_WALKS, _LONG = min(256, _FEW_WALKS), 0.3
"""How many walks tell a game of a few seconds of work from larger ones."""
_SURELY = 3.0
"""With few walks a game counts as too large where it looks this many times larger than the budget."""
_SLICE, _SHORT_SLICE = 20_000, 1_000
_FEW_SOLVED, _LAST_CHOICES, _LINES = 10_000, 32, 32
"""For warming, which takes some milliseconds: positions to solve, how far from the end to begin, and games to draw at most."""
_SHARE_OF_CLOCK = 0.1
"""Of the work: what may be spent on seeing whether a game in which positions come back is small with its limit of moves."""
_SLOWER = 200.0 if PLAIN_PYTHON else 1.0
_POSITION, _CELL, _PROGRAM = 1e-6 * _SLOWER, 6e-8 * _SLOWER, 2e-6 * _SLOWER
"""The cost of a position, a cell of its matrix, and a linear program: about seconds of one core of 2020."""


@dataclass(frozen=True)
class Budget:
    """The budget of solving."""

    work: float = 5.0
    """In seconds of a core, as `SolveCounts` tell them about: counted and not measured."""
    seconds: float = 10.0
    """Of a core, measured: what it may take where a game's rules take longer than is counted. Not in plain Python."""
    positions: int = 4_000_000
    """That are kept: 20 to 40 bytes each, two to three times as much while they are solved."""
    positions_of_cycles: int = 25_000
    """Of a game in which positions come back, whose stages are solved many times."""

    def share(self, share: float) -> "Budget":
        """So much of it."""
        return Budget(
            share * self.work,
            share * self.seconds,
            int(share * self.positions),
            int(share * self.positions_of_cycles),
        )


class _TooLargeError(Exception):
    """The budget is spent."""


def solve_beforehand(
    game: Game, state: Any = None, budget: Budget | None = None, on_start: Callable[[], None] | None = None
) -> Solution | None:
    """The solution of a game from a position, by default from the start; None where it does not fit the budget, or cannot be solved.

    Where positions come back the limit of moves counts if the game is small with it, and else is left out. A game that is much too large
    is found out by random walks, within milliseconds once they are compiled. `on_start` is called when
    solving begins: it may fit, and everything is compiled.
    """
    budget, state = budget or Budget(), game.initial_state() if state is None else state
    if game.current_player(state) == TERMINAL:
        return None
    on_start = on_start or (lambda: None)
    with suppress(_TooLargeError, UnsupportedGameError, GameError):
        if not game.clock:
            return _from_the_end(game, state, budget, on_start)
        with suppress(_TooLargeError):
            within = replace(
                budget, work=_SHARE_OF_CLOCK * budget.work, seconds=_SHARE_OF_CLOCK * budget.seconds
            )
            return _from_the_end(game, state, within, lambda: None)
        return _with_cycles(game, state, budget, on_start)
    return None


def solve_rest(
    game: Game, state: Any, work: float, solved: int | None, keep_going: Callable[[], bool]
) -> Solution | None:
    """The solution from a position on, where that is small; None where it is not, or where `keep_going` ends it.

    `work` is what it may take, as `Budget` counts it, and `solved` how many positions it may have, kept or not (None: as the work
    allows). A rest that is too large is found out by random walks in about half a millisecond; of a game in which positions come back
    there is no rest.
    """
    if game.clock or game.current_player(state) == TERMINAL:
        return None
    try:
        size = Walks(game, state).size(_FEW_WALKS if work > _LONG else _FEWEST_WALKS)
        if _expected_work(size) > work or (solved is not None and size.solved > solved):
            return None
        solving = Induction(game, state, fold=True)
        while not solving.is_done:
            counts = solving.counts()
            if not keep_going() or (solved is not None and counts.stages + counts.chance_positions > solved):
                return None
            solving.go_on(_SHORT_SLICE)
    except (UnsupportedGameError, GameError):
        return None
    return Solution.of(solving)


def warm_rest(game: Game, state: Any) -> Solution | None:
    """Compile, or load, all that `solve_rest` and its solution may need, by the last moves of a game from
    here.

    It is one of first actions, or if that ends while much is still open, one whose actions are drawn. None where no rest was small.
    """
    if game.clock:
        return None
    known = next(
        filter(None, (_last_small(game, state, draw) for draw in (None, *map(random.Random, range(_LINES))))),
        None,
    )
    if known is None:
        return None
    solving = Induction(game, known, fold=True)
    while not solving.is_done:  # the walks may have seen fewer positions than there are
        solving.go_on(_FEW_SOLVED)
    solving.positions.grow()  # what larger rests need
    solving.positions.widen(solving.positions.packing)
    solution = Solution.of(solving)
    solution.warm()
    return solution


def _last_small(game: Game, state: Any, draw: random.Random | None) -> Any:
    """A position near the end of a game, of which the rest is small; None where it ended while much was open."""

    def drawn(choices: Sequence[Any]) -> Any:
        return choices[0] if draw is None else draw.choice(choices)

    choices, state = deque[Any](maxlen=_LAST_CHOICES), as_machine_words(state)
    for _ in range(game.max_depth):
        node = game.current_player(state)
        if node == TERMINAL:
            break
        if node == CHANCE:
            state = game.advance(state, drawn(game.chance_outcomes(state))[0], NO_ACTION)
        else:
            choices.append(state)
            one, two = (drawn(game.legal_actions(state, player) or [NO_ACTION]) for player in (0, 1))
            state = game.advance(state, one, two)
    known = None
    for choice in reversed(choices):  # the very last ones may be decided, and ask for nothing
        if solve_rest(game, choice, _LONG, _FEW_SOLVED, lambda: True) is None:
            break
        known = choice
    return known


def _from_the_end(game: Game, state: Any, budget: Budget, on_start: Callable[[], None]) -> Solution:
    walks = Walks(game, state)
    for number, tolerance in ((_FEW_WALKS, _SURELY), (_WALKS, 1.0)):
        size = walks.size(number)
        if size.positions > tolerance * budget.positions or _expected_work(size) > tolerance * budget.work:
            raise _TooLargeError
    solving = Induction(game, state, fold=True)
    solving.go_on(1)  # what was not compiled by then is little
    on_start()
    dearest, ends = _POSITION + game.max_actions**2 * _CELL, time.thread_time() + budget.seconds
    while not solving.is_done:
        left = budget.work - _work(counts := solving.counts())
        is_late = time.thread_time() > ends and not PLAIN_PYTHON
        if left <= 0 or is_late or counts.positions > budget.positions:
            raise _TooLargeError
        solving.go_on(max(1, min(_SLICE, int(left / dearest))))
    return Solution.of(solving)


def _expected_work(size: Size) -> float:
    """Without linear programs, of which nothing is known before."""
    return size.solved * _POSITION + size.cells * _CELL


def _work(counts: SolveCounts) -> float:
    return (
        (counts.stages + counts.chance_positions) * _POSITION
        + counts.edges * _CELL
        + counts.lp_stages * _PROGRAM
    )


def _with_cycles(game: Game, state: Any, budget: Budget, on_start: Callable[[], None]) -> Solution:
    most = budget.positions_of_cycles / _SLOWER

    def on_progress(positions: int, what: str) -> None:
        if positions > most:
            raise _TooLargeError

    on_start()
    return solve_cycles(game, state, check=False, fold=True, on_progress=on_progress).solution
