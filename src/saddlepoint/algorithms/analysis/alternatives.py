"""The values of all alternatives in a position, deeper and deeper: one for each move, or the matrix of a
stage.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from ...matrix import solve_matrix
from ..algorithm import Algorithm, Memory
from ..limits import Limits, StopToken
from ..result import Joint, Line, Strategies
from ..table import DEEPEST
from .fair import FoundDepth, MeanSearcher
from .verdict import column_losses, row_losses

# Each joint action's successor is searched one step less deep than the position, so that the values at depth d are those that a
# search of the position to depth d rests on. At a chance node the outcomes take the place of actions, and count as no step.
# A report is of one depth: the value, the strategies and the line are those of the very values beside them.

_INTERVAL = 0.05
"""Seconds between two reports of an unfinished depth."""
_LINES_PART, _LEAST_LINE = 0.1, 0.02
"""Part of the time so far that all lines of a depth may take at most, and seconds that one may take in any case."""


class BestMove(NamedTuple):
    """One of the best moves of a player, and what follows it."""

    player: int
    action: int
    value: float
    """The move's at the finished depth; where both choose, its value against the other's mixture. Player 0's."""
    exact: bool
    """Whether that is proven."""
    line: Line
    """It begins with the move, and where both choose with the other's likeliest action beside it."""
    bound: str | None = None
    """`upper` or `lower` where the value is known to be no larger, or no smaller, and no more than that."""


@dataclass(frozen=True)
class Alternatives:
    """The value of every joint action in a position, player 0's: a row for each action of player 0, a column for each of player 1.

    Who has no choice has the one action -1; where chance is to move, its outcomes are the rows.
    """

    node: int
    """Who chooses: 0, 1, SIMULTANEOUS or CHANCE."""
    depth: int
    """The depth that is being searched, or that is finished."""
    finished: int
    """The deepest finished depth; 0 before the first."""
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: tuple[tuple[float | None, ...], ...]
    """Of the finished depth; before the first is, what is known of it, and None."""
    exact: tuple[tuple[bool, ...], ...]
    """Whether a value is proven."""
    value: float | None
    """The position's, at the finished depth: of the matrix, or the mean over the outcomes; None before the first."""
    mixtures: tuple[tuple[float, ...], tuple[float, ...]] | None
    """Both players' equilibrium strategies in the matrix, by row and by column; None before the first depth, and for chance."""
    solved: tuple[tuple[float, ...], ...] | None = None
    """The matrix of the finished depth."""
    line: Line = Line()
    """The likeliest actions, or outcome, and, where `on_update` is given, what follows them at the finished depth."""
    lines: tuple[BestMove, ...] = ()
    """The best moves of each player, as many as wanted: those it plays most often, then those best against the other's mixture."""

    @property
    def is_stage(self) -> bool:
        """Whether both players choose."""
        return self.node == SIMULTANEOUS

    @property
    def is_proven(self) -> bool:
        """Whether the value is proven: every one of the alternatives is."""
        return self.finished > 0 and all(map(all, self.exact))

    @property
    def moves(self) -> list[tuple[int, float | None, bool]]:
        """(action, value, whether it is proven) of each alternative where one player, or chance, chooses."""
        actions = self.columns if self.node == 1 else self.rows
        return list(zip(actions, sum(self.values, ()), sum(self.exact, ()), strict=True))

    def losses(self) -> Strategies:
        """The loss of every action of each player, in units of the game, 0 or more.

        Empty for a player without a choice.

        At a stage it is the loss against that equilibrium strategy of the other player which punishes the action most, else against
        the best action.
        """
        if self.solved is None or self.value is None or self.node == CHANCE:
            return {}, {}
        if self.node == 0:
            return {
                a: max(0.0, self.value - row[0]) for a, row in zip(self.rows, self.solved, strict=True)
            }, {}
        if self.node == 1:
            return {}, {
                b: max(0.0, one - self.value) for b, one in zip(self.columns, self.solved[0], strict=True)
            }
        rows = row_losses(self.solved, self.value, self.mixtures)
        columns = column_losses(self.solved, self.value, self.mixtures)
        return dict(zip(self.rows, rows, strict=True)), dict(zip(self.columns, columns, strict=True))

    def after(self, actions: Joint) -> float | None:
        """The value of the position that a joint action, or an outcome of chance, leads to."""
        i, j = (
            0 if own == (NO_ACTION,) else own.index(action)
            for own, action in zip((self.rows, self.columns), actions, strict=True)
        )
        return self.values[i][j]

    def best(self) -> Joint:
        """Each player's most probable action, at a turn the best one (the first of equals).

        -1 for a player without a choice.
        """
        if self.mixtures is None:
            return NO_ACTION, NO_ACTION
        x, y = self.mixtures
        return self.rows[x.index(max(x))], self.columns[y.index(max(y))]


def find_alternatives(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    *,
    stop: StopToken | None = None,
    memory: Memory | None = None,
    played: Joint | None = None,
    on_update: Callable[[Alternatives], None] | None = None,
    interval: float = _INTERVAL,
    searcher: MeanSearcher | None = None,
    lines: int = 0,
) -> Alternatives:
    """The values of all alternatives at the deepest depth that the limits allow; `nodes` are those of all searches together.

    At a turn these are the legal actions; where both choose, the actions that a search looks at (`search_actions`), and those
    that were `played`. The first depth is always finished, whatever the limits, unless `stop` ends it. `on_update` gets
    an immutable value whenever a depth is finished, and while the first one is searched as values become known, at most every
    `interval` seconds.

    The values mean what the algorithm's values mean: those of a serialised search, in a game where both move at once, are
    bounds of the equilibrium's. With `on_update` that many best moves of a player have `lines`. A `searcher` searches in the
    algorithm's place. Raises ValueError for a finished game, else as `search`.
    """
    looks = searcher or MeanSearcher(game, (algorithm,), memory)
    return _Survey(game, state, looks, limits, stop or StopToken(), played, on_update, interval, lines).run()


class _Survey:
    """The search of all alternatives of one position."""

    def __init__(
        self,
        game: Game,
        state: Any,
        searcher: MeanSearcher,
        limits: Limits,
        stop: StopToken,
        played: Joint | None,
        on_update: Callable[[Alternatives], None] | None,
        interval: float,
        lines: int,
    ) -> None:
        self._node = int(game.current_player(state))
        if self._node == TERMINAL:
            raise ValueError("the game is over in this position; there is no alternative")
        self._game, self._limits, self._stop = game, limits, stop
        self._on_update, self._interval, self._wanted = on_update, interval, lines
        self._searcher = searcher
        self._rows, self._columns, self._weights = self._choices(state, played)
        shape = len(self._rows), len(self._columns)
        self._states = {
            (i, j): game.advance(state, row, column)
            for i, row in enumerate(self._rows)
            for j, column in enumerate(self._columns)
        }
        self._values: list[list[float | None]] = [[None] * shape[1] for _ in range(shape[0])]
        self._exact = [[False] * shape[1] for _ in range(shape[0])]
        self._settled = [[False] * shape[1] for _ in range(shape[0])]  # no deeper search finds another value
        self._solved: np.ndarray[Any, Any] | None = None
        self._solution: Any = None
        self._report: Alternatives | None = None
        """Of the deepest finished depth."""
        self._nodes = 0
        self._started = self._reported = time.perf_counter()

    def _choices(self, state: Any, played: Joint | None) -> tuple[list[int], list[int], list[float]]:
        game = self._game
        if self._node == CHANCE:
            outcomes = game.chance_outcomes(state)
            return [outcome for outcome, _ in outcomes], [NO_ACTION], [p for _, p in outcomes]
        if self._node == SIMULTANEOUS:
            own = [list(game.search_actions(state, player)) for player in (0, 1)]
            for player in (0, 1):
                if played is not None and played[player] not in own[player]:
                    own[player].append(played[player])
            return own[0], own[1], []
        actions = list(game.legal_actions(state, self._node))
        return (actions, [NO_ACTION], []) if self._node == 0 else ([NO_ACTION], actions, [])

    def run(self) -> Alternatives:
        deepest = min(self._game.max_depth, DEEPEST)
        wanted = deepest if self._limits.depth is None else min(self._limits.depth, deepest)
        for depth in range(1, max(1, wanted) + 1):
            if not self._fill(depth):
                break
            self._solve(depth)
            self._tell(depth)
            if all(all(row) for row in self._settled):
                break
        return self._reported_as(1 if self._report is None else self._report.depth)

    def _fill(self, depth: int) -> bool:
        """Search all alternatives for a depth; whether nothing ended it."""
        for i, j in self._order():
            if self._settled[i][j]:
                continue
            limits = self._rest(depth)
            if limits is None or self._stop.stopped:
                return False
            found = self._searcher.search(self._states[i, j], limits, stop=self._stop, deepen=False)
            self._nodes += found.nodes
            if not found.complete:
                return False
            self._values[i][j], self._exact[i][j] = found.value, found.exact
            self._settled[i][j] = found.exact or self._searcher.ended
            if self._report is None and time.perf_counter() - self._reported >= self._interval:
                self._tell(depth)
        return True

    def _order(self) -> list[tuple[int, int]]:
        """The alternatives that matter most first."""
        if self._solution is None:
            return list(self._states)
        x, y = self._solution.row_strategy, self._solution.column_strategy
        return sorted(self._states, key=lambda cell: -(x[cell[0]] + y[cell[1]]))

    def _below(self, depth: int) -> int:
        """The depth to which a successor is searched."""
        return depth if self._node == CHANCE else depth - 1

    def _rest(self, depth: int) -> Limits | None:
        """The limits that are left for the next search; None where nothing is left."""
        below = self._below(depth)
        if depth == 1:
            return Limits(below)
        nodes = None if self._limits.nodes is None else self._limits.nodes - self._nodes
        spent = time.perf_counter() - self._started
        seconds = None if self._limits.seconds is None else self._limits.seconds - spent
        if (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
            return None
        return Limits(below, nodes, seconds)

    def _solve(self, depth: int) -> None:
        self._solved = solved = np.array(self._values, np.float64)
        if self._node == CHANCE:
            value, mixtures = float(self._weights @ solved[:, 0]), None
        else:
            self._solution = solution = solve_matrix(solved)
            value = solution.value
            mixtures = tuple(solution.row_strategy.tolist()), tuple(solution.column_strategy.tolist())
        i, j = self._likeliest()
        watched = self._on_update is not None
        below = (
            self._searcher.variation(self._states[i, j], self._below(depth), self._stop) if watched else ()
        )
        line = Line(((self._rows[i], self._columns[j]), *below))
        matrix = tuple(map(tuple, solved.tolist()))
        self._report = replace(
            self._reported_as(depth),
            finished=depth,
            values=matrix,
            exact=tuple(map(tuple, self._exact)),
            value=value,
            mixtures=mixtures,
            solved=matrix,
            line=line,
            lines=tuple(self._lines_of(depth, {(i, j): line})) if watched and self._wanted else (),
        )

    def _lines_of(self, depth: int, known: dict[tuple[int, int], Line]) -> Iterator[BestMove]:
        """The lines of the best moves. What the table forgot is not searched for long again: then a line is its first move."""
        seconds = max(_LEAST_LINE, _LINES_PART * (time.perf_counter() - self._started) / (2 * self._wanted))
        for player, i, j, value, exact in self._best_cells():
            if (i, j) not in known:
                below = self._searcher.variation(self._states[i, j], self._below(depth), self._stop, seconds)
                known[i, j] = Line(((self._rows[i], self._columns[j]), *below))
            yield BestMove(player, (self._rows[i], self._columns[j])[player], value, exact, known[i, j])

    def _best_cells(self) -> Iterator[tuple[int, int, int, float, bool]]:
        """The best moves of each player that chooses: player, row, column, value, whether that is proven."""
        solved, exact, solution = self._solved, self._exact, self._solution
        if solved is None or solution is None:
            return
        i, j = self._likeliest()
        if self._node != 1:
            values = solved @ solution.column_strategy
            for row in _best_first(solution.row_strategy, -values)[: self._wanted]:
                yield 0, row, j, float(values[row]), all(exact[row])
        if self._node != 0:
            values = solution.row_strategy @ solved
            for column in _best_first(solution.column_strategy, values)[: self._wanted]:
                yield 1, i, column, float(values[column]), all(one[column] for one in exact)

    def _likeliest(self) -> tuple[int, int]:
        """The first of the likeliest actions of each player, or the first of the likeliest outcomes."""
        if self._solution is None:
            return self._weights.index(max(self._weights)), 0
        return int(np.argmax(self._solution.row_strategy)), int(np.argmax(self._solution.column_strategy))

    def _tell(self, depth: int) -> None:
        self._reported = time.perf_counter()
        if self._on_update is not None:
            self._on_update(self._reported_as(depth))

    def _reported_as(self, depth: int) -> Alternatives:
        """The report while a depth is searched: that of the last finished depth, before the first the values
        so far.
        """
        if self._report is not None:
            return replace(self._report, depth=depth)
        values, exact = tuple(map(tuple, self._values)), tuple(map(tuple, self._exact))
        return Alternatives(
            self._node, depth, 0, tuple(self._rows), tuple(self._columns), values, exact, None, None
        )


def _best_first(weights: Any, costs: Any) -> list[int]:
    """The places of a player's actions: those it plays most often, of equals those that cost it least."""
    return sorted(range(len(weights)), key=lambda place: (-round(weights[place], 3), costs[place]))


# What a proof leaves of the values of alternatives that were searched less deep than it.


def as_proven(found: Alternatives, proof: FoundDepth) -> Alternatives:
    """These alternatives with the value, the strategies and the line of a search that proved the position's value.

    Beside a proven value nothing is left that was only estimated: an alternative keeps its value where that is proven itself,
    and the one that both strategies choose for certain has the position's. All others are None.
    """
    assert proof.exact
    x, y = (
        tuple(1.0 if action == NO_ACTION else strategy.get(action, 0.0) for action in own)
        for own, strategy in zip((found.rows, found.columns), proof.strategies, strict=True)
    )
    cells = tuple(
        tuple(
            proof.value if x[i] * y[j] == 1.0 else value if found.exact[i][j] else None
            for j, value in enumerate(row)
        )
        for i, row in enumerate(found.values)
    )
    return replace(
        found,
        value=proof.value,
        values=cells,
        exact=tuple(tuple(value is not None for value in row) for row in cells),
        mixtures=(x, y) if found.node != CHANCE else None,
        line=proof.line,
        lines=_lines(found, proof),
    )


def _lines(found: Alternatives, proof: FoundDepth) -> tuple[BestMove, ...]:
    """The lines beside a proof: what a player's strategy plays is worth what the position is, any other move no more than that to it."""
    moves: list[BestMove] = []
    for one in found.lines:
        line = proof.line if proof.line and one.line[0] == proof.line[0] else one.line
        if proof.strategies[one.player].get(one.action, 0.0) > 0:
            moves.append(one._replace(value=proof.value, exact=True, line=line))
        elif one.exact and not found.is_stage:
            moves.append(one)
        else:
            bound = "lower" if one.player else "upper"
            moves.append(one._replace(value=proof.value, exact=False, bound=bound, line=line))
    for player, strategy in enumerate(proof.strategies):
        best = max(strategy, key=lambda action: strategy[action], default=None)
        is_there = any((one.player, one.action) == (player, best) for one in moves)
        if found.lines and best is not None and proof.line and not is_there:
            moves.append(BestMove(player, best, proof.value, True, proof.line))
    return tuple(
        sorted(moves, key=lambda one: (one.player, -proof.strategies[one.player].get(one.action, 0.0)))
    )
