"""A stage: the matrix game of one position, in arrays of the workspace that every ply has of its own."""

from typing import Any

from ...compiled import jit_inline, jit_part
from ...game import NO_ACTION, SIMULTANEOUS, Game
from ...matrix import CLOSED_FORM, SADDLE, work_size
from ..table import SAMPLED
from ..workspace import new_record, room_for_actions, room_for_outcomes, room_for_plies
from .solver_address import solve_at, solver_address


def new_stage_workspace(game: Game, algorithm: Any, *own: Any) -> Any:
    """A zeroed record for searches of this game; fields and shapes below (actions, outcomes of chance, plies), and an algorithm's own."""
    actions, outcomes, plies = room_for_actions(game), room_for_outcomes(game), room_for_plies(game)
    record = new_record(game, algorithm, [
        *own,
        ("solver", "i8"), ("window_solver", "i8"),  # addresses of compiled functions
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
        ("buckets", "u1"),  # whether the table is used in buckets, and of a sample of positions how often they were solved
        ("sampled", "u8", (SAMPLED,)), ("solved_once", "i8"), ("solved_again", "i8"),
    ])  # fmt: skip
    if algorithm.solves_stages:
        record["solver"] = solver_address()
    record["use_table"] = algorithm.uses_table
    return record


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
    """The value of a stage matrix whose strategies nobody needs."""
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
    for i in range(count0 - 1, -1, -1):  # from the back: an index never lies before its place in the restriction
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
