"""Backward induction: every joint action is followed, every stage matrix solved."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit
from ...game import CHANCE, NO_ACTION
from ..table import store
from .node import open_node, probe
from .stage import solve_stage, stage_actions
from .stage_algorithm import StageAlgorithm

_SALT = 11


@jit
def backward_induction(game, evaluator, state, depth, ply, ws, table):
    """Player 0's value of the state, looking `depth` steps ahead; 0.0 where stopped."""
    node, known, value = open_node(game, evaluator, state, depth, False, ws)
    if known:
        return value
    key, known, value, _, _ = probe(game, state, depth, 1, ply, -np.inf, np.inf, False, _SALT, ws, table)
    if known:
        return value
    estimates = ws.estimates
    if node == CHANCE:
        outcomes, chances = ws.outcomes[ply], ws.chances[ply]
        for k in range(game.chance_outcomes(state, outcomes, chances)):
            value += chances[k] * backward_induction(
                game, evaluator, game.successor(state, outcomes[k], NO_ACTION), depth, ply + 1, ws, table
            )
            if ws.stop:
                return 0.0
    else:
        m, n = stage_actions(game, state, node, ply, ws)
        actions0, actions1, cells = ws.actions[ply, 0], ws.actions[ply, 1], ws.lower[ply]
        for i in range(m):
            for j in range(n):
                child = game.successor(state, actions0[i], actions1[j])
                cells[i, j] = backward_induction(game, evaluator, child, depth - 1, ply + 1, ws, table)
                if ws.stop:
                    return 0.0
                ws.cells += 1
                ws.known[ply, i, j] = 1
        value = solve_stage(cells, m, n, ply, ws)
    store(table, key, depth, value, value, NO_ACTION, NO_ACTION, ws.estimates == estimates, ws)
    return value


@dataclass(frozen=True)
class BackwardInduction(StageAlgorithm):
    """Plain backward induction over stage matrices; `table` keeps the values of positions met before."""

    table: bool | None = None

    name: ClassVar[str] = "bi"
    title: ClassVar[str] = "Backward induction"

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        return backward_induction, game, self.leaf, state, depth, 0, ws, table
