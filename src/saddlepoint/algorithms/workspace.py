"""The memory of one running search: counters, limits, and per-ply arrays, behind a single pointer.

Compiled code gets it as one record, so that nothing is allocated per node and a recursive call passes one word.
"""

from typing import Any

import numpy as np

from ..compiled import PLAIN_PYTHON, jit_inline, monotonic_ns
from ..game import NO_ACTION, SIMULTANEOUS, Game
from ..matrix import CLOSED_FORM, SADDLE, work_size
from .stage_solver import solve_at

DEEPEST = 256
"""Steps below the root that a search can look at."""

_CLOCK_INTERVAL = 63  # nodes between two looks at the clock, as a mask

COUNTERS = (
    "nodes", "leaves", "evaluations", "cells", "table_hits", "cutoffs", "saddle_stages", "closed_form_stages", "lp_stages",
)  # fmt: skip


def new_workspace(game: Game) -> Any:
    """A zeroed record for searches of this game; fields and shapes below (A actions, D plies)."""
    actions, plies = game.max_actions, min(game.max_depth, DEEPEST) + 2
    fields: list[Any] = [
        ("stop", "u1"), ("node_limit", "i8"), ("deadline", "i8"),
        *((counter, "i8") for counter in COUNTERS),
        ("estimates", "i8"),  # uses of values that rest on an evaluator, table hits included
        ("solver", "i8"), ("window_solver", "i8"),  # addresses of compiled functions
        ("low", "f8"), ("high", "f8"),  # the range of values: the game's returns, and an evaluator's beyond them
        ("worst", "f8"), ("best", "f8"),  # the game's range of returns
        ("identity", "u8"),  # of the game and the algorithm, in every key of a table
        # Of serialised searches: whether a round was met in which both had a choice; whether results are restated
        # (distance, contempt), and then whether one was met that is neither 0 nor at an end of the range.
        ("joint", "i8"), ("restated", "u1"), ("others", "i8"),
        ("use_table", "u1"), ("age", "u1"),
        ("preferred", "i8", (2,)),  # actions to try first at the root
        ("window_depth", "i8"),  # SMAB solves bound programs from this remaining depth upwards
        ("evaluate_ends", "u1"), ("killers", "u1"), ("history", "u1"), ("flip", "u1"), ("sort_rounds", "i8"), ("budgeted", "u1"),
        ("prune_margin", "f8"), ("distance", "f8"), ("scout", "u1"), ("reduction", "i8"),
        ("reply_reduction", "i8"), ("root_step", "i8"),
        ("grain", "i8"), ("costs", "i8", (actions * actions + 1,)), ("futility", "f8"), ("draw", "f8"), ("trust_deeper", "u1"),
        ("killer_actions", "i8", (plies, 2, 2)),
        ("history_scores", "i8", (2, actions)),
        ("actions", "i8", (plies, 2, actions)),
        ("probabilities", "f8", (plies, actions)),
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
    ]  # fmt: skip
    memory = np.zeros(1, np.dtype(fields, align=True))
    record = memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]
    record["low"], record["high"] = game.min_utility, game.max_utility
    record["worst"], record["best"] = game.min_utility, game.max_utility
    record["node_limit"] = np.iinfo(np.int64).max
    record["preferred"] = NO_ACTION
    record["grain"], record["costs"] = 1, 1  # a round is one unit of depth, unless depth counts choices
    return record


@jit_inline
def enter(ws):
    """Count a node; True where the search has to stop."""
    ws.nodes += 1
    if ws.nodes & _CLOCK_INTERVAL == 0 and ws.deadline != 0 and monotonic_ns() >= ws.deadline:
        ws.stop = 1
    if ws.nodes > ws.node_limit:
        ws.stop = 1
    return ws.stop != 0


@jit_inline
def ended(game, state, ws):
    """The result of a finished game."""
    ws.leaves += 1
    return game.returns(state)


@jit_inline
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


@jit_inline
def to_front(actions, count, action):
    """Move an action to the front of its list, the others keeping their order."""
    for k in range(1, count):
        if actions[k] == action:
            while k > 0:
                actions[k] = actions[k - 1]
                k -= 1
            actions[0] = action
            break


@jit_inline
def stage_actions(game, state, node, ply, ws):
    """Fill both players' action lists of a decision node; one who does not move has the single NO_ACTION."""
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
def solve_stage(matrix, m, n, ply, ws):
    """The value of a stage matrix; strategies go to the ply's x and y."""
    x, y = ws.x[ply], ws.y[ply]
    value, method = solve_at(ws.solver, matrix, m, n, x, y, ws.work)
    if method == SADDLE:
        ws.saddle_stages += 1
    elif method == CLOSED_FORM:
        ws.closed_form_stages += 1
    else:
        ws.lp_stages += 1
    return value


@jit_inline
def set_pure(ply, m, n, i, j, ws):
    """Pure strategies: row i, column j."""
    for k in range(m):
        ws.x[ply, k] = 0.0
    for k in range(n):
        ws.y[ply, k] = 0.0
    ws.x[ply, i] = 1.0
    ws.y[ply, j] = 1.0


@jit_inline
def stage_value(matrix, m, n, ws):
    """The value of a stage matrix whose strategies nobody needs."""
    return solve_at(ws.solver, matrix, m, n, ws.spare_x, ws.spare_y, ws.work)[0]
