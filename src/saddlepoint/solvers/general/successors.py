"""The stage of one position, and the one walk over what follows from it, as every solver takes it: its choices, the key of each
successor that is kept, and what a look-up knows of that."""

import math
from typing import Any

import numpy as np

from ...algorithms.simultaneous.solver_address import solve_at
from ...algorithms.simultaneous.stage import count_stage
from ...compiled import borrowed, jit, jit_part, put_words, state_from_words, word_count
from ...compiled.states import as_machine_words
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game, GameError
from .packing import fold, pack, unpack


def without_clock(game: Game, state: Any) -> Any:
    """The state with its clock as in the start; raises GameError for a clock that is no whole number of the state."""
    if not game.clock:
        return as_machine_words(state)
    start = game.initial_state()
    if not isinstance(getattr(start, game.clock, None), (int, np.integer)):
        raise GameError(
            f"clock must name a whole number of {type(start).__name__}, one of its fields, not {game.clock!r}"
        )
    return as_machine_words(state._replace(**{game.clock: getattr(start, game.clock)}))


def clock_word(game: Game, state: Any) -> int:
    """Which of the state's words (`compiled.put_words`) is the clock; -1 for a game without one."""
    if not game.clock:
        return -1
    words = np.zeros((2, word_count(state)), np.uint64)
    for row, value in zip(words, (0, 1), strict=True):
        put_words(state._replace(**{game.clock: type(getattr(state, game.clock))(value)}), row)
    return int(np.flatnonzero(words[0] != words[1])[0])


# The stage of one position: who chooses what there, and what its matrix of values is worth.


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


# The one walk over what follows from a position, as every solver takes it: its choices, and the key of each successor that is kept.

FITS, ENDED, WITHIN = -1, -2, -3
"""Of a successor: its key is written; or it is over, or decided; or it is solved within the position before it, and not kept; else
which of its words does not fit into the packing."""


@jit_part
def borrowed_packing(packing):
    """A packing's arrays without reference counts."""
    return borrowed(packing[0]), borrowed(packing[1]), borrowed(packing[2]), borrowed(packing[3])


@jit_part
def read_position(game, like, key, packing, words, actions, chances):
    """(the position with this key, its node kind, rows, columns).

    The actions, or chance's outcomes, are written.
    """
    base, mask, place, shift = packing
    unpack(key, word_count(like), base, mask, place, shift, words)
    state = state_from_words(words, like)
    node = np.int64(game.current_player(state))
    m, n = list_choices(game, state, node, actions[0], actions[1], chances)
    return state, node, m, n


@jit_part
def write_successor(game, state, action0, action1, is_folded, clock, start, packing, width, words, key):
    """Write the words and the key of a joint action's successor.

    Returns (FITS, ENDED or the word, whether the players are exchanged, score).

    Its value is the score plus the value kept under the key, or the score less that where the players are
    exchanged; ended, its result is the score. Folded, one whose bounds are equal counts as ended: whatever is
    played, it is worth that. A choice that follows a position of chance, in a game that says so
    (`chance_is_told`), has no key: it is WITHIN. `clock` is the word that is always `start`, or -1.
    """
    if is_folded and game.has_bounds:
        is_decided, value = decided_after(game, state, action0, action1)
        if is_decided:
            return np.int64(ENDED), False, value
    return write_undecided(game, state, action0, action1, is_folded, clock, start, packing, width, words, key)


@jit_part
def decided_after(game, state, action0, action1):
    """(whether the bounds of what follows a joint action are equal, what it is worth then)."""
    child = game.successor(state, action0, action1)
    if game.current_player(child) == TERMINAL:
        return False, 0.0
    low, high = game.bounds(child)
    return low == high, float(low)


@jit_part
def after(game, state, action0, action1, clock, start, words):
    """What follows a joint action; the word `clock` of it is always `start` (-1: no word), `words` is memory for that."""
    child = game.successor(state, action0, action1)
    if clock >= 0:
        put_words(child, words)
        words[clock] = start
        child = state_from_words(words, state)
    return child


@jit_part
def write_undecided(game, state, action0, action1, is_folded, clock, start, packing, width, words, key):
    """The same where it is not decided; for a walk that looks for it first, since most successors are there, and asks then."""
    child = after(game, state, action0, action1, clock, start, words)
    if game.current_player(child) == TERMINAL:
        return np.int64(ENDED), False, float(game.returns(child))
    exchanged, score = False, 0.0
    if is_folded:
        child, exchanged, score = fold(game, child)
        if game.has_chance and game.chance_is_told:
            if game.current_player(state) == CHANCE and game.current_player(child) != CHANCE:
                put_words(child, words)
                return np.int64(WITHIN), exchanged, score
    put_words(child, words)
    base, mask, place, shift = packing
    return np.int64(pack(words, word_count(child), base, mask, place, shift, width, key)), exchanged, score


# What a position's joint actions lead to, as every pass over known positions finds it: which these are, `look_up` says.

KNOWN, BROKEN = -1, -2
"""Of a successor: what it is worth is known; or it is another one than there may be. What else there is a look-up says itself."""


@jit_part
def fill_stage(game, state, node, m, n, actions, form, words, key, look_up, table, cells):
    """Write the value of each joint action's successor: (KNOWN or why not, the greatest height, the number of
    ended ones).

    form: (whether positions are folded, the clock's word or -1, that word's constant value, packing, its
    width). look_up(fit, key, table): (KNOWN or why not, height, value, low, high) of a successor whose key is
    written if `fit` is FITS.
    cells: shape (3 or more, cells of a stage): values, lows and highs, as `shape_of` says where they lie.
    """
    if m < 1 or n < 1:
        return np.int64(BROKEN), 0.0, 0
    is_folded, clock, start, packing, width = form
    (_, side), height, ends = shape_of(node, m, n), 0.0, 0
    for i in range(m):
        for j in range(n):
            at = i * side + j
            fit, exchanged, score = write_successor(
                game, state, actions[0, i], actions[1, j], is_folded, clock, start, packing, width, words, key
            )
            if fit == ENDED:
                cells[0, at] = cells[1, at] = cells[2, at] = score
                ends += 1
                continue
            why, above, value, low, high = look_up(fit, key, table)
            if why != KNOWN:
                return why, height, ends
            if exchanged:
                value, low, high = -value, -high, -low
            cells[0, at], cells[1, at], cells[2, at] = score + value, score + low, score + high
            height = max(height, above)
    return np.int64(KNOWN), height, ends


@jit_part
def fill_position(game, like, position, form, look_up, table, solve, solver, memory, inner, cells):
    """As `fill_stage`, and the joint actions of the choices that are solved within a position of chance (`chance_is_told`).

    position: as `read_position` returns it. Its actions, or chance's outcomes, are in `memory.actions[0]`; `inner` is memory for the
    choices. solve(node, m, n, cells, solver, memory): (value, low, high) of such a choice, whose cells are written. cells: two times
    those of `fill_stage`.
    """
    state, node, m, n = position
    actions, words, key, is_folded = memory.actions[0], memory.words[1], memory.key, form[0]
    if not (is_folded and game.has_chance and game.chance_is_told and node == CHANCE):
        why, height, ends = fill_stage(
            game, state, node, m, n, actions, form, words, key, look_up, table, cells[0]
        )
        return why, height, ends, 0
    height, ends, edges = 0.0, 0, 0
    for i in range(m):
        fit, exchanged, score = write_successor(
            game,
            state,
            actions[0, i],
            actions[1, 0],
            is_folded,
            form[1],
            form[2],
            form[3],
            form[4],
            words,
            key,
        )
        why, above, value, low, high = np.int64(KNOWN), 0.0, 0.0, 0.0, 0.0
        if fit == ENDED:
            ends += 1
        elif fit == WITHIN:
            own, choice = inner.actions[0], state_from_words(words, like)
            player = np.int64(game.current_player(choice))
            rows, columns = list_choices(game, choice, player, own[0], own[1], inner.x)
            why, above, over = fill_stage(
                game, choice, player, rows, columns, own, form, words, key, look_up, table, cells[1]
            )
            if why == KNOWN:
                value, low, high = solve(player, rows, columns, cells[1], solver, inner)
            above, ends, edges = above + 1.0, ends + over, edges + rows * columns
        else:
            why, above, value, low, high = look_up(fit, key, table)
        if why != KNOWN:
            return why, height, ends, edges
        if exchanged:
            value, low, high = -value, -high, -low
        cells[0, 0, i], cells[0, 1, i], cells[0, 2, i] = score + value, score + low, score + high
        height = max(height, above)
    return np.int64(KNOWN), height, ends, edges


@jit_part
def leave_unsolved(node, m, n, cells, solver, memory):
    """No value: for passes that look for positions alone."""
    return 0.0, 0.0, 0.0


# The values after all moves of a solved position, looked up in compiled code: a stage may have thousands of cells.


@jit_part
def place_of_key(rows, key, width):
    """Which of sorted rows has this key, or -1."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) >> 1
        is_less = False
        for k in range(width):
            if rows[middle, k] != key[k]:
                is_less = rows[middle, k] < key[k]
                break
        if is_less:
            low = middle + 1
        else:
            high = middle
    if low == len(rows):
        return -1
    for k in range(width):
        if rows[low, k] != key[k]:
            return -1
    return low


@jit_part
def look_up_value(fit, key, table):
    """The value of a kept successor, and what it is worth in two other ways; BROKEN where there is none.

    table: sorted rows, the same as floats, and the other two numbers, shape (rows, 2), or (0, 2) where they are not wanted.
    """
    rows, reals, others = table
    width = rows.shape[1] - 1
    row = place_of_key(rows, key, width) if fit == FITS else -1
    if row < 0:
        return np.int64(BROKEN), 0.0, 0.0, 0.0, 0.0
    first, second = (others[row, 0], others[row, 1]) if len(others) > 0 else (0.0, 0.0)
    return np.int64(KNOWN), 0.0, reals[row, width], first, second


@jit
def fill_matrix(game, state, actions, m, n, is_folded, clock, start, packing, rows, others, memory, cells):
    """Write the values after each joint action to `cells`, as `fill_stage` does; whether all of them are known.

    actions: shape (2, any), both players', or chance's outcomes and no action. clock: the state's word that is always `start`, or -1.
    packing, rows: those of the solution; others: as of `look_up_value`. memory: a state's words and a key.
    """
    node, form = np.int64(game.current_player(state)), (is_folded, clock, start, packing, rows.shape[1] - 1)
    table = rows, rows.view(np.float64), others
    why, _, _ = fill_stage(
        game, state, node, m, n, actions, form, memory[0], memory[1], look_up_value, table, cells
    )
    return why == KNOWN
