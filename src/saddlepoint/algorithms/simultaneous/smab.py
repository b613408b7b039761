"""Simultaneous-move alpha-beta (Saffidine, Finnsson, Buro: Alpha-Beta Pruning for Games with Simultaneous Moves, AAAI 2012).

Each joint action has a pessimistic bound P and an optimistic bound O. Before a cell is searched, two linear programs
give its window: at or below the lower edge its row is dominated, at or above the upper edge its column.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import borrowed, jit, jit_inline, jit_part
from ...game.base import CHANCE, NO_ACTION, Game
from ..table import store
from .solver_address import solver_address, window_at
from .stage import (
    StageAlgorithm,
    likely_actions,
    list_alive,
    open_node,
    ordered_stage,
    probe,
    set_pure,
    solve_restricted,
    stage_value,
    star1_cut,
    star1_window,
)

_SALT = 13


@jit_inline
def open_cells(game, state, m, n, ply, ws):
    """Every row and column is alive, every cell lies between the game's own bounds, or the range of values."""
    for i in range(m):
        ws.rows[ply, i] = 1
        for j in range(n):
            low, high = ws.low, ws.high
            if game.has_bounds:
                low, high = game.bounds(game.successor(state, ws.actions[ply, 0, i], ws.actions[ply, 1, j]))
            ws.lower[ply, i, j], ws.upper[ply, i, j], ws.known[ply, i, j] = low, high, 0
    for j in range(n):
        ws.columns[ply, j] = 1


@jit_part
def cell_window(a, b, m, n, depth, ply, alpha, beta, ws):
    """The values of a cell that matter, by two linear programs: at or below them its row, at or above them its column goes."""
    if depth < ws.window_depth:
        return -np.inf, np.inf
    span = ws.high - ws.low
    # An infinite edge, as a row or column that is worse than every outcome.
    edges = (max(alpha, ws.low - span), min(beta, ws.high + span))
    lower, upper, rows, columns = ws.lower[ply], ws.upper[ply], ws.rows[ply], ws.columns[ply]
    return window_at(ws.window_solver, lower, upper, m, n, a, b, edges, rows, columns, ws.work)


@jit_part
def note_cell(found, a, b, low, high, ply, ws):
    """Use a cell's value in its window, or the bound that it is outside of it."""
    ws.cells += 1
    # Sound: at or below `low` a mixture of other rows, or alpha, is no worse in any column: without the row the value is the same.
    if found <= min(low, high):
        ws.upper[ply, a, b] = min(ws.upper[ply, a, b], found)
        ws.rows[ply, a] = 0
        ws.cutoffs += 1
    # The same of a column, for the player who minimises.
    elif found >= high:
        ws.lower[ply, a, b] = max(ws.lower[ply, a, b], found)
        ws.columns[ply, b] = 0
        ws.cutoffs += 1
    else:
        ws.lower[ply, a, b], ws.upper[ply, a, b], ws.known[ply, a, b] = found, found, 1


@jit_inline
def bounded_value(m, n, first0, first1, ply, alpha, beta, ws):
    """(value or bound of the stage by what is left of it, the actions to try first the next time)."""
    lower, upper = ws.lower[ply], ws.upper[ply]
    count0, count1 = list_alive(m, n, ply, ws)
    value = 0.0
    if count0 > 0 and count1 > 0:
        value = solve_restricted(lower, count0, count1, m, n, ply, ws)
        first0, first1 = likely_actions(m, n, first0, first1, ply, ws)
    else:
        set_pure(ply, m, n, 0, 0, ws)
    # Sound: what was removed was dominated with alpha, or beta, as one more action; so outside of these it is a bound only.
    if count0 == 0 or (count1 > 0 and value <= alpha):
        value = min(alpha, stage_value(upper, m, n, ws))
    elif count1 == 0 or value >= beta:
        value = max(beta, stage_value(lower, m, n, ws))
    return value, first0, first1


@jit
def smab(game, evaluator, state, depth, ply, alpha, beta, ws, table):
    """Player 0's value if it lies between alpha and beta, else an upper bound <= alpha or a lower bound >= beta."""
    node, known, value = open_node(game, evaluator, state, depth, False, ws)
    if known:
        return value
    key, known, value, first0, first1 = probe(
        game, state, depth, 1, ply, alpha, beta, False, _SALT, ws, table
    )
    if known:
        return value
    estimates = ws.estimates
    if node == CHANCE:
        outcomes, chances = ws.outcomes[ply], ws.chances[ply]
        count, rest = game.chance_outcomes(state, outcomes, chances), 1.0
        for k in range(count):
            if chances[k] == 0.0:
                continue
            rest -= chances[k]
            low, high = star1_window(alpha, beta, value, chances[k], rest, ws.low, ws.high)
            child = game.successor(state, outcomes[k], NO_ACTION)
            found = smab(game, evaluator, child, depth, ply + 1, low, high, ws, table)
            if ws.stop:
                return 0.0
            cut, value = star1_cut(
                found, low, high, value + chances[k] * found, rest, ws.low, ws.high, k == count - 1
            )
            if cut:
                ws.cutoffs += 1
                break
    else:
        m, n = ordered_stage(game, state, node, first0, first1, ply, ws)
        open_cells(game, state, m, n, ply, ws)
        hair = 1e-12 * (ws.high - ws.low)
        # Cells in an L: row k from the diagonal, then column k below it.
        for k in range(min(m, n)):
            for step in range(m + n - 2 * k - 1):
                a = k if step < n - k else k + step - (n - k) + 1
                b = k + step if step < n - k else k
                if not (ws.rows[ply, a] and ws.columns[ply, b]):
                    continue
                if ws.lower[ply, a, b] >= ws.upper[ply, a, b]:  # the static bounds settle it
                    ws.known[ply, a, b] = 1
                    ws.leaves += 1
                    continue
                low, high = cell_window(a, b, m, n, depth, ply, alpha, beta, ws)
                child = game.successor(state, ws.actions[ply, 0, a], ws.actions[ply, 1, b])
                # Where the edges cross, the row or the column goes whatever the value: a null window decides which.
                least, most = (high, high + hair) if low >= high else (low, high)
                found = smab(game, evaluator, child, depth - 1, ply + 1, least, most, ws, table)
                if ws.stop:
                    return 0.0
                note_cell(found, a, b, low, high, ply, ws)
        value, first0, first1 = bounded_value(m, n, first0, first1, ply, alpha, beta, ws)
    least = ws.low if value <= alpha else value
    most = ws.high if value >= beta else value
    store(table, key, depth, least, most, first0, first1, ws.estimates == estimates, ws)
    return value


@jit
def smab_from(game, evaluator, state, depth, ply, alpha, beta, ws, table):
    """The whole search of a position; `ply` is 0."""
    return smab(game, evaluator, state, depth, ply, alpha, beta, ws, borrowed(table))


@dataclass(frozen=True)
class SMAB(StageAlgorithm):
    """Simultaneous-move alpha-beta; bound programs only from `window_depth` remaining steps upwards.

    >>> from saddlepoint import LightRiders, Limits, SMAB, search
    >>> game = LightRiders(4, 4)
    >>> result = search(game, game.initial_state(), SMAB(), Limits(depth=2))
    >>> result.depth, result.exact
    (2, False)
    """

    table: bool | None = None
    window_depth: int = 1

    name: ClassVar[str] = "smab"
    title: ClassVar[str] = "Simultaneous-move alpha-beta"

    def workspace(self, game: Game) -> Any:
        ws = super().workspace(game)
        ws["window_solver"] = solver_address("window_solver")
        return ws

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        return smab_from, game, self.leaf, state, depth, 0, -np.inf, np.inf, ws, table
