"""A game as a graph in arrays: every position that can come about once, and where each joint action leads. Methods that pass over
all positions again and again need the rules no more: what goes over it is compiled once for all games.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.algorithm import UnsupportedGameError, check_numbers
from ..algorithms.simultaneous.solver_address import solve_at
from ..boards.limits import LISTEN_AT, listened
from ..compiled import borrowed, jit, jit_part, put_words, state_from_words, word_count
from ..compiled.call import run
from ..game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ..matrix import best_response_column, best_response_row
from ..solvers.general.induction import named, new_memory
from ..solvers.general.packing import Packing, fold
from ..solvers.general.positions import row_with
from ..solvers.general.reached import enumerate_positions
from ..solvers.general.successors import (
    ENDED,
    KNOWN,
    borrowed_packing,
    fill_stage,
    list_choices,
    look_up_value,
    read_position,
    write_successor,
)

ROWS, COLUMNS, CELLS = range(3)
"""The columns of `starts`: player 0's actions (or chance's outcomes), player 1's actions, joint actions."""


@jit
def measure(game, like, rows, count, width, packing, arrays, nodes, sizes):
    """Fill in the node kind of each position, and the rows, columns and cells of its stage."""
    memory, packing = named(arrays), borrowed_packing(packing)
    rows, nodes, sizes = borrowed(rows), borrowed(nodes), borrowed(sizes)
    listen = np.int64(0)
    for index in range(count):
        if index & LISTEN_AT == 0:
            listen, is_over = listened(listen)
            if is_over:
                break
        _, node, m, n = read_position(
            game, like, rows[index * (width + 1) :], packing, memory.words[0], memory.actions[0], memory.x
        )
        nodes[index] = node
        sizes[index, ROWS], sizes[index, COLUMNS], sizes[index, CELLS] = m, n, m * n


@jit
def link(
    game,
    like,
    rows,
    count,
    width,
    slots,
    packing,
    arrays,
    starts,
    actions0,
    actions1,
    chances,
    children,
    scores,
    words,
):
    """Fill each position's words and actions, and the position (or -1) and the score after each joint action."""
    memory, packing = named(arrays), borrowed_packing(packing)
    rows, slots, starts, children, scores = (
        borrowed(rows),
        borrowed(slots),
        borrowed(starts),
        borrowed(children),
        borrowed(scores),
    )
    actions, own, key = memory.actions[0], memory.words, memory.key
    listen = np.int64(0)
    for index in range(count):
        if index & LISTEN_AT == 0:
            listen, is_over = listened(listen)
            if is_over:
                break
        state, node, m, n = read_position(
            game, like, rows[index * (width + 1) :], packing, own[0], actions, memory.x
        )
        for k in range(len(own[0])):
            words[index, k] = own[0, k]
        row, column, cell = starts[index, ROWS], starts[index, COLUMNS], starts[index, CELLS]
        for i in range(m):
            actions0[row + i] = actions[0, i]
            chances[row + i] = memory.x[i] if node == CHANCE else 0.0
            for j in range(n):
                actions1[column + j] = actions[1, j]
                fit, _, score = write_successor(
                    game, state, actions[0, i], actions[1, j], False, -1, 0, packing, width, own[1], key
                )
                children[cell] = -1 if fit == ENDED else row_with(key, width, rows, slots)
                scores[cell] = score
                cell += 1


def measured(
    game: Game, like: Any, rows: Any, count: int, packing: Packing, memory: Any
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The node kind of each packed position, and its rows, columns and cells; shapes (count,) and (count, 3)."""
    nodes, sizes = np.zeros(count, np.int64), np.zeros((count, 3), np.int64)
    run(measure, game, like, rows, count, packing.width, packing.arrays, memory, nodes, sizes)
    return nodes, sizes


@dataclass(frozen=True)
class GameGraph:
    """Positions are numbered so that what follows one has a smaller number; the last is the start.

    starts: shape (positions + 1, 3), where each one's rows, columns and cells begin in the arrays below; the cell of row i and
    column j of a position with n columns is the one i * n + j further.
    """

    game: Game
    root: Any
    nodes: NDArray[np.int64]
    """Who moves: 0, 1, CHANCE or SIMULTANEOUS; shape (positions,)."""
    starts: NDArray[np.int64]
    actions: tuple[NDArray[np.int64], NDArray[np.int64]]
    """Each player's actions, NO_ACTION for one that does not move; chance's outcomes as player 0's."""
    chances: NDArray[np.float64]
    """The probabilities of chance's outcomes, beside `actions[0]`; 0 elsewhere."""
    children: NDArray[np.int32]
    """The position after each cell, -1 where the game is over."""
    scores: NDArray[np.float64]
    """The result of a cell where the game is over, for player 0."""
    words: NDArray[np.uint64]
    """Each position as machine words; shape (positions, words)."""

    def __len__(self) -> int:
        return len(self.nodes)

    def state(self, position: int) -> Any:
        """A position as a state of the game."""
        return state_from_words(self.words[position], self.root)


def graph_of(game: Game, state: Any = None) -> GameGraph:
    """The graph of all positions that can come about from `state`, by default from the start.

    Raises UnsupportedGameError for a game whose positions come back, and ValueError where it is over.
    """
    check_numbers(game)
    if game.clock:
        raise UnsupportedGameError(f"positions of {game!r} come back: its graph has no end")
    root = game.initial_state() if state is None else state
    if game.current_player(root) == TERMINAL:
        raise ValueError("the game is over in this position")
    found = enumerate_positions(game, root)
    like, count, packing = found.root, len(found), found.packing
    memory = new_memory(game, len(packing.base))
    nodes, sizes = measured(game, like, found.rows, count, packing, memory)
    starts = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(sizes, axis=0)])
    own = [np.zeros(int(starts[-1, side]), np.int64) for side in (ROWS, COLUMNS)]
    chances, cells = np.zeros(len(own[0])), int(starts[-1, CELLS])
    children, scores, words = (
        np.zeros(cells, np.int32),
        np.zeros(cells),
        np.zeros((count, len(packing.base)), np.uint64),
    )
    run(
        link,
        game,
        like,
        found.rows,
        count,
        packing.width,
        found.slots,
        packing.arrays,
        memory,
        starts,
        own[0],
        own[1],
        chances,
        children,
        scores,
        words,
    )
    return GameGraph(game, like, nodes, starts, (own[0], own[1]), chances, children, scores, words)


# The compiled passes over all positions: what policies play, and what that is worth.
#
# Positions are rows of packed words in which successors come first. A pass does those from `first` up to `last`, so that Ctrl-C is heard
# in between. `like` is any state of the game, `arrays` the memory of `induction.new_memory`.

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
    """(position, whether it is known) whose actions a folded solution plays here one for one.

    Not known for images.
    """
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
    others,
    cells,
    unknown,
):
    """Let the equilibrium of a solution be played; `unknown` is set for positions that are to be asked for in Python.

    known_packing, known_rows: those of the solution. others: none, as of `look_up_value`. cells: as of `fill_stage`.
    """
    memory, packing, rows = named(arrays), borrowed_packing(packing), borrowed(rows)
    splits, starts, weights = borrowed(splits), borrowed(starts), borrowed(weights)
    actions, words, table = memory.actions[0], memory.words, (known_rows, known_rows.view(np.float64), others)
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
    both, side = 0.0, max(m, n)
    for j in range(n):
        for i in range(m):
            both += x[i] * y[j] * cells[BOTH, i * side + j]
    against_first = cells[AGAINST_FIRST, : side * side].reshape((side, side))
    against_second = cells[AGAINST_SECOND, : side * side].reshape((side, side))
    found[BOTH] = both
    found[AGAINST_FIRST] = best_response_column(against_first, m, n, x)[0]
    found[AGAINST_SECOND] = best_response_row(against_second, m, n, y)[0]


@jit_part
def look_up_worth(fit, key, table):
    """The values of a successor in the three evaluations; all of them are there."""
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
