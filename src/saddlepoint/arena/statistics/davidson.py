"""Bradley and Terry's model with ties after Davidson: its likelihood, its maximum, and what is raised where none is found."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, identity


class ConvergenceError(ValueError):
    """An iteration that did not settle: there is no figure to show, rather than a wrong one."""

    def __init__(self, what: str, rounds: int) -> None:
        super().__init__(
            f"{what} cannot be computed from these results: the iteration had not converged after {rounds} rounds"
        )


# Bradley and Terry's model with ties after Davidson: its likelihood, its maximum, and whether there is one.
#
# R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952; R. R. Davidson, On extending
# the Bradley-Terry model to accommodate ties in paired comparison experiments, JASA 65, 1970. Player i has a strength
# t_i; with d = t_i - t_j, win : draw : loss are as exp(d/2) : nu : exp(-d/2).

Array = NDArray[np.float64]

_ROUNDS = 200
_ENOUGH = 1e-6  # of a strength, 0.0002 Elo: rounding may keep a step from getting smaller

HALF = 0.5
"""Wins and losses added where results leave strengths unbounded (Jeffreys' prior of a single rate)."""


@dataclass(frozen=True)
class PairOutcomes:
    """The results of every pair of players that met, one row for each pair i, j.

    i, j: indices of players, shape (r,). outcomes: i's wins, draws and losses, shape (r, 3).
    """

    i: NDArray[np.int64]
    j: NDArray[np.int64]
    outcomes: Array


@dataclass(frozen=True)
class Fit:
    """The maximum of the likelihood.

    strengths: t, shape (n,), of mean 0 in every group. tie: nu. covariance: of (t, ln nu), the inverse of the observed
    information, shape (n + 1, n + 1); zero where nothing was estimated. separated: whether the results alone have no
    maximum, so that `HALF` wins and losses were added.
    """

    strengths: Array
    tie: float
    covariance: Array
    separated: bool


def fit(games: PairOutcomes, groups: NDArray[np.int64]) -> Fit:
    """Maximise the likelihood. groups: for every player its group, those that results connect; shape (n,)."""
    with_tie = bool(games.outcomes[:, 1].any())
    players = np.eye(len(groups))
    design = players[games.i] - players[games.j]  # makes the differences d of the rows out of t
    outcomes = games.outcomes
    rows = separated_rows(design, outcomes, with_tie)
    if rows.any():
        outcomes = outcomes + rows[:, None] * np.array([HALF, 0.0, HALF])
    return _newton(design, outcomes, groups, with_tie, bool(rows.any()))


def separated_rows(design: Array, outcomes: Array, with_tie: bool) -> NDArray[np.bool_]:
    """The rows that have no likeliest parameters: in some direction they get ever likelier, and none less.

    A. Albert, J. A. Anderson, On the existence of maximum likelihood estimates in logistic regression models,
    Biometrika 71, 1984. Found by a linear program: of all directions in which no outcome seen loses against
    another, the one in which most gain.
    """
    # The quick way out: rows with wins and losses hold every difference, and any tie, where it is.
    mixed = (outcomes[:, 0] > 0) & (outcomes[:, 2] > 0)
    if mixed.any() and np.linalg.matrix_rank(design[mixed]) == np.linalg.matrix_rank(design):
        return np.zeros(len(design), dtype=np.bool_)
    kinds = {0: (0.5, 0.0), 2: (-0.5, 0.0)} | ({1: (0.0, 1.0)} if with_tie else {})
    gains: list[tuple[int, float, float]] = []
    for seen, (difference, tie) in kinds.items():
        for row in np.flatnonzero(outcomes[:, seen]):
            gains += [
                (int(row), difference - other, tie - other_tie)
                for kind, (other, other_tie) in kinds.items()
                if kind != seen
            ]
    found = np.zeros(len(design), dtype=np.bool_)
    if not gains:
        return found
    row = np.array([gain[0] for gain in gains])
    factors = np.array([gain[1:] for gain in gains])
    matrix = csr_array(np.column_stack([design[row] * factors[:, :1], factors[:, 1]]))
    # Each gain is at least its slack, and every slack counts up to 1.
    size, parameters = len(row), design.shape[1] + 1
    solution = linprog(
        np.concatenate([np.zeros(parameters), -np.ones(size)]),
        A_ub=hstack([-matrix, identity(size)]),
        b_ub=np.zeros(size),
        bounds=[(None, None)] * parameters + [(0, 1)] * size,
        method="highs",
    )
    if solution.x is None:
        raise ConvergenceError("a rating", solution.nit)
    found[row[solution.x[parameters:] > 1e-6]] = True
    return found


def _newton(
    design: Array, outcomes: Array, groups: NDArray[np.int64], with_tie: bool, separated: bool
) -> Fit:
    players = len(groups)
    size = players + 1
    # Directions that the likelihood does not know: a common shift in a group, and ties where there are none.
    pinned = np.zeros((size, size))
    pinned[:players, :players] = (groups[:, None] == groups) / np.bincount(groups)[groups]
    pinned[players, players] = not with_tie
    parameters = np.zeros(size)
    value, gradient, information = _likelihood(design, outcomes, parameters, with_tie)
    step = np.full(size, np.inf)
    for _ in range(_ROUNDS):
        step = np.linalg.solve(information + pinned, gradient)
        if np.abs(step).max() < 1e-10:
            break
        # The likelihood is concave, but a whole step from afar may overshoot.
        after = _likelihood(design, outcomes, parameters + step, with_tie)
        halvings = 0
        while not after[0] >= value - 1e-9 * (1 + abs(value)):
            step, halvings = step / 2, halvings + 1
            if halvings > _ROUNDS:
                raise ConvergenceError("a rating", _ROUNDS)
            after = _likelihood(design, outcomes, parameters + step, with_tie)
        parameters, (value, gradient, information) = parameters + step, after
    if not np.abs(step).max() < _ENOUGH:
        raise ConvergenceError("a rating", _ROUNDS)
    tie = float(np.exp(parameters[-1])) if with_tie else 0.0
    covariance = np.linalg.inv(information + pinned) - pinned
    return Fit(parameters[:players], tie, covariance, separated)


def _likelihood(
    design: Array, outcomes: Array, parameters: Array, with_tie: bool
) -> tuple[float, Array, Array]:
    """The logarithm of the likelihood, its gradient, and the negative of its second derivatives."""
    difference = design @ parameters[:-1]
    logs = np.stack(
        [difference / 2, np.full_like(difference, parameters[-1] if with_tie else -np.inf), -difference / 2],
        axis=1,
    )
    top = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - top)
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / total
    games = outcomes.sum(axis=1)
    win, draw, loss = shares.T
    lead = (win - loss) / 2
    seen = np.where(outcomes > 0, logs - top - np.log(total), 0.0)
    gradient = np.append(
        design.T @ ((outcomes[:, 0] - outcomes[:, 2]) / 2 - games * lead),
        (outcomes[:, 1] - games * draw).sum(),
    )
    information = np.zeros((len(parameters), len(parameters)))
    information[:-1, :-1] = design.T @ (design * (games * ((win + loss) / 4 - lead**2))[:, None])
    information[-1, :-1] = information[:-1, -1] = -(design.T @ (games * lead * draw))
    information[-1, -1] = (games * draw * (1 - draw)).sum()
    return float((outcomes * seen).sum()), gradient, information
