"""Ratings of any number of players from all their games, on Elo's scale, with error bars."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, identity
from scipy.sparse.csgraph import connected_components, shortest_path

from .paired import LOGISTIC_SCALE, Z95, ResultTable, Unit


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


# Ratings on Elo's scale, with error bars.


@dataclass(frozen=True)
class Rating:
    """One player's rating, in Elo points."""

    player: str
    elo: float
    low: float
    high: float
    """Ends of the 95 % interval by the observed information; infinite on a side on which results set no bound."""
    error: float
    """Standard error by the observed information, against the anchor or the mean of the group."""
    games: int
    points: float
    group: int
    """Number of the group, from 0: ratings of different groups cannot be compared."""
    resampled: tuple[float, float] | None = None
    """Ends of the 95 % interval by bootstrap over pairs of games, if asked for."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players: group by group, best first."""

    rows: tuple[Rating, ...]
    tie: float
    """Davidson's nu: between equal players a share nu / (2 + nu) of games is drawn."""
    notes: tuple[str, ...]
    """What a reader has to know, each a sentence: groups without games between them, ratings without bounds."""
    covariance: Array
    """Of the ratings in the order of `rows`, Elo^2, by the observed information."""

    def __getitem__(self, player: str) -> Rating:
        return self.rows[self._row(player)]

    def difference(self, player: str, opponent: str) -> tuple[float, float]:
        """(rating of `player` less that of `opponent`, its standard error), in Elo points.

        Raises ValueError if no results connect the two.
        """
        a, b = self._row(player), self._row(opponent)
        if self.rows[a].group != self.rows[b].group:
            raise ValueError(f"no results connect {player!r} and {opponent!r}")
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        return self.rows[a].elo - self.rows[b].elo, math.sqrt(max(0.0, float(variance)))

    def _row(self, player: str) -> int:
        for number, row in enumerate(self.rows):
            if row.player == player:
                return number
        raise ValueError(f"there is no player {player!r} in the ratings")


def rate(
    table: ResultTable, anchor: tuple[str, float] | None = None, resamples: int = 0, seed: int = 0
) -> Ratings:
    """Rate all players of the table by maximum likelihood in Davidson's model.

    anchor: a player and its rating, to which the others of its group are relative; else the mean of a group is 0.
    resamples: how often to draw the pairs of games anew, with replacement, pairing by pairing, for bootstrap intervals
    (B. Efron, 1979; 200 and more make sense); they allow for the two games of a pair depending on each other, which the
    observed information does not.

    Near equality, a difference of ratings means the expected score that it means on Elo's logistic curve; without draws
    it does so everywhere. Where some players gave away no points to others, no rating is likeliest (L. R. Ford, 1957):
    then half a win and half a loss are added to the pairings concerned, and intervals are unbounded on that side.

    Raises ValueError if the anchor has not played, or its rating is not finite.
    """
    players = len(table.players)
    if anchor is not None and anchor[0] not in table.players:
        raise ValueError(f"the anchor is a player of the results, and {anchor[0]!r} is none")
    if anchor is not None and not math.isfinite(anchor[1]):
        raise ValueError(f"an anchor's rating is a number of Elo points, not {anchor[1]}")
    if not players:
        return Ratings((), 0.0, (), np.zeros((0, 0)))
    held = table.players.index(anchor[0]) if anchor else None
    tally = _Tally(table)
    games = tally.games(tally.counts)
    groups = tally.groups(games)
    found = fit(games, groups)
    elo, covariance = _on_elo_scale(found, groups, held)
    deviation = np.sqrt(np.maximum(0.0, np.diagonal(covariance)[:players]))
    below, above = _unbounded(games, groups, held)
    played = np.bincount(games.i, games.outcomes.sum(axis=1), players)
    played += np.bincount(games.j, games.outcomes.sum(axis=1), players)
    points = np.bincount(games.i, games.outcomes @ [1.0, 0.5, 0.0], players)
    points += np.bincount(games.j, games.outcomes @ [0.0, 0.5, 1.0], players)
    shift = np.full(players, 0.0)
    if anchor is not None and held is not None:
        shift[groups == groups[held]] = anchor[1]
    spread = _bootstrap(tally, groups, held, resamples, seed) if resamples else None
    ends = [elo - Z95 * deviation, elo + Z95 * deviation]
    if spread is not None:
        # Resampling shows nothing of what never happened: there, the information's interval is the least
        # there is.
        ends += (
            [np.minimum(spread[0], ends[0]), np.maximum(spread[1], ends[1])]
            if found.separated
            else list(spread)
        )
    for number, end in enumerate(ends):
        ends[number] = np.where(
            above if number % 2 else below, math.inf if number % 2 else -math.inf, end + shift
        )
    rows = [
        Rating(
            name,
            float(elo[k] + shift[k]),
            float(ends[0][k]),
            float(ends[1][k]),
            float(deviation[k]),
            round(played[k]),
            float(points[k]),
            int(groups[k]),
            (float(ends[2][k]), float(ends[3][k])) if spread is not None else None,
        )
        for k, name in enumerate(table.players)
    ]
    order = sorted(range(players), key=lambda k: (rows[k].group, -rows[k].elo, rows[k].player))
    ordered = tuple(rows[k] for k in order)
    return Ratings(ordered, found.tie, tuple(_sentences(ordered)), covariance[np.ix_(order, order)])


def _on_elo_scale(found: Fit, groups: NDArray[np.int64], held: int | None) -> tuple[Array, Array]:
    """Ratings (the held player's 0), and the covariance of these and ln nu, shape (n + 1, n + 1), by the delta method."""
    players = len(groups)
    # Elo points for one unit of strength, so that near equality the expected score rises as on Elo's curve.
    unit = LOGISTIC_SCALE * 2 / (2 + found.tie)
    centre = np.eye(players + 1)
    if held is not None:
        centre[:players, held] -= groups == groups[held]
    raw = centre @ np.append(found.strengths, 0.0)
    slope = unit * centre
    slope[:, -1] = -unit * found.tie / (2 + found.tie) * raw  # the unit depends on ln nu
    covariance = slope @ found.covariance @ slope.T
    return unit * raw[:players], covariance


class _Tally:
    """The table as arrays: every kind of unit seen in every pairing, and how often."""

    def __init__(self, table: ResultTable) -> None:
        self.players = len(table.players)
        self.counts: list[NDArray[np.int64]] = []
        self._effects: list[Array] = []  # per pairing: unit kinds x (win, draw, loss)
        self._meetings: list[tuple[int, int]] = []
        for meeting, units in sorted(table.units.items()):
            kinds: list[Unit] = sorted(+units)
            if not kinds:  # they have met, and no game of theirs counts
                continue
            effect = np.zeros((len(kinds), 3))
            for number, unit in enumerate(kinds):
                for won in unit:
                    effect[number, round(2 - 2 * won)] += 1
            self._meetings.append(meeting)
            self.counts.append(np.array([units[kind] for kind in kinds], dtype=np.int64))
            self._effects.append(effect)

    def games(self, counts: list[NDArray[np.int64]]) -> PairOutcomes:
        """The games, if the kinds of units came this often."""
        i, j = np.array(self._meetings, dtype=np.int64).reshape(-1, 2).T
        outcomes = [count @ effect for count, effect in zip(counts, self._effects)]
        return PairOutcomes(i, j, np.array(outcomes, dtype=np.float64).reshape(-1, 3))

    def groups(self, games: PairOutcomes) -> NDArray[np.int64]:
        """For every player the number of its group: those connected by games, the one with most players first."""
        links = csr_array((np.ones(len(games.i)), (games.i, games.j)), shape=(self.players, self.players))
        _, labels = connected_components(links, directed=False)
        sizes = np.bincount(labels)
        ranks = np.empty(len(sizes), dtype=np.int64)
        ranks[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        return ranks[labels]

    def resampled(self, rng: np.random.Generator) -> PairOutcomes:
        """A bootstrap sample: as many units of each pairing, drawn from those played."""
        return self.games([rng.multinomial(count.sum(), count / count.sum()) for count in self.counts])


def _bootstrap(
    tally: _Tally, groups: NDArray[np.int64], held: int | None, resamples: int, seed: int
) -> Array:
    rng = np.random.default_rng(seed)

    known: dict[bytes, Array] = {}
    """By the games drawn: of few games the same ones are drawn again and again."""

    def draws() -> Iterator[Array]:
        for _ in range(resamples):
            games = tally.resampled(rng)
            drawn = games.outcomes.tobytes()
            if drawn not in known:
                known[drawn] = _on_elo_scale(fit(games, groups), groups, held)[0]
            yield known[drawn]

    return np.quantile(np.array(list(draws())), [0.025, 0.975], axis=0)


def _unbounded(
    games: PairOutcomes, groups: NDArray[np.int64], held: int | None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(players whose rating has no lower bound, those whose rating has no upper bound) against the rest of
    the group.

    Points taken are edges from player to player. A player that cannot be reached from the group's core (the
    anchor; else the largest part, or parts, whose players can all reach each other) has no upper bound, a
    player from which the core cannot be reached has no lower one.
    """
    players = len(groups)
    took = np.zeros((players, players))
    np.add.at(took, (games.i, games.j), games.outcomes @ [1.0, 0.5, 0.0])
    np.add.at(took, (games.j, games.i), games.outcomes @ [0.0, 0.5, 1.0])
    _, parts = connected_components(csr_array(took > 0), directed=True, connection="strong")
    reach = np.isfinite(shortest_path(csr_array(took > 0), unweighted=True))
    below, above = np.zeros(players, dtype=np.bool_), np.zeros(players, dtype=np.bool_)
    sizes = np.bincount(parts)
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        if len(members) == 1:
            alone = members[0] != held
            below[members], above[members] = alone, alone
            continue
        part_sizes = sizes[parts[members]]
        core = members[part_sizes == part_sizes.max()]
        if held is not None and groups[held] == group:
            core = np.array([held])
        below[members] = ~reach[np.ix_(members, core)].all(axis=1)
        above[members] = ~reach[np.ix_(core, members)].all(axis=0)
    return below, above


def _sentences(rows: Sequence[Rating]) -> list[str]:
    notes: list[str] = []
    groups = max(row.group for row in rows) + 1
    if groups > 1:
        parts = [", ".join(row.player for row in rows if row.group == group) for group in range(groups)]
        notes.append(
            f"No games connect these groups, so their ratings cannot be compared: {'; '.join(parts)}."
        )
    for row in rows:
        if row.games and (math.isinf(row.low) or math.isinf(row.high)):
            side = (
                ""
                if math.isinf(row.low) and math.isinf(row.high)
                else "upper "
                if row.high == math.inf
                else "lower "
            )
            notes.append(f"The results set no {side}bound to the rating of {row.player}.")
    return notes
