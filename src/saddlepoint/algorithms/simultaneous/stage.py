"""A stage: the matrix game of one position, in arrays of the workspace; what a search does before it looks further."""

from typing import Any, ClassVar

import numpy as np

from ...compiled import jit_inline, jit_part, prefetch, run
from ...compiled.bits import bucket_of
from ...game.base import NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from ...matrix import CLOSED_FORM, SADDLE, work_size
from ..algorithm import Algorithm, Memory
from ..result import Partial, Strategies
from ..table import (
    SAMPLED,
    enter,
    new_record,
    new_table,
    room_for_actions,
    room_for_outcomes,
    room_for_plies,
    slot_of,
    table_key,
    to_front,
    usable,
)
from .solver_address import solve_at, solver_address


class StageAlgorithm(Algorithm):
    """Base of the searches that solve stages.

    The root's actions, strategies and cells are in ply 0 of the workspace.
    """

    solves_stages: ClassVar[bool] = True
    """Whether it solves stage matrices, and so needs the compiled solver."""
    bounds_mark: ClassVar[int] = -1
    """The value in the workspace's `known` that says that a cell has bounds only; -1: cells have values or nothing."""

    def workspace(self, game: Game) -> Any:
        return new_stage_workspace(game, self)

    def table_in(self, memory: Memory) -> Any:
        """The transposition table, made at its first use; of one slot where none is used."""
        entries = memory.entries if self.uses_table else 1
        return memory.keep(("table", entries), lambda: new_table(entries, memory.ahead))

    def reset(self, ws: Any) -> None:
        ws["preferred"] = NO_ACTION

    def begin(self, ws: Any) -> None:
        ws["known"][0] = 0

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        """The compiled function that searches to the depth, and its arguments.

        A search that is more than one call has its own `iterate` instead.
        """
        raise NotImplementedError

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        return run(*self.compiled_search(game, state, depth, ws, self.table_in(memory)))

    def strategies(self, game: Game, state: Any, ws: Any) -> Strategies:
        acting = game.players_to_act(state)
        mixtures: list[dict[int, float]] = []
        for player, field in ((0, "x"), (1, "y")):
            count = int(ws["sizes"][0, player]) if player in acting else 0
            actions, weights = ws["actions"][0, player, :count], ws[field][0, :count]
            mixtures.append({int(a): float(w) for a, w in zip(actions, weights, strict=True)})
        return mixtures[0], mixtures[1]

    def partial(self, ws: Any, depth: int) -> Partial:
        """The root cells that an unfinished iteration had settled."""
        own0, own1 = (ws["actions"][0, player, : int(ws["sizes"][0, player])] for player in (0, 1))
        known, lower, upper = (ws[name][0, : len(own0), : len(own1)] for name in ("known", "lower", "upper"))
        i, j = np.nonzero(known)
        low = lower[i, j]
        high = np.where(known[i, j] == self.bounds_mark, upper[i, j], low)
        joint = zip(own0[i].tolist(), own1[j].tolist(), strict=True)
        cells = dict(zip(joint, zip(low.tolist(), high.tolist(), strict=True), strict=True))
        return Partial(depth, cells)


# A stage: the matrix game of one position, in arrays of the workspace that every ply has of its own.


def new_stage_workspace(game: Game, algorithm: Any, *own: Any) -> Any:
    """A zeroed record for searches of this game; fields and shapes below (actions, outcomes of chance, plies), and an algorithm's own."""
    actions, outcomes, plies = room_for_actions(game), room_for_outcomes(game), room_for_plies(game)
    record = new_record(
        game,
        algorithm,
        [
            *own,
            ("solver", "i8"),
            ("window_solver", "i8"),  # addresses of compiled functions
            ("actions", "i8", (plies, 2, actions)),
            ("outcomes", "i8", (plies, outcomes)),
            ("chances", "f8", (plies, outcomes)),
            ("lower", "f8", (plies, actions, actions)),
            ("upper", "f8", (plies, actions, actions)),
            ("known", "u1", (plies, actions, actions)),
            ("restricted", "f8", (plies, actions, actions)),
            ("rows", "u1", (plies, actions)),
            ("columns", "u1", (plies, actions)),
            ("row_index", "i8", (plies, actions)),
            ("column_index", "i8", (plies, actions)),
            ("x", "f8", (plies, actions)),
            ("y", "f8", (plies, actions)),
            ("sizes", "i8", (plies, 2)),
            ("spare_x", "f8", (actions,)),
            ("spare_y", "f8", (actions,)),
            ("work", "f8", (work_size(actions + 1, actions + 1),)),
            (
                "buckets",
                "u1",
            ),  # whether the table is used in buckets, and of a sample of positions how often they were solved
            ("sampled", "u8", (SAMPLED,)),
            ("solved_once", "i8"),
            ("solved_again", "i8"),
        ],
    )
    if algorithm.solves_stages:
        record["solver"] = solver_address()
    record["use_table"] = algorithm.uses_table
    return record


@jit_inline
def stage_actions(game, state, node, ply, ws):
    """Fill both players' action lists of a decision node.

    A player that does not move has the single NO_ACTION.
    """
    actions0, actions1 = ws.actions[ply, 0], ws.actions[ply, 1]
    count0, count1 = 1, 1
    if node == SIMULTANEOUS or node == 0:
        count0 = game.search_actions(state, 0, actions0)
    else:
        actions0[0] = NO_ACTION
    if node == SIMULTANEOUS or node == 1:
        count1 = game.search_actions(state, 1, actions1)
    else:
        actions1[0] = NO_ACTION
    if ply == 0:
        to_front(actions0, count0, ws.preferred[0])
        to_front(actions1, count1, ws.preferred[1])
    ws.sizes[ply, 0] = count0
    ws.sizes[ply, 1] = count1
    return count0, count1


@jit_inline
def ordered_stage(game, state, node, first0, first1, ply, ws):
    """`stage_actions` with the best actions known from before in front."""
    count0, count1 = stage_actions(game, state, node, ply, ws)
    to_front(ws.actions[ply, 0], count0, first0)
    to_front(ws.actions[ply, 1], count1, first1)
    return count0, count1


@jit_inline
def count_stage(method, ws):
    """Count a stage that was solved by that method."""
    if method == SADDLE:
        ws.saddle_stages += 1
    elif method == CLOSED_FORM:
        ws.closed_form_stages += 1
    else:
        ws.lp_stages += 1


@jit_inline
def solve_stage(matrix, m, n, ply, ws):
    """The value of a stage matrix; strategies go to the ply's x and y."""
    value, method = solve_at(ws.solver, matrix, m, n, ws.x[ply], ws.y[ply], ws.work)
    count_stage(method, ws)
    return value


@jit_inline
def stage_value(matrix, m, n, ws):
    """The value of a stage matrix, without its strategies."""
    return solve_at(ws.solver, matrix, m, n, ws.spare_x, ws.spare_y, ws.work)[0]


@jit_inline
def set_pure(ply, m, n, i, j, ws):
    """Pure strategies: row i, column j."""
    for k in range(m):
        ws.x[ply, k] = 0.0
    for k in range(n):
        ws.y[ply, k] = 0.0
    ws.x[ply, i] = 1.0
    ws.y[ply, j] = 1.0


@jit_part
def solve_restricted(source, count0, count1, m, n, ply, ws):
    """Solve the game of the rows and columns that `list_alive` found; strategies are those of the whole stage."""
    for i in range(count0):
        for j in range(count1):
            ws.restricted[ply, i, j] = source[ws.row_index[ply, i], ws.column_index[ply, j]]
    x, y = ws.x[ply], ws.y[ply]
    for i in range(m):
        x[i] = 0.0
    for j in range(n):
        y[j] = 0.0
    value = solve_stage(ws.restricted[ply], count0, count1, ply, ws)
    for i in range(
        count0 - 1, -1, -1
    ):  # from the back: an index never lies before its place in the restriction
        probability = x[i]
        x[i] = 0.0
        x[ws.row_index[ply, i]] = probability
    for j in range(count1 - 1, -1, -1):
        probability = y[j]
        y[j] = 0.0
        y[ws.column_index[ply, j]] = probability
    return value


@jit_part
def list_alive(m, n, ply, ws):
    """List the rows and columns that are still alive; returns how many there are."""
    count0, count1 = 0, 0
    for i in range(m):
        if ws.rows[ply, i]:
            ws.row_index[ply, count0] = i
            count0 += 1
    for j in range(n):
        if ws.columns[ply, j]:
            ws.column_index[ply, count1] = j
            count1 += 1
    return count0, count1


@jit_inline
def likely_actions(m, n, first0, first1, ply, ws):
    """The actions that are played with more than a half, else the ones known from before."""
    for i in range(m):
        if ws.x[ply, i] > 0.5:
            first0 = ws.actions[ply, 0, i]
    for j in range(n):
        if ws.y[ply, j] > 0.5:
            first1 = ws.actions[ply, 1, j]
    return first0, first1


# What every search does at a position before it looks any further: count it, know its end, ask the table; Star1 at chance nodes.


@jit_part
def ended(game, state, ws):
    """The result of a finished game."""
    ws.leaves += 1
    return game.returns(state)


@jit_part
def estimated(game, evaluator, state, ws):
    """The evaluator's estimate."""
    ws.leaves += 1
    ws.evaluations += 1
    ws.estimates += 1
    value = float(evaluator.evaluate(game, state))
    if game.has_bounds:
        low, high = game.bounds(state)
        value = min(max(value, low), high)
    return value


@jit_part
def estimated_once(game, evaluator, state, ws):
    """The evaluator's estimate, looked up where it was asked for not long ago; the search keeps `ws.kept_keys`, `ws.kept_values`."""
    if not ws.keep_estimates:
        return estimated(game, evaluator, state, ws)
    key = game.hash(state) | np.uint64(1)  # 0 marks an empty slot
    slot = bucket_of(ws.kept_keys, key, 1)
    if ws.kept_keys[slot] == key:
        ws.leaves += 1
        ws.estimates += 1
        return ws.kept_values[slot]
    value = estimated(game, evaluator, state, ws)
    ws.kept_keys[slot], ws.kept_values[slot] = key, value
    return value


@jit_part
def open_node(game, evaluator, state, depth, evaluate_terminal, ws):
    """(node kind, whether the value is known, the value): stopped (0.0), terminal, or at the depth limit.

    With `evaluate_terminal` the evaluator judges ended games too.
    """
    if enter(ws):
        return np.int64(TERMINAL), True, 0.0
    node = game.current_player(state)
    if node == TERMINAL:
        return (
            np.int64(node),
            True,
            estimated(game, evaluator, state, ws) if evaluate_terminal else float(ended(game, state, ws)),
        )
    if depth == 0:
        return np.int64(node), True, estimated(game, evaluator, state, ws)
    return np.int64(node), False, 0.0


@jit_part
def key_of(game, state, depth, frontier, salt, ws, table):
    """The position's key in the table, whose slot is fetched from memory while the search does something else.

    0 where positions are not kept: without a table, and down to the depth `frontier`, where it costs more than it spares.
    """
    if not ws.use_table or depth <= frontier:
        return np.uint64(0)
    key = table_key(game.hash(state) ^ ws.identity, salt)
    prefetch(table, slot_of(table, key, False))  # of a bucket the first slot looked at
    return key


@jit_part
def looked_up(key, depth, ply, alpha, beta, deeper, ws, table):
    """(whether the table settles the window, the value or 0.0, the best action of either player, as far as known).

    With `deeper`, what was looked at deeper than asked counts too. The root is always searched, for its strategies.
    """
    if key == np.uint64(0):
        return False, 0.0, np.int64(NO_ACTION), np.int64(NO_ACTION)
    slot = slot_of(table, key, ws.buckets)
    if table[slot].key != key:
        return False, 0.0, np.int64(NO_ACTION), np.int64(NO_ACTION)
    action0, action1 = np.int64(table[slot].action0), np.int64(table[slot].action1)
    if ply > 0 and ((deeper and table[slot].depth > depth) or usable(table, slot, key, depth)):
        lower, upper = table[slot].lower, table[slot].upper
        # Sound: bounds that meet are the value, and a bound outside the window says on which side of it the value is.
        if lower >= upper or lower >= beta or upper <= alpha:
            ws.table_hits += 1
            ws.estimates += 1 - table[slot].proven
            return True, lower if lower >= beta else upper, action0, action1
    return False, 0.0, action0, action1


@jit_part
def probe(game, state, depth, frontier, ply, alpha, beta, deeper, salt, ws, table):
    """`key_of` and `looked_up` at once: (key, whether the table settles the window, the value, the best action of either player)."""
    key = key_of(game, state, depth, frontier, salt, ws, table)
    known, value, action0, action1 = looked_up(key, depth, ply, alpha, beta, deeper, ws, table)
    return key, known, value, action0, action1


@jit_part
def star1_window(alpha, beta, value, chance, rest, least, most):
    """The window of an outcome (Ballard 1983): what it would take to leave the whole node's window.

    `value` is the sum over the outcomes before it, `rest` the probability of those behind it, each worth `least` to `most`.
    """
    return (alpha - value - rest * most) / chance, (beta - value - rest * least) / chance


@jit_part
def star1_cut(found, low, high, value, rest, least, most, last):
    """(whether an outcome settles the node, its value, with a bound for the outcomes behind it if so)."""
    # Sound: even if every outcome behind it were the best, or the worst, possible, the mean would be outside the window.
    if not last and found <= low:
        return True, value + rest * most
    if not last and found >= high:
        return True, value + rest * least
    return False, value
