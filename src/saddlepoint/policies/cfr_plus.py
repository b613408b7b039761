"""CFR+ over all positions of a game: the yardstick beside which equilibrium finding is measured.

Tammelin, Solving large imperfect information games using CFR+ (2014); Bowling, Burch, Johanson and Tammelin, Heads-up limit hold'em
poker is solved (Science 347, 2015). In each iteration one player's regrets are updated, then the other's (alternating updates); a regret
never falls below 0; each plays in proportion to its regrets; and iteration t counts t times in the average (linear weighting).

Here every position is an information set, and is there once. In a game of perfect information nothing else is known to a player, but for
how the position came about, which no longer matters. So positions that merge have one regret and one strategy, and what is summed over
histories elsewhere is summed over the ways to the position: the regret of an action is weighed by the other player's and chance's
probabilities of coming there, the strategy's share in the average by the player's own, each the sum over all ways of the product along the
way. Where every position has one way to it these are the published numbers. Where positions merge, the proof of convergence does not cover
the sums (a player has then forgotten the way: imperfect recall; Lanctot, Gibson, Burch, Zinkevich and Bowling, ICML 2012), so NashConv is
not bounded but computed, exactly, of the average as it is.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import jit, jit_part
from ..compiled.call import run
from ..game.base import CHANCE, NO_ACTION, Game
from ..solvers.general.induction import cells_of_a_stage
from ..solvers.general.successors import shape_of
from .graph import (
    AGAINST_FIRST,
    AGAINST_SECOND,
    BOTH,
    CELLS,
    COLUMNS,
    ROWS,
    GameGraph,
    graph_of,
    policy_bounds,
)
from .policy import Mixtures, TablePolicy

_PAUSE = 0.2
"""Seconds between two moments in which Ctrl-C is heard."""


@jit_part
def spread(player, nodes, starts, children, x, y, own, others):
    """Fill the sums over all ways to each position: of the player's probabilities, and of the other's and chance's."""
    count = len(nodes)
    for index in range(count):
        own[index], others[index] = 0.0, 0.0
    own[count - 1], others[count - 1] = 1.0, 1.0
    for index in range(count - 1, -1, -1):
        row, column, cell = starts[index, ROWS], starts[index, COLUMNS], starts[index, CELLS]
        m, n = starts[index + 1, ROWS] - row, starts[index + 1, COLUMNS] - column
        for i in range(m):
            for j in range(n):
                child = children[cell + i * n + j]
                if child < 0:
                    continue
                first, second = x[row + i], y[column + j]
                if nodes[index] == CHANCE:
                    first, second = 1.0, x[row + i]
                elif player == 1:
                    first, second = second, first
                own[child] += own[index] * first
                others[child] += others[index] * second


@jit_part
def improve(player, weight, nodes, starts, children, scores, x, y, own, others, regrets, sums, gains, values):
    """Update one player's regrets, average and strategy in all positions, from the ends to the start."""
    mine = x if player == 0 else y
    for index in range(len(nodes)):
        row, column, cell = starts[index, ROWS], starts[index, COLUMNS], starts[index, CELLS]
        m, n = starts[index + 1, ROWS] - row, starts[index + 1, COLUMNS] - column
        start, count = (row, m) if player == 0 else (column, n)
        value = 0.0
        for k in range(count):
            gains[k] = 0.0
        for i in range(m):
            for j in range(n):
                child = children[cell + i * n + j]
                worth = scores[cell + i * n + j] if child < 0 else values[child]
                value += x[row + i] * y[column + j] * worth
                if player == 0:
                    gains[i] += y[column + j] * worth
                else:
                    gains[j] -= x[row + i] * worth
        values[index] = value
        if nodes[index] == CHANCE:
            continue
        own_value = value if player == 0 else -value
        total = 0.0
        for k in range(count):
            sums[start + k] += weight * own[index] * mine[start + k]
            regrets[start + k] = max(0.0, regrets[start + k] + others[index] * (gains[k] - own_value))
            total += regrets[start + k]
        for k in range(count):
            mine[start + k] = regrets[start + k] / total if total > 0.0 else 1.0 / count


@jit
def iterate(
    first,
    last,
    nodes,
    starts,
    children,
    scores,
    x,
    y,
    regrets0,
    regrets1,
    sums0,
    sums1,
    own,
    others,
    gains,
    values,
):
    """Iterations `first` to `last` - 1, counted from 1."""
    for iteration in range(first, last):
        for player in range(2):
            spread(player, nodes, starts, children, x, y, own, others)
            regrets, sums = (regrets0, sums0) if player == 0 else (regrets1, sums1)
            improve(
                player,
                float(iteration),
                nodes,
                starts,
                children,
                scores,
                x,
                y,
                own,
                others,
                regrets,
                sums,
                gains,
                values,
            )


@jit
def worth_of(nodes, starts, children, scores, x, y, cells, found):
    """Fill what each position is worth in the three ways of `evaluation`, where x and y are played."""
    for index in range(len(nodes)):
        row, column, cell = starts[index, ROWS], starts[index, COLUMNS], starts[index, CELLS]
        m, n = starts[index + 1, ROWS] - row, starts[index + 1, COLUMNS] - column
        side = shape_of(nodes[index], m, n)[1]
        for i in range(m):
            for j in range(n):
                child = children[cell + i * n + j]
                for way in range(3):
                    cells[way, i * side + j] = scores[cell + i * n + j] if child < 0 else found[child, way]
        policy_bounds(nodes[index], cells, m, n, x[row : row + m], y[column : column + n], found[index])


class CFRPlus:
    """CFR+ at work: `run` goes on, and the average so far is a policy.

    >>> from saddlepoint import BiasedRPS
    >>> from saddlepoint.policies import CFRPlus
    >>> work = CFRPlus(BiasedRPS())
    >>> work.run(10)
    >>> work.iterations
    10
    """

    def __init__(self, game: Game, state: Any = None) -> None:
        self.graph: GameGraph = graph_of(game, state)
        self.iterations = 0
        """How many were done."""
        graph, count = self.graph, len(self.graph)
        chance = np.repeat(graph.nodes == CHANCE, np.diff(graph.starts[:, ROWS]))
        even = [
            _shares(np.ones(len(own)), graph.starts[:, side])
            for own, side in zip(graph.actions, (ROWS, COLUMNS), strict=True)
        ]
        self._strategies = np.where(chance, graph.chances, even[0]), even[1]
        self._regrets = np.zeros(len(even[0])), np.zeros(len(even[1]))
        self._sums = np.zeros(len(even[0])), np.zeros(len(even[1]))
        largest = int(np.diff(graph.starts[:, :CELLS], axis=0).max())
        self._scratch = np.zeros(count), np.zeros(count), np.zeros(largest), np.zeros(count)
        self._run(1, 1)  # nothing yet: what is compiled, or loaded, is ready

    def run(self, iterations: int) -> None:
        """Do this many iterations more. Ctrl-C is heard between them, and leaves those that are done."""
        wanted, at_once = self.iterations + iterations, 1
        while self.iterations < wanted:
            before, slice_ = perf_counter(), min(at_once, wanted - self.iterations)
            self._run(self.iterations + 1, self.iterations + 1 + slice_)
            self.iterations += slice_
            at_once = max(1, min(2 * at_once, int(at_once * _PAUSE / max(perf_counter() - before, 1e-9))))

    def _run(self, first: int, last: int) -> None:
        graph = self.graph
        run(
            iterate,
            first,
            last,
            graph.nodes,
            graph.starts,
            graph.children,
            graph.scores,
            *self._strategies,
            *self._regrets,
            *self._sums,
            *self._scratch,
        )

    @property
    def averages(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both players' average strategies, beside `graph.actions`; chance's probabilities in player 0's. Even where one never came."""
        graph = self.graph
        x, y = (
            _shares(sums, graph.starts[:, side])
            for sums, side in zip(self._sums, (ROWS, COLUMNS), strict=True)
        )
        return np.where(graph.chances > 0.0, graph.chances, x), y

    def worth(self) -> tuple[float, float, float]:
        """Player 0's expected results by the average: played by both, where player 1, and where player 0,
        responds best.
        """
        graph, (x, y) = self.graph, self.averages
        found = np.zeros((len(graph), 3))
        run(
            worth_of,
            graph.nodes,
            graph.starts,
            graph.children,
            graph.scores,
            x,
            y,
            np.zeros((3, cells_of_a_stage(graph.game))),
            found,
        )
        return float(found[-1, BOTH]), float(found[-1, AGAINST_FIRST]), float(found[-1, AGAINST_SECOND])

    def policy(self) -> TablePolicy:
        """The average so far; of a position that cannot come about it raises PolicyError."""
        return TablePolicy(self.graph.game, dict(self._rows()))

    def _rows(self) -> Iterator[tuple[Any, Mixtures]]:
        graph, (x, y) = self.graph, self.averages
        for index in range(len(graph)):
            if graph.nodes[index] != CHANCE:
                (row, column, _), (row_end, column_end, _) = graph.starts[index : index + 2].tolist()
                yield (
                    graph.state(index),
                    (
                        _mixture(graph.actions[0][row:row_end], x[row:row_end]),
                        _mixture(graph.actions[1][column:column_end], y[column:column_end]),
                    ),
                )


def _mixture(actions: NDArray[np.int64], weights: NDArray[np.float64]) -> dict[int, float]:
    return {} if actions[0] == NO_ACTION else dict(zip(actions.tolist(), weights.tolist(), strict=True))


def _shares(weights: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Weights divided by their position's sum; uniform where all are 0. Positions begin at `starts`."""
    sizes = np.diff(starts)
    totals = np.repeat(np.add.reduceat(weights, starts[:-1]), sizes)
    return np.where(
        totals > 0.0, weights / np.where(totals > 0.0, totals, 1.0), np.repeat(1.0 / sizes, sizes)
    )


@dataclass(frozen=True)
class CFRPlusResult:
    """The result of CFR+. Values are player 0's expected results, in the game's units.

    >>> from saddlepoint import BiasedRPS
    >>> from saddlepoint.policies import cfr_plus
    >>> round(abs(cfr_plus(BiasedRPS(), iterations=500).value), 1)
    0.0
    """

    work: CFRPlus
    value: float
    """Where both play the average."""
    bounds: tuple[float, float]
    """The least and the most that the average gives player 0 against best responses: the game's value is between."""
    measured: tuple[tuple[int, float], ...]
    """(iterations, NashConv of the average): the sum of both players' gains by best responses."""

    @property
    def nash_conv(self) -> float:
        """NashConv of the average after all iterations."""
        return self.measured[-1][1]

    @cached_property
    def policy(self) -> TablePolicy:
        """The average, a policy of every position that can come about."""
        return self.work.policy()


def cfr_plus(
    game: Game,
    iterations: int,
    state: Any = None,
    *,
    at: Iterable[int] | None = None,
    on_measured: Callable[[int, float], None] | None = None,
) -> CFRPlusResult:
    """CFR+ on a whole game: average strategies of all positions, and how far they are from an equilibrium.

    An iteration takes time in proportion to the joint actions of all positions, each position counted once.

    - `game`: the rules.
    - `iterations`: how many are done, 1 or more.
    - `state`: where the game begins; None: its usual start.
    - `at`: the iterations after which NashConv is computed, always after the last; None: 1, 2, 5, 10, 20, 50 and so on.
    - `on_measured`: called with each of them, and NashConv.

    Raises ValueError for less than one iteration and where the game is over, and UnsupportedGameError for a game whose positions come back.

    >>> from saddlepoint import BiasedRPS
    >>> from saddlepoint.policies import cfr_plus
    >>> found = cfr_plus(BiasedRPS(), iterations=200)
    >>> found.bounds[0] <= found.value <= found.bounds[1]
    True
    """
    if iterations < 1 or iterations % 1:
        raise ValueError(f"iterations must be a whole number, 1 or more, not {iterations}")
    wanted = {k * 10**n for n in range(len(str(iterations))) for k in (1, 2, 5)} if at is None else set(at)
    work = CFRPlus(game, state)
    measured: list[tuple[int, float]] = []
    value = low = high = 0.0
    for until in sorted({one for one in wanted if 1 <= one < iterations} | {iterations}):
        work.run(until - work.iterations)
        value, low, high = work.worth()
        measured.append((until, max(high - low, 0.0)))
        if on_measured is not None:
            on_measured(*measured[-1])
    return CFRPlusResult(work, value, (low, high), tuple(measured))
