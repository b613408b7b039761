"""The stage of one position: who chooses what there, and what its matrix of values is worth."""

import math
from typing import Any

import numpy as np

from ...algorithms.simultaneous.solver_address import solve_at
from ...algorithms.simultaneous.stage import count_stage
from ...compiled import jit_part
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS


@jit_part
def list_choices(game, state, node, actions0, actions1, chances) -> Any:
    """(rows, columns) of a position's stage: all legal actions, or as rows the outcomes of chance with their probabilities."""
    actions0[0], actions1[0] = NO_ACTION, NO_ACTION
    m, n = np.int64(1), np.int64(1)
    if node == CHANCE:
        m = np.int64(game.chance_outcomes(state, actions0, chances))
    if node == SIMULTANEOUS or node == 0:
        m = np.int64(game.legal_actions(state, 0, actions0))
    if node == SIMULTANEOUS or node == 1:
        n = np.int64(game.legal_actions(state, 1, actions1))
    return m, n


@jit_part
def shape_of(node, m, n):
    """(rows, columns) of a stage's cells where they lie: a square, as solvers take it, or a column of chance's outcomes."""
    return (m, np.int64(1)) if node == CHANCE else (max(m, n), max(m, n))


@jit_part
def pure_bounds(cells, m, n):
    """(maximin, minimax) of pure actions; where they are equal, that is the value."""
    lower, upper = -math.inf, math.inf
    for i in range(m):
        worst = cells[i, 0]
        for j in range(1, n):
            worst = min(worst, cells[i, j])
        lower = max(lower, worst)
    for j in range(n):
        best = cells[0, j]
        for i in range(1, m):
            best = max(best, cells[i, j])
        upper = min(upper, best)
    return lower, upper


@jit_part
def matrix_value(cells, m, n, ws, memory):
    """The value of a stage's matrix, the m x n corner of a square.

    A saddle point is looked for first; what has none is solved by a closed form or a linear program. To look for dominated actions before
    takes longer than they do in the program.
    """
    lower, upper = pure_bounds(cells, m, n)
    if lower == upper:
        ws.saddle_stages += 1
        return lower
    value, method = solve_at(ws.solver, cells, m, n, memory.x, memory.y, memory.work)
    count_stage(method, ws)
    return value
