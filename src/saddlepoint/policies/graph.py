"""A game as a graph in arrays: every position that can come about once, and where each joint action leads. Methods that pass over
all positions again and again need the rules no more: what goes over it is compiled once for all games.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.algorithm import UnsupportedGameError
from ..boards.limits import LISTEN_AT, listened
from ..compiled import borrowed, jit, state_from_words
from ..compiled.call import run
from ..game.base import CHANCE, TERMINAL, Game
from ..solvers.general.induction import named, new_memory
from ..solvers.general.packing import Packing
from ..solvers.general.positions import row_with, slots_of
from ..solvers.general.solution import Solution
from ..solvers.general.solve import solve_positions
from ..solvers.general.successors import ENDED, borrowed_packing, read_position, write_successor

ROWS, COLUMNS, CELLS = range(3)
"""What `starts` counts: player 0's actions (or chance's outcomes), player 1's actions, joint actions."""


@jit
def measure(game, like, rows, count, width, packing, arrays, nodes, sizes):
    """Fill who moves in each position, and the rows, columns and cells of its stage."""
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
    """Who moves in each of the packed positions, and its rows, columns and cells; shapes (count,) and (count, 3)."""
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
    """Each player's actions, NO_ACTION for one who does not move; chance's outcomes as player 0's."""
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
    if game.clock:
        raise UnsupportedGameError(f"positions of {game!r} come back: its graph has no end")
    root = game.initial_state() if state is None else state
    if game.current_player(root) == TERMINAL:
        raise ValueError("the game is over in this position")
    like, count, rows, slots, packing = _positions(game, root)
    width, memory = packing.width, new_memory(game, len(packing.base))
    nodes, sizes = measured(game, like, rows, count, packing, memory)
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
        rows,
        count,
        width,
        slots,
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


def _positions(game: Game, root: Any) -> tuple[Any, int, NDArray[np.uint64], NDArray[np.uint32], Any]:
    """(the start, how many there are, packed positions with what follows each before it, slots that find them, packing)."""
    solution = Solution.of(solve_positions(game, root))
    rows = solution.rows_as_solved()
    return solution.root, len(rows), rows.reshape(-1), slots_of(rows), solution.packing
