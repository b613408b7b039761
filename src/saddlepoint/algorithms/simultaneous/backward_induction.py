"""Backward induction: every joint action is followed, every stage matrix solved."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, run
from ...game import CHANCE, NO_ACTION, TERMINAL
from ..algorithm import Algorithm, Memory
from ..table import slot_of, store, table_key, usable
from ..workspace import ended, enter, estimated, solve_stage, stage_actions

_SALT = 11


@jit
def backward_induction(game, evaluator, state, depth, ply, ws, table):
    """Player 0's value of the state, looking `depth` steps ahead; 0.0 where stopped."""
    if enter(ws):
        return 0.0
    node = game.current_player(state)
    if node == TERMINAL:
        return ended(game, state, ws)
    if depth == 0:
        return estimated(game, evaluator, state, ws)
    remembered = ws.use_table and depth > 1  # at the frontier a table costs more than it spares
    key, slot = np.uint64(0), 0
    if remembered:
        key = table_key(game.hash(state) ^ ws.identity, _SALT)
        slot = slot_of(table, key)
        # The root is always searched, for its strategies.
        if ply > 0 and usable(table, slot, key, depth):
            ws.table_hits += 1
            ws.estimates += 1 - table[slot].proven
            return table[slot].lower
    estimates = ws.estimates
    if node == CHANCE:
        outcomes, chances = ws.actions[ply, 0], ws.probabilities[ply]
        value = 0.0
        for k in range(game.chance_outcomes(state, outcomes, chances)):
            child = game.successor(state, outcomes[k], NO_ACTION)
            value += chances[k] * backward_induction(game, evaluator, child, depth, ply + 1, ws, table)
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
    if remembered:
        store(table, slot, key, depth, value, value, NO_ACTION, NO_ACTION, ws.estimates == estimates, ws.age)
    return value


@dataclass(frozen=True)
class BackwardInduction(Algorithm):
    """Plain backward induction over stage matrices; `table` keeps the values of positions met before."""

    table: bool | None = None

    name: ClassVar[str] = "bi"

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        ws["use_table"] = self.uses_table(game)
        return run(backward_induction, game, self.leaf, state, depth, 0, ws, memory.table(game, self.uses_table(game)))
