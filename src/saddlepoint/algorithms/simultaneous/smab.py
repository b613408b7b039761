"""Simultaneous-move alpha-beta (Saffidine, Finnsson, Buro: Alpha-Beta Pruning for Games with Simultaneous Moves, AAAI 2012).

Each joint action has a pessimistic bound P and an optimistic bound O. Before a cell is searched, two linear programs
give its window: at or below the lower edge its row is dominated, at or above the upper edge its column.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, run
from ...game import CHANCE, NO_ACTION, TERMINAL
from ..algorithm import Algorithm, Memory
from ..stage_solver import window_at
from ..table import slot_of, store, table_key, usable
from ..workspace import ended, enter, estimated, set_pure, solve_stage, stage_actions, stage_value, to_front
from .restricted_game import compress, expand_strategies

_SALT = 13


@jit
def smab(game, evaluator, state, depth, ply, alpha, beta, ws, table):
    """Player 0's value if it lies between alpha and beta, else an upper bound <= alpha or a lower bound >= beta."""
    if enter(ws):
        return 0.0
    node = game.current_player(state)
    if node == TERMINAL:
        return ended(game, state, ws)
    if depth == 0:
        return estimated(game, evaluator, state, ws)
    remembered = ws.use_table and depth > 1  # at the frontier a table costs more than it spares
    key, slot = np.uint64(0), 0
    first0, first1 = NO_ACTION, NO_ACTION
    if remembered:
        key = table_key(game.hash(state) ^ ws.identity, _SALT)
        slot = slot_of(table, key)
        if table[slot].key == key:
            first0, first1 = np.int64(table[slot].action0), np.int64(table[slot].action1)
            if ply > 0 and usable(table, slot, key, depth):
                lower, upper = table[slot].lower, table[slot].upper
                if lower >= upper or lower >= beta or upper <= alpha:
                    ws.table_hits += 1
                    ws.estimates += 1 - table[slot].proven
                    return lower if lower >= beta else upper
    estimates = ws.estimates
    value = 0.0
    if node == CHANCE:
        # Star1 (Ballard 1983): each outcome's window is what it would take to leave the whole node's window.
        outcomes, chances = ws.actions[ply, 0], ws.probabilities[ply]
        count = game.chance_outcomes(state, outcomes, chances)
        rest = 1.0
        for k in range(count):
            rest -= chances[k]
            low = (alpha - value - rest * ws.high) / chances[k]
            high = (beta - value - rest * ws.low) / chances[k]
            child = game.successor(state, outcomes[k], NO_ACTION)
            found = smab(game, evaluator, child, depth, ply + 1, low, high, ws, table)
            if ws.stop:
                return 0.0
            value += chances[k] * found
            if found <= low and k < count - 1:
                value += rest * ws.high
                ws.cutoffs += 1
                break
            if found >= high and k < count - 1:
                value += rest * ws.low
                ws.cutoffs += 1
                break
    else:
        m, n = stage_actions(game, state, node, ply, ws)
        actions0, actions1 = ws.actions[ply, 0], ws.actions[ply, 1]
        to_front(actions0, m, first0)
        to_front(actions1, n, first1)
        lower, upper, rows, columns = ws.lower[ply], ws.upper[ply], ws.rows[ply], ws.columns[ply]
        for i in range(m):
            rows[i] = 1
            for j in range(n):
                lower[i, j], upper[i, j], ws.known[ply, i, j] = ws.low, ws.high, 0
                if game.has_bounds:
                    lower[i, j], upper[i, j] = game.bounds(game.successor(state, actions0[i], actions1[j]))
        for j in range(n):
            columns[j] = 1
        span = ws.high - ws.low
        epsilon = 1e-12 * span
        # An infinite edge, as a row or column that is worse than every outcome.
        row_edge, column_edge = max(alpha, ws.low - span), min(beta, ws.high + span)
        # Cells in an L: row k from the diagonal, then column k below it.
        for k in range(min(m, n)):
            for step in range(m + n - 2 * k - 1):
                a = k if step < n - k else k + step - (n - k) + 1
                b = k + step if step < n - k else k
                if not (rows[a] and columns[b]):
                    continue
                if lower[a, b] >= upper[a, b]:  # the static bounds settle it
                    ws.known[ply, a, b] = 1
                    ws.leaves += 1
                    continue
                low, high = -np.inf, np.inf
                if depth >= ws.window_depth:
                    edges = (row_edge, column_edge)
                    low, high = window_at(
                        ws.window_solver, lower, upper, m, n, a, b, edges, rows, columns, ws.work
                    )
                crossed = low >= high
                child = game.successor(state, actions0[a], actions1[b])
                if crossed:
                    # Whatever the value, the row or the column goes: a null window decides which.
                    found = smab(game, evaluator, child, depth - 1, ply + 1, high, high + epsilon, ws, table)
                else:
                    found = smab(game, evaluator, child, depth - 1, ply + 1, low, high, ws, table)
                if ws.stop:
                    return 0.0
                ws.cells += 1
                if crossed:
                    if found <= high:
                        upper[a, b] = min(upper[a, b], found)
                        rows[a] = 0
                    else:
                        lower[a, b] = max(lower[a, b], found)
                        columns[b] = 0
                    ws.cutoffs += 1
                elif found <= low:
                    upper[a, b] = min(upper[a, b], found)
                    rows[a] = 0
                    ws.cutoffs += 1
                elif found >= high:
                    lower[a, b] = max(lower[a, b], found)
                    columns[b] = 0
                    ws.cutoffs += 1
                else:
                    lower[a, b], upper[a, b], ws.known[ply, a, b] = found, found, 1
        count0, count1 = compress(lower, m, n, rows, columns, ply, ws)
        set_pure(ply, m, n, 0, 0, ws)
        if count0 == 0:
            value = min(alpha, stage_value(upper, m, n, ws))
        elif count1 == 0:
            value = max(beta, stage_value(lower, m, n, ws))
        else:
            ws.x[ply, 0], ws.y[ply, 0] = 0.0, 0.0
            value = solve_stage(ws.restricted[ply], count0, count1, ply, ws)
            expand_strategies(m, n, count0, count1, ply, ws)
            for i in range(m):
                if ws.x[ply, i] > 0.5:
                    first0 = actions0[i]
            for j in range(n):
                if ws.y[ply, j] > 0.5:
                    first1 = actions1[j]
            if value <= alpha:
                value = min(alpha, stage_value(upper, m, n, ws))
            elif value >= beta:
                value = max(beta, stage_value(lower, m, n, ws))
    if remembered and not ws.stop:
        least = ws.low if value <= alpha else value
        most = ws.high if value >= beta else value
        store(table, slot, key, depth, least, most, first0, first1, ws.estimates == estimates, ws.age)
    return value


@dataclass(frozen=True)
class SMAB(Algorithm):
    """Simultaneous-move alpha-beta; bound programs only from `window_depth` remaining steps upwards."""

    table: bool | None = None
    window_depth: int = 1

    name: ClassVar[str] = "smab"

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        ws["use_table"], ws["window_depth"] = self.uses_table(game), self.window_depth
        low, high = -np.inf, np.inf
        return run(smab, game, self.leaf, state, depth, 0, low, high, ws, memory.table(game, self.uses_table(game)))
