"""Passes over all positions of a stochastic game: values after one more move, and what strategies guarantee against any reply.

All go from the last position found to the first and use what they have just written (Gauss-Seidel), as what follows a position is
mostly found after it. `x` holds a number for each position and, behind them, the results of ended games.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algorithms.simultaneous.solver_address import solve_at, solver_addresses
from ...compiled import borrowed, jit, jit_part
from ...compiled.call import run
from ...matrix import work_size
from .graph import Graph

NONE, RISING, FALLING = 0, 1, -1
"""Which changes of a value are written."""
_SLICE = 100_000
"""Positions between two moments in which Ctrl-C is heard."""


class Mixtures(NamedTuple):
    """Both players' strategies: probabilities by position, from `first[k]` on, row's and column's."""

    x: NDArray[np.float64]
    x_first: NDArray[np.int64]
    y: NDArray[np.float64]
    y_first: NDArray[np.int64]


def no_mixtures(graph: Graph) -> Mixtures:
    """Room for strategies."""
    chosen = graph.kinds == 0
    m, n = np.where(chosen, graph.rows, 0), np.where(chosen, graph.columns, 0)
    return Mixtures(
        np.zeros(int(m.sum())), np.concatenate([[0], np.cumsum(m, dtype=np.int64)[:-1]]), np.zeros(int(n.sum())),
        np.concatenate([[0], np.cumsum(n, dtype=np.int64)[:-1]]),
    )  # fmt: skip


@jit_part
def expected(index, arrays, x):
    """What chance is worth at a position."""
    _, rows, _, starts, children, weights, weights_from = arrays
    value = 0.0
    for i in range(rows[index]):
        value += weights[weights_from[index] + i] * x[children[starts[index] + i]]
    return value


@jit_part
def named_arrays(arrays):
    """The graph's arrays without reference counts."""
    return (
        borrowed(arrays[0]), borrowed(arrays[1]), borrowed(arrays[2]), borrowed(arrays[3]), borrowed(arrays[4]), borrowed(arrays[5]),
        borrowed(arrays[6]),
    )  # fmt: skip


@jit_part
def drop_small(mixture, count, least):
    """Leave out probabilities below `least`, and share what they had among the others."""
    total = 0.0
    for k in range(count):
        if mixture[k] < least:
            mixture[k] = 0.0
        total += mixture[k]
    for k in range(count):
        mixture[k] /= total


@jit
def improve(arrays, first, last, x, discount, change, keep, least, mixtures, solver, memory):
    """Solve the stages from position `last` - 1 down to `first` by the values `x`; returns by how much they change at most.

    `change` says which changes are written to `x`; with `keep` the strategies go to `mixtures`,
    without probabilities below `least`.
    """
    arrays = named_arrays(arrays)
    kinds, rows, columns, starts, children = arrays[0], arrays[1], arrays[2], arrays[3], arrays[4]
    cells, row, column, work = memory
    most = 0.0
    for index in range(last - 1, first - 1, -1):
        if kinds[index] == 1:
            value = expected(index, arrays, x)
        else:
            m, n, at = int(rows[index]), int(columns[index]), starts[index]
            side = max(m, n)
            for i in range(m):
                for j in range(n):
                    cells[i * side + j] = x[children[at + i * n + j]]
            value = discount * solve_at(solver, cells[: side * side].reshape((side, side)), m, n, row, column, work)[0]
            if keep:
                drop_small(row, m, least)
                drop_small(column, n, least)
                for i in range(m):
                    mixtures[0][mixtures[1][index] + i] = row[i]
                for j in range(n):
                    mixtures[2][mixtures[3][index] + j] = column[j]
        before = x[index]
        most = max(most, abs(value - before))
        if change == RISING:
            x[index] = max(value, before)
        elif change == FALLING:
            x[index] = min(value, before)
    return most


@jit
def reply(arrays, first, last, bound, discount, sign, lasting, margin, mixtures):
    """Lower `sign` times `bound` where the other's best reply gets more; returns the largest change.

    The strategies of player 0 (sign 1) or player 1 (sign -1) are kept. What is better than nothing is worth less after each move:
    `lasting` of itself, and `margin` less than that.
    """
    arrays = named_arrays(arrays)
    kinds, rows, columns, starts, children = arrays[0], arrays[1], arrays[2], arrays[3], arrays[4]
    most = 0.0
    for index in range(last - 1, first - 1, -1):
        if kinds[index] == 1:
            value = sign * expected(index, arrays, bound)
        else:
            m, n, at = np.int64(rows[index]), np.int64(columns[index]), starts[index]
            value = np.inf
            for k in range(n if sign > 0 else m):
                found = 0.0
                for l in range(m if sign > 0 else n):  # noqa: E741
                    if sign > 0:
                        found += mixtures[0][mixtures[1][index] + l] * bound[children[at + l * n + k]]
                    else:
                        found -= mixtures[2][mixtures[3][index] + l] * bound[children[at + k * n + l]]
                value = min(value, found)
            value *= discount
        if value > 0.0:
            value = max(value * lasting - margin, 0.0)
        if value < sign * bound[index]:
            most = max(most, sign * bound[index] - value)
            bound[index] = sign * value
    return most


@jit
def best_replies(arrays, x, mixtures, least):
    """Give player 0 a best reply to player 1's strategy where it gets `least` more than his own; returns for how many positions."""
    arrays = named_arrays(arrays)
    kinds, rows, columns, starts, children = arrays[0], arrays[1], arrays[2], arrays[3], arrays[4]
    changed = 0
    for index in range(len(kinds)):
        if kinds[index] == 1:
            continue
        m, n, at, first = rows[index], columns[index], starts[index], mixtures[1][index]
        own, best, chosen = 0.0, -np.inf, 0
        for i in range(m):
            found = 0.0
            for j in range(n):
                found += mixtures[2][mixtures[3][index] + j] * x[children[at + i * n + j]]
            own += mixtures[0][first + i] * found
            if found > best:
                best, chosen = found, i
        if best > own + least:
            for i in range(m):
                mixtures[0][first + i] = 1.0 if i == chosen else 0.0
            changed += 1
    return changed


@jit
def count_moves(arrays, mixtures, counts):
    """For each position how many others, or ended games, follow under both strategies with a probability above 0."""
    kinds, rows, columns = arrays[0], arrays[1], arrays[2]
    for index in range(len(kinds)):
        total = 0
        for i in range(rows[index]):
            for j in range(columns[index]):
                if kinds[index] == 1 or mixtures[0][mixtures[1][index] + i] * mixtures[2][mixtures[3][index] + j] > 0.0:
                    total += 1
        counts[index] = total


@jit
def list_moves(arrays, mixtures, discount, chances, followers):
    """The probabilities of what follows under both strategies, times the discount, and the numbers of what follows."""
    kinds, rows, columns, starts, children, weights, weights_from = arrays
    at = 0
    for index in range(len(kinds)):
        for i in range(rows[index]):
            for j in range(columns[index]):
                if kinds[index] == 1:
                    chance = weights[weights_from[index] + i]
                else:
                    chance = mixtures[0][mixtures[1][index] + i] * mixtures[2][mixtures[3][index] + j]
                    if chance == 0.0:
                        continue
                    chance *= discount
                chances[at] = chance
                followers[at] = children[starts[index] + i * columns[index] + j]
                at += 1


@jit
def follow(pointers, chances, followers, values):
    """One pass of what the listed moves are worth, in place; returns the largest change."""
    most = 0.0
    for index in range(len(pointers) - 2, -1, -1):
        value = 0.0
        for at in range(pointers[index], pointers[index + 1]):
            value += chances[at] * values[followers[at]]
        most = max(most, abs(value - values[index]))
        values[index] = value
    return most


class Sweeper:
    """The passes over one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        side = graph.side
        self._memory = np.zeros(side * side), np.zeros(side), np.zeros(side), np.zeros(work_size(side + 1, side + 1))
        self.mixtures = no_mixtures(graph)
        self.scale = float(np.abs(graph.ends).max(initial=0.0)) or 1.0
        """The largest result, without its sign: what rounding is measured by."""
        self.sweeps = 0
        """Passes in which stages were solved."""

    def filled(self, value: float) -> NDArray[np.float64]:
        """A number for each position, all the same, and the results behind them."""
        return np.concatenate([np.full(len(self.graph), value), self.graph.ends])

    def improve(self, x: Any, discount: float, change: int) -> float:
        """One pass of value iteration in place; returns the largest change there would be."""
        return self._pass(x, discount, change, False, 0.0)

    def stages(self, x: Any, discount: float, least: float = 0.0) -> float:
        """Solve all stages by values that stay as they are, for the strategies in `mixtures`; returns by how much the values are wrong.

        Probabilities below `least` are left out.
        """
        return self._pass(x, discount, NONE, True, least)

    def _pass(self, x: Any, discount: float, change: int, keep: bool, least: float) -> float:
        self.sweeps += 1
        return max(
            run(
                improve, self.graph.arrays, first, last, x, discount, change, keep, least, tuple(self.mixtures),
                solver_addresses()[0], self._memory,
            )
            for first, last in self._slices()
        )  # fmt: skip

    def reply(self, bound: Any, discount: float, sign: int, lasting: float, margin: float) -> float:
        """One pass of best replies against the strategies in `mixtures`."""
        return max(
            run(reply, self.graph.arrays, first, last, bound, discount, sign, lasting, margin, tuple(self.mixtures))
            for first, last in self._slices()
        )

    def _slices(self) -> Any:
        last = len(self.graph)
        while last > 0:
            yield max(0, last - _SLICE), last
            last -= _SLICE

    def best_replies(self, x: Any, least: float) -> int:
        """Let player 0 reply best to player 1's strategy, by the values `x`; returns at how many positions that is another reply."""
        return run(best_replies, self.graph.arrays, x, tuple(self.mixtures), least)
