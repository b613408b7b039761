"""Backward induction: every joint action is followed, or as many as confirm a pure saddle point."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, jit_inline
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS, Game
from ..table import DEEPEST, store
from .solver_address import solve_at
from .stage import StageAlgorithm, new_stage_workspace, open_node, ordered_stage, probe, set_pure, solve_stage

# A stage is done as soon as a pure saddle point is confirmed.
#
# A cell that is the least of its row and the greatest of its column is the stage's value whatever the cells not in that
# row or column are worth, so cells are evaluated in the order that confirms a candidate soonest.

_SALT, _SADDLE_SALT = 11, 12
_EVERY_PLY = 2 * DEEPEST


@jit_inline
def next_cell(cells, known, m, n, done, low, high):
    """(i, j, confirmed): the cell to evaluate next, or a confirmed saddle point, or (-1, -1, False) when all are known.

    First the first row or the first column, whichever is longer. Then, among known cells that are still the least of
    their row and the greatest of their column, the one with the fewest unknown cells in both, its row first. Without
    a candidate, the unknown cell with the most known cells in its row and column.
    """
    if done < max(m, n):
        return (0, done, False) if n >= m else (done, 0, False)
    best_i, best_j, fewest = -1, -1, m + n
    for i in range(m):
        for j in range(n):
            if not known[i, j]:
                continue
            value, missing, holds = cells[i, j], 0, True
            if value > low:  # nothing in the row can be less than the least utility
                for k in range(n):
                    if not known[i, k]:
                        missing += 1
                    elif cells[i, k] < value:
                        holds = False
                        break
            if holds and value < high:
                for k in range(m):
                    if not known[k, j]:
                        missing += 1
                    elif cells[k, j] > value:
                        holds = False
                        break
            if holds and missing < fewest:
                best_i, best_j, fewest = i, j, missing
    if best_i >= 0:
        # Sound: lowest of its row, highest of its column. Either player can hold the other to it, whatever the cells elsewhere are.
        if fewest == 0:
            return best_i, best_j, True
        if cells[best_i, best_j] > low:
            for k in range(n):
                if not known[best_i, k]:
                    return best_i, k, False
        for k in range(m):
            if not known[k, best_j]:
                return k, best_j, False
    if done == m * n:
        return -1, -1, False
    most, best_i, best_j = -1, 0, 0
    for i in range(m):
        for j in range(n):
            if known[i, j]:
                continue
            neighbours = 0
            for k in range(n):
                neighbours += known[i, k]
            for k in range(m):
                neighbours += known[k, j]
            if neighbours > most:
                most, best_i, best_j = neighbours, i, j
    return best_i, best_j, False


@jit
def induction(game, evaluator, state, depth, ply, whole, salt, ws, table):
    """Player 0's value of the state, looking `depth` steps ahead; 0.0 where stopped.

    In the first `whole` plies every joint action is searched, below only what confirms a saddle point.
    """
    node, settled, value = open_node(game, evaluator, state, depth, ws.evaluate_terminal != 0, ws)
    if settled:
        return value
    key, settled, value, first0, first1 = probe(
        game, state, depth, 1, ply, -np.inf, np.inf, False, salt, ws, table
    )
    if settled:
        return value
    estimates = ws.estimates
    if node == CHANCE:
        outcomes, chances = ws.outcomes[ply], ws.chances[ply]
        for k in range(game.chance_outcomes(state, outcomes, chances)):
            child = game.successor(state, outcomes[k], NO_ACTION)
            value += chances[k] * induction(game, evaluator, child, depth, ply + 1, whole, salt, ws, table)
            if ws.stop:
                return 0.0
    else:
        m, n = ordered_stage(game, state, node, first0, first1, ply, ws)
        actions0, actions1 = ws.actions[ply, 0], ws.actions[ply, 1]
        cells, known = ws.lower[ply], ws.known[ply]
        for i in range(m):
            for j in range(n):
                known[i, j] = 0
        i, j, confirmed, done = 0, -1, False, 0
        while True:
            if ply >= whole:
                i, j, confirmed = next_cell(cells, known, m, n, done, ws.low, ws.high)
            elif j + 1 < n:
                j += 1
            else:
                i, j = i + 1, 0
            if confirmed:
                ws.saddle_stages += 1
                ws.cutoffs += done < m * n
                value = cells[i, j]
                set_pure(ply, m, n, i, j, ws)
                first0, first1 = actions0[i], actions1[j]
                break
            if done == m * n:
                value = solve_stage(cells, m, n, ply, ws)
                break
            child = game.successor(state, actions0[i], actions1[j])
            cells[i, j] = induction(game, evaluator, child, depth - 1, ply + 1, whole, salt, ws, table)
            if ws.stop:
                return 0.0
            ws.cells += 1
            known[i, j] = 1
            done += 1
    store(table, key, depth, value, value, first0, first1, ws.estimates == estimates, ws)
    return value


@jit
def trembling_root(game, evaluator, state, depth, ply, whole, salt, ws, table):
    """`induction` with best replies to a trembling opponent as the strategies of the root, whose joint actions are all searched."""
    value = induction(game, evaluator, state, depth, ply, whole, salt, ws, table)
    if ws.stop or depth == 0 or game.current_player(state) != SIMULTANEOUS:
        return value
    m, n, cells = ws.sizes[0, 0], ws.sizes[0, 1], ws.lower[0]
    steady, trembled = 1.0 - ws.tremble, ws.restricted[0]
    for j in range(n):
        mean = 0.0
        for i in range(m):
            mean += cells[i, j] / m
        for i in range(m):
            trembled[i, j] = steady * cells[i, j] + ws.tremble * mean
    solve_at(ws.solver, trembled, m, n, ws.spare_x, ws.y[0], ws.work)
    for i in range(m):
        mean = 0.0
        for j in range(n):
            mean += cells[i, j] / n
        for j in range(n):
            trembled[i, j] = steady * cells[i, j] + ws.tremble * mean
    solve_at(ws.solver, trembled, m, n, ws.x[0], ws.spare_y, ws.work)
    return value


@dataclass(frozen=True)
class BackwardInduction(StageAlgorithm):
    """Plain backward induction over stage matrices; `table` keeps the values of positions met before.

    >>> from saddlepoint import BackwardInduction, Goofspiel, search
    >>> game = Goofspiel(cards=3)
    >>> result = search(game, game.initial_state(), BackwardInduction())
    >>> abs(round(result.value, 6)), result.exact
    (0.0, True)
    """

    table: bool | None = None

    name: ClassVar[str] = "bi"
    title: ClassVar[str] = "Backward induction"

    def workspace(self, game: Game) -> Any:
        return new_stage_workspace(game, self, ("evaluate_terminal", "u1"))

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        return induction, game, self.leaf, state, depth, 0, _EVERY_PLY, _SALT, ws, table


@dataclass(frozen=True)
class SaddlePruning(StageAlgorithm):
    """Backward induction with early confirmation of pure saddle points.

    With `evaluate_terminal` the evaluator values terminal positions too, as riders_nash has it: a win by a larger
    territory counts for more, and nothing is ever exact.

    With `tremble` above 0 the root's strategies are each player's best against another who means to do it harm, but with that
    probability takes any action alike (Selten 1975): they are no equilibrium, and get more where it errs. Where it does not, a stage
    gives up tremble / (1 - tremble) times the range of its values at most. The value is the equilibrium's.

    >>> from saddlepoint import Goofspiel, SaddlePruning, search
    >>> game = Goofspiel(cards=3)
    >>> search(game, game.initial_state(), SaddlePruning()).exact
    True
    """

    table: bool | None = None
    evaluate_terminal: bool = False
    tremble: float = 0.0

    name: ClassVar[str] = "saddle"
    title: ClassVar[str] = "Saddle-point pruning"

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        kernel, whole = (trembling_root, 1) if self.tremble > 0 else (induction, 0)
        return kernel, game, self.leaf, state, depth, 0, whole, _SADDLE_SALT, ws, table
