"""Backward induction: every joint action is followed, every stage matrix solved; in what order, a component says."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import Component, jit, kernel, run
from ...game import CHANCE, NO_ACTION
from ..algorithm import Memory
from ..table import store
from .node import open_node, probe
from .stage import ordered_stage, set_pure, solve_stage
from .stage_algorithm import StageAlgorithm


@dataclass(frozen=True)
class RowByRow(Component):
    """All cells of a stage, a row after the other."""

    salt: ClassVar[int] = 11
    evaluate_ends: ClassVar[bool] = False

    @kernel
    def next_cell(self, cells, known, m, n, i, j, done, low, high):
        """(i, j, whether that cell is a saddle point): the cell after (i, j); (-1, -1, False) after the last one."""
        if j + 1 < n:
            return i, j + 1, False
        return (i + 1, 0, False) if i + 1 < m else (-1, -1, False)


@jit
def backward_induction(game, evaluator, order, state, depth, ply, ws, table):
    """Player 0's value of the state, looking `depth` steps ahead; 0.0 where stopped.

    `order.next_cell` chooses the cell of a stage to look at next, or tells that one of them is a saddle point whatever the
    others are worth. With `order.evaluate_ends` the evaluator judges ended games too; `order.salt` is for the table's keys.
    """
    node, settled, value = open_node(game, evaluator, state, depth, order.evaluate_ends, ws)
    if settled:
        return value
    key, settled, value, first0, first1 = probe(game, state, depth, 1, ply, -np.inf, np.inf, False, order.salt, ws, table)
    if settled:
        return value
    estimates = ws.estimates
    if node == CHANCE:
        outcomes, chances = ws.actions[ply, 0], ws.probabilities[ply]
        for k in range(game.chance_outcomes(state, outcomes, chances)):
            child = game.successor(state, outcomes[k], NO_ACTION)
            value += chances[k] * backward_induction(game, evaluator, order, child, depth, ply + 1, ws, table)
            if ws.stop:
                return 0.0
    else:
        m, n = ordered_stage(game, state, node, first0, first1, ply, ws)
        actions0, actions1 = ws.actions[ply, 0], ws.actions[ply, 1]
        cells, known = ws.lower[ply], ws.known[ply]
        for i in range(m):
            for j in range(n):
                known[i, j] = 0
        i, j, done = 0, -1, 0
        while True:
            i, j, confirmed = order.next_cell(cells, known, m, n, i, j, done, ws.low, ws.high)
            if confirmed:
                ws.saddle_stages += 1
                ws.cutoffs += done < m * n
                value = cells[i, j]
                set_pure(ply, m, n, i, j, ws)
                first0, first1 = actions0[i], actions1[j]
                break
            if i < 0:
                value = solve_stage(cells, m, n, ply, ws)
                break
            child = game.successor(state, actions0[i], actions1[j])
            cells[i, j] = backward_induction(game, evaluator, order, child, depth - 1, ply + 1, ws, table)
            if ws.stop:
                return 0.0
            ws.cells += 1
            known[i, j] = 1
            done += 1
    store(table, key, depth, value, value, first0, first1, ws.estimates == estimates, ws.age)
    return value


@dataclass(frozen=True)
class BackwardInduction(StageAlgorithm):
    """Plain backward induction over stage matrices; `table` keeps the values of positions met before."""

    table: bool | None = None

    name: ClassVar[str] = "bi"

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        table = self.table_in(memory, game)
        return run(backward_induction, game, self.leaf, RowByRow(), state, depth, 0, ws, table)
