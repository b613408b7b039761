"""The cross table: the score of each player against each other one, cycles, and the players' Nash average.

A rating is one number a player, and cannot show that A beats B, B beats C and C beats A; where players move
at the same time, that is common.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from ...matrix import matrix_nash_conv, solve_matrix
from .paired import Pentanomial, ResultTable
from .ratings import ConvergenceError

_USED = 1e-7
"""A share of the mixture above this is no rounding."""


@dataclass(frozen=True)
class Cycle:
    """Each of the players beats the next one, and the last one the first."""

    players: tuple[str, ...]
    """Starting with the alphabetically first."""
    certain: bool
    """Whether each of these scores has a 95 % interval above 1/2; else chance may have closed the cycle."""


@dataclass(frozen=True)
class Mixture:
    """A Nash average: a mixture of the players that none of them beats, an equilibrium of the meta-game of choosing a player."""

    shares: dict[str, float]
    """Probability of each player."""
    value: float
    """The least expected score of the mixture against any player, 0 to 1: 1/2, up to rounding."""
    results: dict[str, float]
    """Each player's expected score against the mixture, at most 1/2."""
    unplayed: tuple[tuple[str, str], ...]
    """Pairings without games, which were taken as even."""


@dataclass(frozen=True)
class CrossTable:
    """The results of every player against every other."""

    players: tuple[str, ...]
    cells: dict[tuple[str, str], Pentanomial]
    """For (player, opponent) what the former scored; only for those that met."""

    @classmethod
    def of(cls, table: ResultTable, players: Sequence[str] | None = None) -> "CrossTable":
        """The cross table of these results, of these players in this order; without them, of all by name."""
        chosen = tuple(table.players if players is None else players)
        cells = {(a, b): table.paired(a, b) for a in chosen for b in chosen if a != b}
        return cls(chosen, {meeting: found for meeting, found in cells.items() if found.games})

    def scores(self) -> NDArray[np.float64]:
        """Scores 0 to 1, shape (players, players), row against column; NaN where there were no games."""
        means = {meeting: found.mean for meeting, found in self.cells.items()}
        rows = [
            [means.get((player, opponent), math.nan) for opponent in self.players] for player in self.players
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows))

    def beats(self, certain: bool) -> set[tuple[str, str]]:
        """All (winner, loser): scores above 1/2, or, if they have to be certain, 95 % intervals above 1/2."""
        return {
            meeting
            for meeting, found in self.cells.items()
            if (found.interval()[0] if certain else found.mean) > 0.5
        }

    def cycles(self) -> list[Cycle]:
        """For every win on a cycle the cycles of three players through it, or one of the shortest if there
        are none. First the certain ones, then those that were only seen.

        Each score is judged by itself: of many even pairings, one in twenty will look certain.
        """
        certain = _shortest_cycles(self.beats(True))
        seen = _shortest_cycles(self.beats(False)) - certain
        return [
            Cycle(players, sure)
            for sure, cycles in ((True, certain), (False, seen))
            for players in sorted(cycles, key=lambda cycle: (len(cycle), cycle))
        ]

    def mixture(self) -> Mixture:
        """The Nash average: the maximin mixture, of several the one of maximum entropy.

        D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel, Re-evaluating Evaluation, NeurIPS 2018: the equilibrium
        of largest entropy of the antisymmetric matrix of scores above 1/2. It depends neither on the players'
        order nor on whether one of them is entered twice. Raises ValueError without players.
        """
        if not self.players:
            raise ValueError("a mixture needs at least one player")
        names = sorted(self.players)
        matrix = CrossTable(tuple(names), self.cells).scores() - 0.5
        np.fill_diagonal(matrix, 0.0)
        unplayed = tuple((names[i], names[j]) for i, j in np.argwhere(np.isnan(matrix)) if i < j)
        matrix = np.nan_to_num(matrix)
        shares = _most_even_equilibrium((matrix - matrix.T) / 2)
        against = matrix @ shares
        return Mixture(
            dict(zip(names, shares.tolist())),
            0.5 - float(against.max()),
            {name: 0.5 + float(points) for name, points in zip(names, against)},
            unplayed,
        )


def _shortest_cycles(beats: Iterable[tuple[str, str]]) -> set[tuple[str, ...]]:
    """For every edge on a cycle: all triangles through it, or one shortest cycle if there is none."""
    beats = set(beats)
    names = sorted({name for edge in beats for name in edge})
    graph = np.array([[(winner, loser) in beats for loser in names] for winner in names], dtype=np.bool_)
    found: set[tuple[str, ...]] = set()
    for winner, loser in np.argwhere(graph).tolist():
        third = np.flatnonzero(graph[loser] & graph[:, winner]).tolist()
        for path in [[winner, loser, one] for one in third] or _way_back(graph, winner, loser):
            start = path.index(min(path))
            found.add(tuple(names[one] for one in path[start:] + path[:start]))
    return found


def _way_back(graph: NDArray[np.bool_], winner: int, loser: int) -> list[list[int]]:
    """The shortest cycle that begins winner, loser, as the only entry; empty if there is none."""
    before = breadth_first_order(csr_array(graph), loser)[1]
    path = [winner]
    while path[-1] != loser and path[-1] >= 0:
        path.append(int(before[path[-1]]))
    return [[winner, *reversed(path[1:])]] if path[-1] == loser else []


def _most_even_equilibrium(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The equilibrium of largest entropy of an antisymmetric matrix, whose value is 0."""
    size = len(matrix)
    solution = solve_matrix(matrix)
    sure = solution.row_strategy
    # Which players have a share in some equilibrium? With less slack than the solver's there may be none.
    slack = solution.gap + 1e-12
    used = np.zeros(size, dtype=np.bool_)
    for k in range(size):
        most = linprog(
            -np.eye(size)[k],
            A_ub=matrix,
            b_ub=np.full(size, slack),
            A_eq=np.ones((1, size)),
            b_eq=[1.0],
            method="highs",
        )
        if most.fun is None:
            raise ConvergenceError("the mixture of players", int(most.nit))
        used[k] = -most.fun > _USED
    if used.sum() <= 1:
        return sure
    part = matrix[:, used]

    # Their shares are as exp(-prices of opponents they lose to); the prices solve the dual problem.
    def dual(prices: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logs = -prices @ part
        top = logs.max()
        weights = np.exp(logs - top)
        total = weights.sum()
        return float(top + np.log(total)), -(part @ weights) / total

    options = {"maxiter": 5000, "ftol": 0.0, "gtol": 1e-10}
    best = minimize(
        dual, np.zeros(size), jac=True, bounds=[(0.0, None)] * size, method="L-BFGS-B", options=options
    )
    logs = -best.x @ part
    weights = np.exp(logs - logs.max())
    even = np.zeros(size)
    even[used] = weights / weights.sum()
    # A single equilibrium the solver knows to more digits; where it is not single by a hair, prices diverge.
    single = np.abs(even - sure).max() < 1e-6
    return sure if single or matrix_nash_conv(matrix, even, even) > 1e-6 else even
