"""Double oracle and backward induction with serialised bounds (Bosansky et al., Artificial Intelligence 237, 2016).

A stage is solved on a few rows and columns; each player's best response among all actions joins them until neither
improves. With bounds, alpha-beta on the two serialisations brackets a position: where they agree the value is known
without a matrix, and elsewhere the optimistic bound spares best responses that cannot improve.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, jit_inline
from ...game import CHANCE, NO_ACTION, Game
from ..table import store
from .node import open_node, probe
from .serialised_alpha_beta import NeverDecided, SerialisedAlphaBeta
from .serialised_kernel import serial_from
from .solver_address import solver_address
from .stage import likely_actions, list_alive, ordered_stage, solve_restricted
from .stage_algorithm import StageAlgorithm

_SALT = 31


UNKNOWN, BOUNDED, KNOWN = 0, 1, 2
"""What a stage has of a cell: nothing, bounds, its value."""

_DONE, _WANT_BOUNDS, _WANT_VALUE = 0, 1, 2


@jit
def serial_bounds(game, evaluator, decided, state, depth, ply, ws, table):
    """(lower, upper): the position's values when player 0, and when player 1, must commit first.

    The second is searched only for whether it exceeds the first: a null window where they agree.
    """
    first, second = np.int64(0), np.int64(1)  # literals would be compiled for separately
    lower = serial_from(game, evaluator, decided, state, depth, 0.0, ply, ws.low, ws.high, first, ws, table)
    if ws.stop or lower >= ws.high:
        return lower, ws.high
    null = 1e-13 * (ws.high - ws.low)
    upper = -serial_from(game, evaluator, decided, state, depth, 0.0, ply, -lower - null, -lower, second, ws, table)
    if upper > lower and not ws.stop:
        upper = -serial_from(game, evaluator, decided, state, depth, 0.0, ply, -ws.high, -lower, second, ws, table)
    if ws.stop:
        return ws.low, ws.high
    return lower, max(lower, upper)


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
    key, known, value, first0, first1 = probe(game, state, depth, 1, ply, -np.inf, np.inf, False, _SALT, ws, table)
    if known:
        return value
    estimates = ws.estimates
    if node == CHANCE:
        outcomes, chances = ws.outcomes[ply], ws.chances[ply]
        for k in range(game.chance_outcomes(state, outcomes, chances)):
            child = game.successor(state, outcomes[k], NO_ACTION)
            value += chances[k] * stage(game, evaluator, decided, child, depth, ply + 1, bounded, oracle, ws, table)
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
        return stage, game, self.leaf, NeverDecided(), state, depth, 0, self.bounded, self.oracle, ws, table


@dataclass(frozen=True)
class BoundedInduction(_Bounded):
    """The paper's BI-alpha-beta: backward induction that skips every cell on which the two serialisations agree."""

    name: ClassVar[str] = "bi_alphabeta"
    title: ClassVar[str] = "Backward induction with serialised bounds"
    bounded: ClassVar[bool] = True
    oracle: ClassVar[bool] = False


@dataclass(frozen=True)
class DoubleOracle(_Bounded):
    """Double oracle over restricted games, without bounds."""

    name: ClassVar[str] = "do"
    title: ClassVar[str] = "Double oracle"
    bounded: ClassVar[bool] = False
    oracle: ClassVar[bool] = True


@dataclass(frozen=True)
class DoubleOracleBounds(_Bounded):
    """The paper's DO-alpha-beta: double oracle with best responses guided by serialised bounds."""

    name: ClassVar[str] = "do_alphabeta"
    title: ClassVar[str] = "Double oracle with serialised bounds"
    bounded: ClassVar[bool] = True
    oracle: ClassVar[bool] = True
