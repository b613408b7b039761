"""The compiled passes over all positions: how many choices there are, what policies play, and what that is worth.

Positions are rows of packed words in which successors come first (`solvers.general.enumeration`). A pass does those from `first` up to
`last`, so that Ctrl-C is heard in between. `like` is any state of the game, `arrays` the memory of `induction.new_memory`.
"""

import math

import numpy as np

from ..algorithms.simultaneous.solver_address import solve_at
from ..compiled import borrowed, jit, jit_part, put_words, word_count
from ..game.base import CHANCE, NO_ACTION
from ..solvers.general.induction import named
from ..solvers.general.packing import fold
from ..solvers.general.positions import row_with
from ..solvers.general.successors import (
    KNOWN,
    borrowed_packing,
    fill_stage,
    list_choices,
    look_up_value,
    read_position,
)

BOTH, AGAINST_FIRST, AGAINST_SECOND = range(3)
"""What a position is worth to player 0: both policies played, player 1 responding best to player 0's, player 0 responding best to 1's."""


@jit
def fill_uniform(
    game, like, only_searched, rows, first, last, width, packing, arrays, splits, starts, weights
):
    """Let all legal actions be played alike, or all that `search_actions` names."""
    memory, packing, rows = named(arrays), borrowed_packing(packing), borrowed(rows)
    splits, starts, weights = borrowed(splits), borrowed(starts), borrowed(weights)
    actions, named_actions = memory.actions[0], memory.actions[1, 0]
    for index in range(first, last):
        state, node, m, n = read_position(
            game, like, rows[index * (width + 1) :], packing, memory.words[0], actions, memory.x
        )
        if node == CHANCE:
            continue
        for player in range(2):
            begin, count = (starts[index], m) if player == 0 else (splits[index], n)
            if only_searched and actions[player, 0] != NO_ACTION:
                few = game.search_actions(state, player, named_actions)
                for k in range(count):
                    weights[begin + k] = 0.0
                    for other in range(few):
                        if named_actions[other] == actions[player, k]:
                            weights[begin + k] = 1.0 / few
            else:
                for k in range(count):
                    weights[begin + k] = 1.0 / count


@jit_part
def same_words(one, other, words):
    """Whether two positions are the same."""
    put_words(one, words[0])
    put_words(other, words[1])
    different = 0
    for k in range(word_count(one)):
        different += words[0, k] != words[1, k]
    return different == 0


@jit_part
def asked_as(game, state, words):
    """(position, whether that is known): whose actions, one for one, a folded solution plays here as its own; not known of images."""
    bare, _ = game.without_score(state)
    plain = game.relabelled(bare)
    kept, _, _ = fold(game, state)
    if not same_words(plain, kept, words):
        return state, False
    if same_words(plain, bare, words):
        return state, True
    return plain, True


@jit
def fill_equilibria(
    game,
    like,
    is_folded,
    rows,
    first,
    last,
    width,
    packing,
    arrays,
    splits,
    starts,
    weights,
    solver,
    known_packing,
    known_rows,
    cells,
    unknown,
):
    """Let the equilibrium of a solution be played; `unknown` is set for positions that are to be asked for in Python.

    known_packing, known_rows: those of the solution. cells: as of `fill_stage`.
    """
    memory, packing, rows = named(arrays), borrowed_packing(packing), borrowed(rows)
    splits, starts, weights = borrowed(splits), borrowed(starts), borrowed(weights)
    actions, words, table = memory.actions[0], memory.words, (known_rows, known_rows.view(np.float64))
    form = is_folded, -1, np.uint64(0), known_packing, known_rows.shape[1] - 1
    for index in range(first, last):
        state, node, m, n = read_position(
            game, like, rows[index * (width + 1) :], packing, words[0], actions, memory.x
        )
        if node == CHANCE:
            continue
        if is_folded:
            state, is_known = asked_as(game, state, words[1:])
            if not is_known:
                unknown[index] = 1
                continue
            list_choices(game, state, node, actions[0], actions[1], memory.x)
        why, _, _ = fill_stage(
            game, state, node, m, n, actions, form, words[1], memory.key, look_up_value, table, cells
        )
        if why != KNOWN:
            unknown[index] = 1
            continue
        side = max(m, n)
        stage = cells[0, : side * side].reshape((side, side))
        solve_at(solver, stage, m, n, memory.x, memory.y, memory.work)
        for i in range(m):
            weights[starts[index] + i] = memory.x[i]
        for j in range(n):
            weights[splits[index] + j] = memory.y[j]


@jit_part
def policy_bounds(node, cells, m, n, x, y, found):
    """Write what a stage is worth in the three ways, by what its successors are (`fill_stage`), x and y being played."""
    if node == CHANCE:
        for way in range(3):
            found[way] = 0.0
            for i in range(m):
                found[way] += x[i] * cells[way, i]
        return
    both, least, most, side = 0.0, math.inf, -math.inf, max(m, n)
    for j in range(n):
        reply = 0.0
        for i in range(m):
            both += x[i] * y[j] * cells[BOTH, i * side + j]
            reply += x[i] * cells[AGAINST_FIRST, i * side + j]
        least = min(least, reply)
    for i in range(m):
        reply = 0.0
        for j in range(n):
            reply += y[j] * cells[AGAINST_SECOND, i * side + j]
        most = max(most, reply)
    found[BOTH], found[AGAINST_FIRST], found[AGAINST_SECOND] = both, least, most


@jit_part
def look_up_worth(fit, key, table):
    """What a successor is worth in the three ways; all of them are there."""
    rows, slots, width, found = table
    row = row_with(key, width, rows, slots)
    return np.int64(KNOWN), 0.0, found[row, BOTH], found[row, AGAINST_FIRST], found[row, AGAINST_SECOND]


@jit
def evaluate(
    game, like, rows, first, last, width, slots, packing, arrays, splits, starts, weights, cells, found
):
    """Fill `found` (positions, 3), what each position is worth in the three ways, those before it being filled."""
    memory, packing = named(arrays), borrowed_packing(packing)
    rows, slots, weights, starts, splits = (
        borrowed(rows),
        borrowed(slots),
        borrowed(weights),
        borrowed(starts),
        borrowed(splits),
    )
    cells, found = borrowed(cells), borrowed(found)
    actions, words, key = memory.actions[0], memory.words, memory.key
    form, table = (False, -1, np.uint64(0), packing, width), (rows, slots, width, found)
    for index in range(first, last):
        state, node, m, n = read_position(
            game, like, rows[index * (width + 1) :], packing, words[0], actions, memory.x
        )
        fill_stage(game, state, node, m, n, actions, form, words[1], key, look_up_worth, table, cells)
        x = memory.x if node == CHANCE else weights[starts[index] : splits[index]]
        policy_bounds(node, cells, m, n, x, weights[splits[index] : starts[index + 1]], found[index])
