"""Double oracle and serialised bounds (Bosansky et al., Artificial Intelligence 237, 2016); double oracle step by step."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, jit_inline
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from ...matrix import solve_matrix
from ..algorithm import Memory, UnsupportedGameError
from ..limits import Limits, StopToken
from ..searcher import Searcher
from ..table import store
from .serialised_alpha_beta import SerialisedAlphaBeta
from .serialised_kernel import serial_from
from .solver_address import solver_address
from .stage import (
    StageAlgorithm,
    likely_actions,
    list_alive,
    open_node,
    ordered_stage,
    probe,
    solve_restricted,
)

# Double oracle and backward induction with serialised bounds (Bosansky et al., Artificial Intelligence 237, 2016).
#
# A stage is solved on a few rows and columns; each player's best response among all actions joins them until neither
# improves. With bounds, alpha-beta on the two serialisations brackets a position: where they agree the value is known
# without a matrix, and elsewhere the optimistic bound spares best responses that cannot improve.

_SALT = 31


UNKNOWN, BOUNDED, KNOWN = 0, 1, 2
"""The state of a stage's cell: unknown, bounds, or its value."""

_DONE, _WANT_BOUNDS, _WANT_VALUE = 0, 1, 2


@jit
def serial_bounds(game, evaluator, decided, state, depth, ply, ws, table):
    """(lower, upper): the position's values when player 0, and when player 1, must commit first.

    The second is searched only for whether it exceeds the first: a null window where they agree.
    """
    first, second = np.int64(0), np.int64(1)  # literals would be compiled for separately
    lower = serial_from(game, evaluator, decided, state, depth, 0.0, ply, ws.low, ws.high, first, ws, table)
    # Sound: a value at the end of the range leaves no room above it.
    if ws.stop or lower >= ws.high:
        return lower, ws.high
    null = 1e-13 * (ws.high - ws.low)
    upper = -serial_from(
        game, evaluator, decided, state, depth, 0.0, ply, -lower - null, -lower, second, ws, table
    )
    if upper > lower and not ws.stop:
        upper = -serial_from(
            game, evaluator, decided, state, depth, 0.0, ply, -ws.high, -lower, second, ws, table
        )
    return (ws.low, ws.high) if ws.stop else (lower, max(lower, upper))


@jit_inline
def line_gain(ply, player, line, others, ws):
    """(the most an action can be worth against the other's mixture, a cell of it to look at next or -1)."""
    gain, bare, bounded = 0.0, -1, -1
    for o in range(others):
        weight = ws.y[ply, o] if player == 0 else ws.x[ply, o]
        if weight == 0.0:
            continue
        i, j = (line, o) if player == 0 else (o, line)
        gain += weight * (ws.upper[ply, i, j] if player == 0 else -ws.lower[ply, i, j])
        if ws.known[ply, i, j] == UNKNOWN and bare < 0:
            bare = o
        elif ws.known[ply, i, j] == BOUNDED and bounded < 0:
            bounded = o
    # Bounds first: they are cheap, and often enough to give the action up.
    return gain, bare if bare >= 0 else bounded


@jit_inline
def best_response(ply, player, count, others, value, tolerance, ws):
    """(line, cell): an action that beats the restricted value and -1; or one whose cell decides whether; or (-1, -1)."""
    inside = ws.rows[ply] if player == 0 else ws.columns[ply]
    best, found = value + tolerance, -1
    for line in range(count):
        if not inside[line]:
            gain, cell = line_gain(ply, player, line, others, ws)
            if cell < 0 and gain > best:
                best, found = gain, line
    # Sound: an action whose upper bound against the mixture is no more than `best` cannot be the best response; no cell is searched.
    for line in range(count):
        if not inside[line]:
            gain, cell = line_gain(ply, player, line, others, ws)
            if cell >= 0 and gain > best:
                return line, cell
    return found, -1


@jit_inline
def next_want(ply, m, n, oracle, bounded, solved, value, ws):
    """(want, i, j, solved, value): the cell that the stage needs next, and the restricted game's state."""
    tolerance = 1e-12 * (ws.high - ws.low)
    while True:
        if not solved:
            for i in range(m):
                for j in range(n):
                    if ws.rows[ply, i] and ws.columns[ply, j] and ws.known[ply, i, j] != KNOWN:
                        return _WANT_VALUE, i, j, False, value
            count0, count1 = list_alive(m, n, ply, ws)
            value = solve_restricted(ws.lower[ply], count0, count1, m, n, ply, ws)
            solved = True
        if not oracle:
            return _DONE, 0, 0, True, value
        row, j = best_response(ply, 0, m, n, value, tolerance, ws)
        if j >= 0:
            bare = bounded and ws.known[ply, row, j] == UNKNOWN
            return _WANT_BOUNDS if bare else _WANT_VALUE, row, j, True, value
        column, i = best_response(ply, 1, n, m, -value, tolerance, ws)
        if i >= 0:
            bare = bounded and ws.known[ply, i, column] == UNKNOWN
            return _WANT_BOUNDS if bare else _WANT_VALUE, i, column, True, value
        if row < 0 and column < 0:
            return _DONE, 0, 0, True, value
        if row >= 0:
            ws.rows[ply, row] = 1
        if column >= 0:
            ws.columns[ply, column] = 1
        solved = False


@jit_inline
def open_restriction(m, n, growing, ply, ws):
    """Nothing is known of any cell; a growing restricted game begins with the first row and column, else it has all."""
    for i in range(m):
        ws.rows[ply, i] = i == 0 or not growing
        for j in range(n):
            ws.lower[ply, i, j], ws.upper[ply, i, j], ws.known[ply, i, j] = ws.low, ws.high, UNKNOWN
    for j in range(n):
        ws.columns[ply, j] = j == 0 or not growing


@jit
def stage(game, evaluator, decided, state, depth, ply, bounded, oracle, ws, table):
    """Player 0's value of the state, looking `depth` rounds ahead; 0.0 where stopped."""
    node, known, value = open_node(game, evaluator, state, depth, False, ws)
    if known:
        return value
    key, known, value, first0, first1 = probe(
        game, state, depth, 1, ply, -np.inf, np.inf, False, _SALT, ws, table
    )
    if known:
        return value
    estimates = ws.estimates
    if node == CHANCE:
        outcomes, chances = ws.outcomes[ply], ws.chances[ply]
        for k in range(game.chance_outcomes(state, outcomes, chances)):
            child = game.successor(state, outcomes[k], NO_ACTION)
            value += chances[k] * stage(
                game, evaluator, decided, child, depth, ply + 1, bounded, oracle, ws, table
            )
            if ws.stop:
                return 0.0
    else:
        m, n = ordered_stage(game, state, node, first0, first1, ply, ws)
        growing, bounding = oracle and m > 1 and n > 1, bounded and depth > 1
        open_restriction(m, n, growing, ply, ws)
        solved = False
        while True:
            want, i, j, solved, value = next_want(ply, m, n, growing, bounding, solved, value, ws)
            if want == _DONE:
                break
            child = game.successor(state, ws.actions[ply, 0, i], ws.actions[ply, 1, j])
            if ws.known[ply, i, j] == UNKNOWN:
                ws.cells += 1
                if bounding:
                    low, high = serial_bounds(game, evaluator, decided, child, depth - 1, ply + 1, ws, table)
                    ws.lower[ply, i, j], ws.upper[ply, i, j] = low, high
                    # Sound: to commit first never helps, so the value is between the two; where they meet, it is known.
                    ws.known[ply, i, j] = KNOWN if low >= high else BOUNDED
            if want == _WANT_VALUE and ws.known[ply, i, j] != KNOWN and not ws.stop:
                found = stage(game, evaluator, decided, child, depth - 1, ply + 1, bounded, oracle, ws, table)
                ws.lower[ply, i, j], ws.upper[ply, i, j], ws.known[ply, i, j] = found, found, KNOWN
            if ws.stop:
                ws.known[ply, i, j] = UNKNOWN
                return 0.0
        first0, first1 = likely_actions(m, n, first0, first1, ply, ws)
    store(table, key, depth, value, value, first0, first1, ws.estimates == estimates, ws)
    return value


@dataclass(frozen=True)
class _Bounded(StageAlgorithm):
    table: bool | None = None

    bounds_mark: ClassVar[int] = BOUNDED
    bounded: ClassVar[bool]
    oracle: ClassVar[bool]

    def workspace(self, game: Game) -> Any:
        """As the serialised search has it, which finds the bounds, with the solver of stages."""
        ws = SerialisedAlphaBeta(table=self.table, killers=self.bounded).workspace(game)
        ws["solver"] = solver_address()
        return ws

    def reset(self, ws: Any) -> None:
        super().reset(ws)
        ws["killer_actions"] = NO_ACTION

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        return stage, game, self.leaf, None, state, depth, 0, self.bounded, self.oracle, ws, table


@dataclass(frozen=True)
class BoundedInduction(_Bounded):
    """The paper's BI-alpha-beta: backward induction that skips every cell on which the two serialisations agree.

    >>> from saddlepoint import BoundedInduction, Goofspiel, search
    >>> game = Goofspiel(cards=3)
    >>> search(game, game.initial_state(), BoundedInduction()).exact
    True
    """

    name: ClassVar[str] = "bi_alphabeta"
    title: ClassVar[str] = "Backward induction with serialised bounds"
    bounded: ClassVar[bool] = True
    oracle: ClassVar[bool] = False


@dataclass(frozen=True)
class DoubleOracle(_Bounded):
    """Double oracle over restricted games, without bounds.

    >>> from saddlepoint import DoubleOracle, Goofspiel, search
    >>> game = Goofspiel(cards=3)
    >>> search(game, game.initial_state(), DoubleOracle()).exact
    True
    """

    name: ClassVar[str] = "do"
    title: ClassVar[str] = "Double oracle"
    bounded: ClassVar[bool] = False
    oracle: ClassVar[bool] = True


@dataclass(frozen=True)
class DoubleOracleBounds(_Bounded):
    """The paper's DO-alpha-beta: double oracle with best responses guided by serialised bounds.

    >>> from saddlepoint import DoubleOracleBounds, Goofspiel, search
    >>> game = Goofspiel(cards=3)
    >>> search(game, game.initial_state(), DoubleOracleBounds()).exact
    True
    """

    name: ClassVar[str] = "do_alphabeta"
    title: ClassVar[str] = "Double oracle with serialised bounds"
    bounded: ClassVar[bool] = True
    oracle: ClassVar[bool] = True


# Double oracle on one stage, step by step, to show how its matrix grows.
#
# It follows the rule of `double_oracle.stage` without bounds (the search `do`) in plain Python: the restricted game begins with the
# first action of each player and is solved; of the actions that are not in, each player's best response to the other's mixture joins it, if
# it gains more than rounding; when neither gains, the mixtures are an equilibrium of the whole stage. A cell is searched when it is needed,
# and an action that cannot gain more than another already does, even if all its unknown cells were as good as can be, is given up, as
# there.

TOLERANCE = 1e-12
"""Of the range of values: a best response that gains no more is rounding; as in `double_oracle.next_want`."""


@dataclass(frozen=True)
class OracleStep:
    """The restricted game, solved, and what joins it. Values are player 0's, in the game's units."""

    actions: tuple[tuple[int, ...], tuple[int, ...]]
    """Each player's actions that are in, in the order of the stage."""
    matrix: tuple[tuple[float, ...], ...]
    """The values of the restricted game: a row for each action of player 0, a column for each of player 1."""
    value: float
    """The value of the restricted game."""
    strategies: tuple[dict[int, float], dict[int, float]]
    """Its equilibrium, by action."""
    bounds: tuple[float, float]
    """The bounds that these strategies guarantee in the whole stage: player 0 gets the first at least, the second at most."""
    responses: tuple[int | None, int | None]
    """Each player's best response among the actions that are not in; None where none gains."""
    cells: int
    """Joint actions searched so far."""


@dataclass(frozen=True)
class OracleTrace:
    """The steps of solving a stage; the bounds of the last one are equal."""

    actions: tuple[tuple[int, ...], tuple[int, ...]]
    """All actions of each player."""
    steps: tuple[OracleStep, ...]

    @property
    def last(self) -> OracleStep:
        """The last step, whose bounds are equal."""
        return self.steps[-1]


def trace_double_oracle(
    game: Game,
    state: Any,
    algorithm: DoubleOracle,
    depth: int | None = None,
    *,
    stop: StopToken | None = None,
) -> OracleTrace:
    """Solve the stage of one position by double oracle, and keep every step.

    Each cell is the value of the position after it, searched by `algorithm` to `depth` - 1 more plies, or to
    the end of the game: the result is the value of a search of the position to `depth`. `stop` cancels it:
    then KeyboardInterrupt is raised. Raises UnsupportedGameError where not both players have a choice.
    """
    check_stage(game, state)
    searcher = Searcher(game, algorithm, memory=Memory())
    limits = Limits() if depth is None else Limits(depth=depth - 1)

    def value_after(action0: int, action1: int) -> float:
        child = game.advance(state, action0, action1)
        if game.current_player(child) == TERMINAL:
            return float(game.returns(child))
        found = searcher.search(child, limits, stop=stop, variation=False)
        if not found.complete:
            raise KeyboardInterrupt
        return found.value

    reach = getattr(algorithm.leaf, "bound", 0.0)
    worst, best = min(float(game.min_utility), -reach), max(float(game.max_utility), reach)
    first, second = (tuple(game.search_actions(state, player)) for player in (0, 1))
    return _Growing((first, second), value_after, worst, best).trace()


def check_stage(game: Game, state: Any) -> None:
    """Raise UnsupportedGameError where a position has no matrix to be grown: not both players have a choice."""
    if (
        game.current_player(state) != SIMULTANEOUS
        or min(len(game.search_actions(state, player)) for player in (0, 1)) < 2
    ):
        raise UnsupportedGameError(
            "a trace of double oracle needs a position in which both players choose at once among several actions"
        )


class _Growing:
    """A stage that is being solved: its actions by place, the cells that are known, and which actions are in."""

    def __init__(
        self,
        actions: tuple[tuple[int, ...], tuple[int, ...]],
        value_after: Callable[[int, int], float],
        worst: float,
        best: float,
    ) -> None:
        self._actions, self._value_after, self._range = actions, value_after, (worst, best)
        self._cells = np.full((len(actions[0]), len(actions[1])), np.nan)
        self._inside: tuple[set[int], set[int]] = ({0}, {0})

    def trace(self) -> OracleTrace:
        """Grow until neither player's best response gains."""
        steps: list[OracleStep] = []
        while not steps or steps[-1].responses != (None, None):
            steps.append(self._step())
        return OracleTrace(self._actions, tuple(steps))

    def _step(self) -> OracleStep:
        rows, columns = (sorted(side) for side in self._inside)
        for i in rows:
            for j in columns:
                self._know(i, j)
        matrix = self._cells[np.ix_(rows, columns)]
        solved = solve_matrix(matrix)
        x = dict(zip(rows, solved.row_strategy.tolist(), strict=True))
        y = dict(zip(columns, solved.column_strategy.tolist(), strict=True))
        row, upper = self._best_response(0, y, solved.value)
        column, lower = self._best_response(1, x, -solved.value)
        for side, place in zip(self._inside, (row, column), strict=True):
            if place is not None:
                side.add(place)
        first, second = self._actions
        return OracleStep(
            actions=(tuple(first[i] for i in rows), tuple(second[j] for j in columns)),
            matrix=tuple(map(tuple, matrix.tolist())),
            value=solved.value,
            strategies=(
                {first[i]: share for i, share in x.items()},
                {second[j]: share for j, share in y.items()},
            ),
            bounds=(-lower, upper),
            responses=(None if row is None else first[row], None if column is None else second[column]),
            cells=int(np.isfinite(self._cells).sum()),
        )

    def _know(self, i: int, j: int) -> None:
        if np.isnan(self._cells[i, j]):
            self._cells[i, j] = self._value_after(self._actions[0][i], self._actions[1][j])

    def _best_response(
        self, player: int, mixture: dict[int, float], value: float
    ) -> tuple[int | None, float]:
        """(the best action that is not in, what it gets), from the player's view; (None, the value) where none gains."""
        worst, high = self._range
        others = [place for place, share in mixture.items() if share > 0.0]
        outside = [line for line in range(len(self._actions[player])) if line not in self._inside[player]]
        while True:
            best, found = value + TOLERANCE * (high - worst), None
            gains = {line: self._gain(player, line, mixture, others) for line in outside}
            for line, (gain, unknown) in gains.items():
                if unknown is None and gain > best:
                    best, found = gain, line
            wanted = next(
                (
                    (line, unknown)
                    for line, (gain, unknown) in gains.items()
                    if unknown is not None and gain > best
                ),
                None,
            )
            if wanted is None:
                return found, value if found is None else best
            self._know(*(wanted if player == 0 else wanted[::-1]))

    def _gain(
        self, player: int, line: int, mixture: dict[int, float], others: list[int]
    ) -> tuple[float, int | None]:
        """(the most an action can get against the mixture, the first cell of it that is not known or None)."""
        cells = (self._cells[line] if player == 0 else -self._cells[:, line]).tolist()
        most = self._range[1] if player == 0 else -self._range[0]
        gain = 0.0
        for other in others:
            gain += mixture[other] * (most if math.isnan(cells[other]) else cells[other])
        return gain, next((other for other in others if math.isnan(cells[other])), None)
