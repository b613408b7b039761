"""What a solved game brings against a player who errs: among moves that all keep the value, some win more often than others.

Of each position two more values: what player 0, and what player 1, gets against another who takes every action alike from here on, where
it plays the move that gets most among those that keep the value for certain, or the equilibrium where none does.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import PLAIN_PYTHON, jit, jit_part, run, state_from_words, word_count
from ...game import CHANCE
from ...matrix import solve, work_size
from .lookup import place_of_key
from .solution import Solution
from .stages import list_choices
from .successors import ENDED, FITS, WITHIN, opened, write_successor

_MOST_EDGES = 200_000 if PLAIN_PYTHON else 10_000_000
"""Joint actions that are looked at, from the end of the game on: 2 s of a core. Positions beyond count with their value."""
_SAME = 1e-9
"""Values no further apart are the same."""


@jit_part
def fill_cells(game, state, actions, m, n, is_folded, packing, rows, worths, words, key, cells):
    """Write what each joint action leads to: the value, and the results where player 1, and where player 0, errs; whether all is known."""
    width, reals = rows.shape[1] - 1, rows.view(np.float64)
    for i in range(m):
        for j in range(n):
            fit, exchanged, score = write_successor(
                game, state, actions[0, i], actions[1, j], is_folded, -1, np.uint64(0), packing, width, words, key
            )
            if fit == ENDED:
                cells[0, i, j] = cells[1, i, j] = cells[2, i, j] = score
                continue
            row = place_of_key(rows, key, width) if fit == FITS else -1
            if row < 0:
                return False
            value = reals[row, width]
            if exchanged:
                cells[0, i, j], cells[1, i, j], cells[2, i, j] = score - value, score - worths[row, 1], score - worths[row, 0]
            else:
                cells[0, i, j], cells[1, i, j], cells[2, i, j] = score + value, score + worths[row, 0], score + worths[row, 1]
    return True


@jit_part
def worth_of_stage(cells, m, n, square, x, y, work):
    """What the stage is worth where player 1 errs, and where player 0 does."""
    low, high = -np.inf, np.inf
    for i in range(m):
        low = max(low, cells[0, i, :n].min())
    for j in range(n):
        high = min(high, cells[0, :m, j].max())
    if high - low <= _SAME:
        first, second = -np.inf, np.inf
        for i in range(m):
            if cells[0, i, :n].min() >= high - _SAME:
                first = max(first, cells[1, i, :n].mean())
        for j in range(n):
            if cells[0, :m, j].max() <= low + _SAME:
                second = min(second, cells[2, :m, j].mean())
        return first, second
    square[:m, :n] = cells[0, :m, :n]
    solve(square, m, n, x, y, work)
    first, second = 0.0, 0.0
    for i in range(m):
        first += x[i] * cells[1, i, :n].mean()
    for j in range(n):
        second += y[j] * cells[2, :m, j].mean()
    return first, second


@jit
def fill_worths(game, like, is_folded, packing, rows, sequence, most, worths, memory):
    """Fill `worths` for the positions in this sequence, the end of the game first, until so many joint actions were looked at."""
    actions, chances, words, key, cells, square, x, y, work = memory
    width, edges = rows.shape[1] - 1, 0
    inner, inner_chances = np.zeros_like(actions), np.zeros_like(chances)
    for row in sequence:
        if edges > most:
            return False
        state, node, m, n = opened(game, like, rows[row, :width], packing, words, actions, chances)
        edges += m * n
        if node != CHANCE:
            if not fill_cells(game, state, actions, m, n, is_folded, packing, rows, worths, words, key, cells):
                return False
            worths[row, 0], worths[row, 1] = worth_of_stage(cells, m, n, square, x, y, work)
            continue
        first, second = 0.0, 0.0
        for k in range(m):
            fit, exchanged, score = write_successor(
                game, state, actions[0, k], actions[1, 0], is_folded, -1, np.uint64(0), packing, width, words, key
            )
            one, other = 0.0, 0.0
            if fit == WITHIN:
                child = state_from_words(words, like)
                p, q = list_choices(game, child, np.int64(game.current_player(child)), inner[0], inner[1], inner_chances)
                edges += p * q
                if not fill_cells(game, child, inner, p, q, is_folded, packing, rows, worths, words, key, cells):
                    return False
                one, other = worth_of_stage(cells, p, q, square, x, y, work)
            elif fit != ENDED:
                after = place_of_key(rows, key, width) if fit == FITS else -1
                if after < 0:
                    return False
                one, other = worths[after, 0], worths[after, 1]
            first += chances[k] * (score - other if exchanged else score + one)
            second += chances[k] * (score - one if exchanged else score + other)
        worths[row, 0], worths[row, 1] = first, second
    return True


@jit
def fill_position(game, state, is_folded, packing, rows, worths, memory):
    """Fill the cells of a position in which somebody chooses; whether all is known."""
    actions, chances, words, key, cells, _, _, _, _ = memory
    m, n = list_choices(game, state, np.int64(game.current_player(state)), actions[0], actions[1], chances)
    return fill_cells(game, state, actions, m, n, is_folded, packing, rows, worths, words, key, cells)


class Erring:
    """Of a solved game that ends by its rules, which of the moves that keep the value get most against a player who errs."""

    def __init__(self, solution: Solution) -> None:
        self._solution, game = solution, solution.game
        choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
        words = word_count(solution.root)
        self._memory = (
            np.zeros((2, choices), np.int64), np.zeros(choices), np.zeros(words, np.uint64), np.zeros(words, np.uint64),
            np.zeros((3, choices, choices)), np.zeros((choices, choices)), np.zeros(choices), np.zeros(choices),
            np.zeros(work_size(choices + 1, choices + 1)),
        )  # fmt: skip
        self._worths: NDArray[np.float64] = np.stack((solution.values, solution.values), axis=1)
        sequence = np.empty(len(solution), np.int64)
        sequence[solution.order] = np.arange(len(solution))
        run(fill_worths, game, solution.root, *self._known, solution.rows, sequence, _MOST_EDGES, self._worths, self._memory)

    @property
    def _known(self) -> tuple[Any, ...]:
        return self._solution.is_folded, self._solution.packing.arrays

    def warm(self) -> None:
        """Compile, or load from disk, all that asking for a position may need: before a clock runs."""
        solution = self._solution
        run(fill_position, solution.game, solution.root, *self._known, solution.rows, self._worths, self._memory)

    def better(self, state: Any, player: int, mixture: dict[int, float]) -> dict[int, float]:
        """An equilibrium's mixture, or an action that keeps the value whatever the other does, if that gets more against one who errs."""
        solution = self._solution
        if not run(fill_position, solution.game, state, *self._known, solution.rows, self._worths, self._memory):
            return mixture
        cells, other = self._memory[4], 1 - player
        sizes = [len(solution.game.legal_actions(state, one)) or 1 for one in (0, 1)]
        sign = 1.0 if player == 0 else -1.0
        values, worths = (sign * cells[k, : sizes[0], : sizes[1]] for k in (0, 1 + player))
        least, mean = values.min(axis=other), worths.mean(axis=other)
        value = float(np.max(least))
        if values.max(axis=player).min() - value > _SAME:  # only a mixture keeps the value
            return mixture
        mean = np.where(least >= value - _SAME, mean, -np.inf)
        place = int(mean.argmax())
        known = sum(weight * mean[k] for k, weight in enumerate(mixture.values()) if weight > 0)
        return mixture if mean[place] <= known + _SAME else {action: float(k == place) for k, action in enumerate(mixture)}
