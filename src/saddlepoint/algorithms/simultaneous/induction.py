"""Backward induction: every joint action is followed, or as many as confirm a pure saddle point."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit, jit_inline
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS, Game
from ..table import DEEPEST, room_for_actions, room_for_plies, store
from .solver_address import solve_at
from .stage import StageAlgorithm, new_stage_workspace, open_node, ordered_stage, probe, set_pure, solve_stage

# A stage is done as soon as a pure saddle point is confirmed.
#
# A cell that is the least of its row and the greatest of its column is the stage's value whatever the cells not in that
# row or column are worth, so cells are evaluated in the order that confirms a candidate soonest.

_SALT, _SADDLE_SALT = 11, 12
_EVERY_PLY = 2 * DEEPEST


@jit_inline
def note_cell(i, j, value, ply, ws):
    """Put a cell's value into the stage, and count it in its row and its column."""
    ws.lower[ply, i, j] = value
    ws.known[ply, i, j] = 1
    ws.row_known[ply, i] += 1
    ws.column_known[ply, j] += 1
    ws.least[ply, i] = min(ws.least[ply, i], value)
    ws.greatest[ply, j] = max(ws.greatest[ply, j], value)


@jit_inline
def open_stage(m, n, ply, ws):
    """Nothing is known of any cell."""
    for i in range(m):
        ws.row_known[ply, i], ws.least[ply, i] = 0, np.inf
        for j in range(n):
            ws.known[ply, i, j] = 0
    for j in range(n):
        ws.column_known[ply, j], ws.greatest[ply, j] = 0, -np.inf


@jit_inline
def next_cell(m, n, done, ply, ws):
    """(i, j, confirmed): the cell to evaluate next, or a confirmed saddle point, or (-1, -1, False) when all are known.

    First the first row or the first column, whichever is longer. Then, among known cells that are still the least of
    their row and the greatest of their column, the one with the fewest unknown cells in both, its row first. Without
    a candidate, the unknown cell with the most known cells in its row and column.
    """
    if done < max(m, n):
        return (0, done, False) if n >= m else (done, 0, False)
    cells, known, low, high = ws.lower[ply], ws.known[ply], ws.low, ws.high
    row_known, column_known = ws.row_known[ply], ws.column_known[ply]
    best_i, best_j, fewest = -1, -1, m + n
    for i in range(m):
        least, missing_in_row = ws.least[ply, i], n - row_known[i]
        for j in range(n):
            value = cells[i, j]
            # Nothing in the row can be less than the least utility, nor in the column more than the greatest.
            if known[i, j] and value <= least and (value >= ws.greatest[ply, j] or value >= high):
                missing = missing_in_row if value > low else 0
                if value < high:
                    missing += m - column_known[j]
                if missing < fewest:
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
        if row_known[i] + n <= most:
            continue
        for j in range(n):
            if not known[i, j] and row_known[i] + column_known[j] > most:
                most, best_i, best_j = row_known[i] + column_known[j], i, j
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
        open_stage(m, n, ply, ws)
        i, j, confirmed, done = 0, -1, False, 0
        while True:
            if ply >= whole:
                i, j, confirmed = next_cell(m, n, done, ply, ws)
            elif j + 1 < n:
                j += 1
            else:
                i, j = i + 1, 0
            if confirmed:
                ws.saddle_stages += 1
                ws.cutoffs += done < m * n
                value = ws.lower[ply, i, j]
                set_pure(ply, m, n, i, j, ws)
                first0, first1 = actions0[i], actions1[j]
                break
            if done == m * n:
                value = solve_stage(ws.lower[ply], m, n, ply, ws)
                break
            child = game.successor(state, actions0[i], actions1[j])
            found = induction(game, evaluator, child, depth - 1, ply + 1, whole, salt, ws, table)
            if ws.stop:
                return 0.0
            note_cell(i, j, found, ply, ws)
            ws.cells += 1
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


def _workspace(game: Game, algorithm: StageAlgorithm, *own: Any) -> Any:
    """A workspace that counts, for each row and column of a stage, the known cells, and keeps the least and the greatest of them."""
    shape = room_for_plies(game), room_for_actions(game)
    counts = ("row_known", "i8", shape), ("column_known", "i8", shape)
    return new_stage_workspace(
        game, algorithm, *own, *counts, ("least", "f8", shape), ("greatest", "f8", shape)
    )


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
        return _workspace(game, self, ("evaluate_terminal", "u1"))

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

    def workspace(self, game: Game) -> Any:
        return _workspace(game, self)

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        kernel, whole = (trembling_root, 1) if self.tremble > 0 else (induction, 0)
        return kernel, game, self.leaf, state, depth, 0, whole, _SADDLE_SALT, ws, table
