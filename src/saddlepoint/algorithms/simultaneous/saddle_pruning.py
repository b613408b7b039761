"""Backward induction that stops a stage as soon as a pure saddle point is confirmed.

A cell that is the least of its row and the greatest of its column is the stage's value whatever the cells not in that
row or column are worth, so cells are evaluated in the order that confirms a candidate soonest.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from ...compiled import Component, kernel, run
from ..algorithm import Memory
from .backward_induction import backward_induction
from .stage_algorithm import StageAlgorithm


@dataclass(frozen=True)
class SaddleFirst(Component):
    """The cells of a stage in the order that confirms a saddle point soonest."""

    evaluate_ends: bool = False

    salt: ClassVar[int] = 12

    @kernel
    def next_cell(self, cells, known, m, n, i, j, done, low, high):
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


@dataclass(frozen=True)
class SaddlePruning(StageAlgorithm):
    """Backward induction with early confirmation of pure saddle points.

    With `evaluate_ends` a finished game is worth what the evaluator says, as riders_nash has it: a win by a larger
    territory counts for more, and nothing is ever exact.
    """

    table: bool | None = None
    evaluate_ends: bool = False

    name: ClassVar[str] = "saddle"

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        order, table = SaddleFirst(self.evaluate_ends), self.table_in(memory, game)
        return run(backward_induction, game, self.leaf, order, state, depth, 0, ws, table)
