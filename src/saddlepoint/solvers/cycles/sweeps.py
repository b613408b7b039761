"""Passes over the positions of a stochastic game: values after one more move, and bounds against any reply.

All go along the order (`order`), so that what follows a position is mostly before it, and use what they have just written (Gauss-Seidel).
`x` holds a number for each position, behind them the results of ended games, and behind these the numbers of positions with the players
exchanged, if any: the position's own with the other sign.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algorithms.simultaneous.solver_address import solve_at, solver_address
from ...compiled import borrowed, jit, jit_part
from ...compiled.call import run
from ...matrix import work_size
from .graph import Block, Graph, ordered

NONE, ANY, OF_CHANCE = range(3)
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
    chosen = graph.kinds == 0
    m, n = np.where(chosen, graph.rows, 0), np.where(chosen, graph.columns, 0)
    return Mixtures(
        np.zeros(int(m.sum())),
        np.concatenate([[0], np.cumsum(m, dtype=np.int64)[:-1]]),
        np.zeros(int(n.sum())),
        np.concatenate([[0], np.cumsum(n, dtype=np.int64)[:-1]]),
    )


@jit_part
def expected(index, arrays, x):
    rows, starts, children, weights, weights_from = arrays[1], arrays[3], arrays[4], arrays[5], arrays[6]
    value = 0.0
    for i in range(rows[index]):
        value += weights[weights_from[index] + i] * x[children[starts[index] + i]]
    return value


@jit_part
def named_arrays(arrays):
    """The graph's arrays, and the positions in their order, without reference counts."""
    return (
        borrowed(arrays[0]), borrowed(arrays[1]), borrowed(arrays[2]), borrowed(arrays[3]),
        borrowed(arrays[4]), borrowed(arrays[5]), borrowed(arrays[6]), borrowed(arrays[7]),
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


@jit_part
def stage_worth(index, arrays, x, keep, least, mixtures, solver, memory):
    """The value of a stage by the values `x`; with `keep` its strategies are written to `mixtures`."""
    rows, columns, starts, children = arrays[1], arrays[2], arrays[3], arrays[4]
    cells, row, column, work = memory
    m, n, at = int(rows[index]), int(columns[index]), starts[index]
    side = max(m, n)
    for i in range(m):
        for j in range(n):
            cells[i * side + j] = x[children[at + i * n + j]]
    value = solve_at(solver, cells[: side * side].reshape((side, side)), m, n, row, column, work)[0]
    if keep:
        drop_small(row, m, least)
        drop_small(column, n, least)
        for i in range(m):
            mixtures[0][mixtures[1][index] + i] = row[i]
        for j in range(n):
            mixtures[2][mixtures[3][index] + j] = column[j]
    return value


@jit
def improve(
    arrays, images, first, last, passes, enough, mixtures, x, discount, change, keep, least, solver, memory
):
    """Solve the stages of a part of the order by the values `x`, `passes` times; returns (the largest change of the last time, times).

    It ends sooner where that is no more than `enough`. `change` says which changes are written to `x`; with `keep` the strategies go to
    `mixtures`, without probabilities below `least`.
    """
    arrays = named_arrays(arrays)
    kinds, order = arrays[0], arrays[7]
    most, done = 0.0, 0
    while done < passes:
        most = 0.0
        for at in range(first, last):
            index = order[at]
            if kinds[index] == 1:
                value = expected(index, arrays, x)
            elif change == OF_CHANCE:
                continue
            else:
                value = discount * stage_worth(index, arrays, x, keep, least, mixtures, solver, memory)
            most = max(most, abs(value - x[index]))
            if change != NONE:
                x[index] = value
                if images > 0:
                    x[images + index] = -value
        done += 1
        if most <= enough:
            break
    return most, done


@jit
def enclose(arrays, images, first, last, passes, enough, mixtures, bounds, discount, solver, memory):
    """Raise the lower values and make the upper ones fall by what the stages of a part of the order are worth by them, `passes` times.

    Returns (the largest change of the last time, times); it ends sooner where that is no more than `enough`. With the players exchanged
    each is the other.
    """
    arrays, lower, upper = named_arrays(arrays), borrowed(bounds[0]), borrowed(bounds[1])
    kinds, order = arrays[0], arrays[7]
    most, done = 0.0, 0
    while done < passes:
        most = 0.0
        for at in range(first, last):
            index = order[at]
            if kinds[index] == 1:
                low, high = expected(index, arrays, lower), expected(index, arrays, upper)
            else:
                low = discount * stage_worth(index, arrays, lower, False, 0.0, mixtures, solver, memory)
                high = discount * stage_worth(index, arrays, upper, False, 0.0, mixtures, solver, memory)
            low, high = max(low, lower[index]), min(high, upper[index])
            most = max(most, low - lower[index], upper[index] - high)
            lower[index], upper[index] = low, high
            if images > 0:
                lower[images + index], upper[images + index] = -high, -low
        done += 1
        if most <= enough:
            break
    return most, done


@jit_part
def best_reply(index, arrays, bound, discount, sign, mixtures):
    """The value of player 0's (sign 1) or 1's (-1) strategy at a position against the best reply, by `bound`."""
    kinds, rows, columns, starts, children = arrays[0], arrays[1], arrays[2], arrays[3], arrays[4]
    if kinds[index] == 1:
        return sign * expected(index, arrays, bound)
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
    return discount * value


@jit_part
def loosen(index, arrays, images, bound, other, discount, sign, lasting, margin, mixtures):
    """Lower `sign` times `bound` at a position to what the other's best reply leaves; returns by how much."""
    value = best_reply(index, arrays, bound, discount, sign, mixtures)
    if value > 0.0:
        value = max(value * lasting - margin, 0.0)
    change = sign * bound[index] - value
    if change <= 0.0:
        return 0.0
    bound[index] = sign * value
    if images > 0:
        other[images + index] = -sign * value
    return change


@jit
def reply(
    arrays, images, first, last, passes, enough, mixtures, bounds, is_wanted, discount, lasting, margin
):
    """Loosen player 0's lower bound and player 1's upper one where best replies get more; (the largest change of the last pass, passes).

    There are `passes`, or fewer where one changes no more than `enough`. What is better than nothing is worth less after each move:
    `lasting` of itself, and `margin` less than that. With the players exchanged each bound is the other player's. `is_wanted` says
    which of the two are wanted.
    """
    arrays, lower, upper = named_arrays(arrays), borrowed(bounds[0]), borrowed(bounds[1])
    mixtures = borrowed(mixtures[0]), borrowed(mixtures[1]), borrowed(mixtures[2]), borrowed(mixtures[3])
    order, most, done = arrays[7], 0.0, 0
    while done < passes:
        most = 0.0
        for place in range(first, last):
            index = order[place]
            if is_wanted[0]:
                most = max(
                    most,
                    loosen(index, arrays, images, lower, upper, discount, 1.0, lasting, margin, mixtures),
                )
            if is_wanted[1]:
                most = max(
                    most,
                    loosen(index, arrays, images, upper, lower, discount, -1.0, lasting, margin, mixtures),
                )
        done += 1
        if most <= enough:
            break
    return most, done


class Sweeper:
    """The passes over one graph, part by part of its order."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.order = graph, ordered(graph)
        chosen = graph.kinds == 0
        side = int(max(graph.rows[chosen].max(initial=1), graph.columns[chosen].max(initial=1)))
        self._memory = (
            np.zeros(side * side),
            np.zeros(side),
            np.zeros(side),
            np.zeros(work_size(side + 1, side + 1)),
        )
        self.mixtures = no_mixtures(graph)
        self.arrays = (*graph.arrays, self.order.positions)
        """For compiled code: the graph's, and the order."""
        self.scale = float(np.abs(graph.ends).max(initial=0.0)) or 1.0
        """The largest result, without its sign: what rounding is measured by."""
        self.solved = 0
        """How many stages were solved."""

    @property
    def sweeps(self) -> int:
        return -(-self.solved // len(self.graph))

    @property
    def range(self) -> tuple[float, float]:
        """The range of values: the least and the largest result, or that of endless play."""
        low, high = (
            min(float(self.graph.ends.min(initial=0.0)), 0.0),
            max(float(self.graph.ends.max(initial=0.0)), 0.0),
        )
        return (min(low, -high), max(high, -low)) if self.graph.exchanges else (low, high)

    def filled(self, value: float, exchanged: float | None = None) -> NDArray[np.float64]:
        """A number for each position, all the same, and the results behind them; images have `exchanged`, or the other sign's."""
        count = len(self.graph)
        return self.graph.with_ends(
            np.full(count, value), None if exchanged is None else np.full(count, exchanged)
        )

    def improve(
        self,
        block: Block,
        x: Any,
        discount: float,
        change: int = ANY,
        *,
        passes: int = 1,
        enough: float = -1.0,
    ) -> float:
        """Passes of value iteration in place; returns the largest change there would be in the last one.

        It ends sooner where that is no more than `enough`.
        """
        solved = int(change != OF_CHANCE)
        return self._repeat(
            improve,
            block,
            passes,
            enough,
            solved,
            x,
            discount,
            change,
            False,
            0.0,
            solver_address(),
            self._memory,
        )

    def stages(self, x: Any, discount: float, least: float = 0.0, block: Block | None = None) -> float:
        """Solve all stages by values that stay as they are, for the strategies in `mixtures`; returns by how much the values are wrong.

        Probabilities below `least` are left out.
        """
        return self._repeat(
            improve,
            block or Block(0, len(self.graph), True),
            1,
            -1.0,
            1,
            x,
            discount,
            NONE,
            True,
            least,
            solver_address(),
            self._memory,
        )

    def enclose(self, block: Block, bounds: tuple[Any, Any], discount: float, passes: int) -> float:
        """Passes of value iteration for lower and upper values, in place; returns the largest change of the last one."""
        return self._repeat(enclose, block, passes, 0.0, 2, bounds, discount, solver_address(), self._memory)

    def reply(
        self,
        block: Block,
        bounds: Any,
        is_wanted: tuple[bool, bool],
        discount: float,
        lasting: float,
        margin: float,
        passes: int,
        enough: float,
    ) -> float:
        """Passes of best replies against the strategies in `mixtures`; returns the largest change of the last one."""
        return self._repeat(reply, block, passes, enough, 0, bounds, is_wanted, discount, lasting, margin)

    def _repeat(
        self, kernel: Any, block: Block, passes: int, enough: float, solved: int, *arguments: Any
    ) -> float:
        """The largest change of the last of `passes`, or of fewer where one changes no more than `enough`.

        solved: how often a pass solves each stage. A large block is passed in parts, so that Ctrl-C is heard.
        """

        def part(first: int, last: int, passes: int) -> float:
            most, done = run(
                kernel,
                self.arrays,
                self.graph.images,
                first,
                last,
                passes,
                enough,
                tuple(self.mixtures),
                *arguments,
            )
            self.solved += solved * done * (last - first)
            return most

        if block.last - block.first <= _SLICE:
            return part(block.first, block.last, passes)
        most = 0.0
        for _ in range(passes):
            firsts = range(block.first, block.last, _SLICE)
            most = max(part(first, min(first + _SLICE, block.last), 1) for first in firsts)
            if most <= enough:
                break
        return most
