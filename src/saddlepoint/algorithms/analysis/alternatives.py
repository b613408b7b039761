"""What every alternative is worth, deeper and deeper: a value for each move, or the matrix of a stage where both players choose.

Each joint action's successor is searched one step less deep than the position, so that the values at depth d are those that a
search of the position to depth d rests on. At a chance node the outcomes take the place of moves, and count as no step.
What is told is of one depth: the value, the strategies and the line are those of the very values beside them.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from ...matrix import solve_matrix
from ..algorithm import Algorithm, Memory
from ..limits import Limits, StopToken
from ..workspace import DEEPEST
from .fair import MeanSearcher
from .losses import column_loss, column_losses, row_loss, row_losses

_INTERVAL = 0.05
"""Seconds between two reports of an unfinished depth."""
_LINES_PART, _LEAST_LINE = 0.1, 0.02
"""Part of the time so far that all lines of a depth may take at most, and seconds that one may take in any case."""


class Line(NamedTuple):
    """One of the best moves of a player, and what follows it."""

    player: int
    action: int
    value: float
    """The move's at the finished depth; where both choose, its value against the other's mixture. Player 0's."""
    exact: bool
    """Whether that is proven."""
    joints: tuple[tuple[int, int], ...]
    """It begins with the move, and where both choose with the other's likeliest action beside it."""
    bound: str | None = None
    """`upper` or `lower` where the value is known to be no larger, or no smaller, and no more than that."""


@dataclass(frozen=True)
class TurnValues:
    """A value for each alternative at a node where one player, or chance, chooses. Values are player 0's."""

    player: int
    """0 or 1; -1 where chance draws."""
    depth: int
    """The depth that is being searched, or that is finished."""
    finished: int
    """The deepest finished depth; 0 before the first."""
    actions: tuple[int, ...]
    values: tuple[float | None, ...]
    """Of the finished depth; before the first is, what is known of it, and None."""
    exact: tuple[bool, ...]
    """Whether a value is proven."""
    value: float | None
    """The position's, at the finished depth: the best move's, or the mean over the outcomes."""
    line: tuple[tuple[int, int], ...] = ()
    """The best move, or the likeliest outcome, and, where the search is watched, what follows it at the finished depth."""
    lines: tuple[Line, ...] = ()
    """The best moves, the best first: so many as are wanted, in a search that is watched."""

    @property
    def is_proven(self) -> bool:
        """Whether the value is: every one of the alternatives is."""
        return self.finished > 0 and all(self.exact)

    def loss(self, actions: tuple[int, int]) -> tuple[float, float]:
        """What each player's action gives away against the best one, at the finished depth: 0 or more, in units of the game."""
        a, b = self.losses()
        return a.get(actions[0], 0.0), b.get(actions[1], 0.0)

    def losses(self) -> tuple[dict[int, float], dict[int, float]]:
        """The same of every action; empty for who has no choice."""
        if self.player not in (0, 1) or self.value is None:
            return {}, {}
        sign = -1.0 if self.player else 1.0
        lost = {a: max(0.0, sign * (self.value - one)) for a, one in zip(self.actions, self.values, strict=True) if one is not None}
        return (lost, {}) if self.player == 0 else ({}, lost)

    def after(self, actions: tuple[int, int]) -> float | None:
        """What the position is worth that a joint action, or an outcome of chance, leads to."""
        return self.values[self.actions.index(actions[max(0, self.player)])]

    def best(self) -> tuple[int, int]:
        """The best action (the first of equals) in its player's place."""
        known = [value for value in self.values if value is not None]
        if self.player not in (0, 1) or not known:
            return NO_ACTION, NO_ACTION
        action = self.actions[self.values.index(max(known) if self.player == 0 else min(known))]
        return (action, NO_ACTION) if self.player == 0 else (NO_ACTION, action)


@dataclass(frozen=True)
class StageValues:
    """The matrix of a stage where both players choose. Values are player 0's, who chooses the row."""

    depth: int
    finished: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: tuple[tuple[float | None, ...], ...]
    """Of the finished depth; before the first is, what is known of it, and None."""
    exact: tuple[tuple[bool, ...], ...]
    value: float | None
    """Of the matrix of the finished depth; None before the first."""
    mixtures: tuple[tuple[float, ...], tuple[float, ...]] | None
    """Both players' equilibrium strategies in that matrix, by row and by column."""
    solved: tuple[tuple[float, ...], ...] | None = None
    """That matrix."""
    line: tuple[tuple[int, int], ...] = ()
    """Both players' likeliest actions, and, where the search is watched, what follows them at the finished depth."""
    lines: tuple[Line, ...] = ()
    """So many as are wanted of either player: what it plays most often first, then what is best against the other's mixture."""

    @property
    def is_proven(self) -> bool:
        """Whether the value is: every pair's is."""
        return self.finished > 0 and all(map(all, self.exact))

    def loss(self, actions: tuple[int, int]) -> tuple[float, float]:
        """What each player's action gives away against that equilibrium strategy of the other which punishes it most.

        0 or more, in units of the game.
        """
        if self.solved is None or self.value is None:
            return 0.0, 0.0
        row, column = self.rows.index(actions[0]), self.columns.index(actions[1])
        return row_loss(self.solved, self.value, row), column_loss(self.solved, self.value, column)

    def losses(self) -> tuple[dict[int, float], dict[int, float]]:
        """The same of every action."""
        if self.solved is None or self.value is None:
            return {}, {}
        rows, columns = row_losses(self.solved, self.value, self.mixtures), column_losses(self.solved, self.value, self.mixtures)
        return dict(zip(self.rows, rows, strict=True)), dict(zip(self.columns, columns, strict=True))

    def after(self, actions: tuple[int, int]) -> float | None:
        """What the position is worth that a joint action leads to."""
        return self.values[self.rows.index(actions[0])][self.columns.index(actions[1])]

    def best(self) -> tuple[int, int]:
        """Both players' likeliest actions."""
        if self.mixtures is None:
            return NO_ACTION, NO_ACTION
        x, y = self.mixtures
        return self.rows[x.index(max(x))], self.columns[y.index(max(y))]


Alternatives = TurnValues | StageValues


def find_alternatives(
    game: Game, state: Any, algorithm: Algorithm, limits: Limits, *,
    stop: StopToken | None = None, memory: Memory | None = None, played: tuple[int, int] | None = None,
    on_update: Callable[[Alternatives], None] | None = None, interval: float = _INTERVAL, searcher: MeanSearcher | None = None,
    lines: int = 0,
) -> Alternatives:  # fmt: skip
    """The values of all alternatives at the deepest depth that the limits allow; `nodes` are those of all searches together.

    At a turn these are the legal actions; where both choose, the actions that a search looks at (`search_actions`), and those
    that were `played`. The first depth is always finished, whatever the limits, unless `stop` ends it. `on_update` gets
    an immutable value whenever a depth is finished, and while the first one is searched as values become known, at most every
    `interval` seconds.

    The values mean what the algorithm's values mean: those of a serialised search, in a game where both move at once, are
    bounds of the equilibrium's. With `on_update` so many best moves of a player have their `lines`. A `searcher` searches in the
    algorithm's place. Raises ValueError for a finished game, else as `search`.
    """
    looks = searcher or MeanSearcher(game, (algorithm,), memory)
    return _Survey(game, state, looks, limits, stop or StopToken(), played, on_update, interval, lines).run()


class _Survey:
    """The search of all alternatives of one position."""

    def __init__(
        self, game: Game, state: Any, searcher: MeanSearcher, limits: Limits, stop: StopToken,
        played: tuple[int, int] | None, on_update: Callable[[Alternatives], None] | None, interval: float, lines: int,
    ) -> None:  # fmt: skip
        self._node = int(game.current_player(state))
        if self._node == TERMINAL:
            raise ValueError("the game is over in this position; there is no alternative")
        self._game, self._limits, self._stop = game, limits, stop
        self._on_update, self._interval, self._wanted = on_update, interval, lines
        self._searcher = searcher
        self._rows, self._columns, self._weights = self._choices(state, played)
        shape = len(self._rows), len(self._columns)
        self._states = {(i, j): self._after(state, i, j) for i in range(shape[0]) for j in range(shape[1])}
        self._values: list[list[float | None]] = [[None] * shape[1] for _ in range(shape[0])]
        self._exact = [[False] * shape[1] for _ in range(shape[0])]
        self._settled = [[False] * shape[1] for _ in range(shape[0])]  # no deeper search finds another value
        self._solved: np.ndarray[Any, Any] | None = None
        self._solution: Any = None
        self._solved_exact: tuple[tuple[bool, ...], ...] = ()
        self._line: tuple[tuple[int, int], ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._finished = self._nodes = 0
        self._started = self._reported = time.perf_counter()

    def _choices(self, state: Any, played: tuple[int, int] | None) -> tuple[list[int], list[int], list[float]]:
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

    def _after(self, state: Any, i: int, j: int) -> Any:
        return self._game.advance(state, self._rows[i], self._columns[j])

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
        return self._value(max(1, self._finished))

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
            if not self._finished and time.perf_counter() - self._reported >= self._interval:
                self._tell(depth)
        return True

    def _order(self) -> Iterator[tuple[int, int]]:
        """The alternatives that matter most first."""
        cells: Iterable[tuple[int, int]] = self._states
        if self._solution is not None:
            x, y = self._solution.row_strategy, self._solution.column_strategy
            cells = sorted(cells, key=lambda cell: -(x[cell[0]] + y[cell[1]]))
        return iter(cells)

    def _below(self, depth: int) -> int:
        """How deep a successor is searched."""
        return depth if self._node == CHANCE else depth - 1

    def _rest(self, depth: int) -> Limits | None:
        """What is left for the next search; None where nothing is."""
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
        self._finished = depth
        self._solved = np.array(self._values, np.float64)
        self._solved_exact = tuple(tuple(row) for row in self._exact)
        if self._node == SIMULTANEOUS or self._node in (0, 1):
            self._solution = solve_matrix(self._solved)
        i, j = self._likeliest()
        watched = self._on_update is not None
        below = self._searcher.variation(self._states[i, j], self._below(depth), self._stop) if watched else ()
        self._line = ((self._rows[i], self._columns[j]), *below)
        if watched and self._wanted:
            known = {(i, j): self._line}
            self._lines = tuple(self._lines_of(depth, known))

    def _lines_of(self, depth: int, known: dict[tuple[int, int], tuple[tuple[int, int], ...]]) -> Iterator[Line]:
        """The lines of the best moves. What the table forgot is not searched for long again: then a line is its first move."""
        seconds = max(_LEAST_LINE, _LINES_PART * (time.perf_counter() - self._started) / (2 * self._wanted))
        for player, i, j, value, exact in self._best_cells():
            if (i, j) not in known:
                below = self._searcher.variation(self._states[i, j], self._below(depth), self._stop, seconds)
                known[i, j] = ((self._rows[i], self._columns[j]), *below)
            yield Line(player, (self._rows[i], self._columns[j])[player], value, exact, known[i, j])

    def _best_cells(self) -> Iterator[tuple[int, int, int, float, bool]]:
        """The best moves of each player that chooses: player, row, column, value, whether that is proven."""
        solved, exact, solution = self._solved, self._solved_exact, self._solution
        if solved is None or solution is None:
            return
        i, j = self._likeliest()
        if self._node != 1:
            weights, values = solution.row_strategy, solved @ solution.column_strategy
            order = sorted(range(len(self._rows)), key=lambda row: (-round(weights[row], 3), -values[row]))
            for row in order[: self._wanted]:
                yield 0, row, j, float(values[row]), all(exact[row])
        if self._node != 0:
            weights, values = solution.column_strategy, solution.row_strategy @ solved
            order = sorted(range(len(self._columns)), key=lambda column: (-round(weights[column], 3), values[column]))
            for column in order[: self._wanted]:
                yield 1, i, column, float(values[column]), all(one[column] for one in exact)

    def _likeliest(self) -> tuple[int, int]:
        """The first of the likeliest actions of each player, or the first of the likeliest outcomes."""
        if self._solution is None:
            return self._weights.index(max(self._weights)), 0
        return int(np.argmax(self._solution.row_strategy)), int(np.argmax(self._solution.column_strategy))

    def _tell(self, depth: int) -> None:
        self._reported = time.perf_counter()
        if self._on_update is not None:
            self._on_update(self._value(depth))

    def _value(self, depth: int) -> Alternatives:
        solution, solved = self._solution, self._solved
        values: tuple[tuple[float | None, ...], ...]
        values, exact = tuple(tuple(row) for row in self._values), tuple(tuple(row) for row in self._exact)
        if solved is not None:
            values, exact = tuple(tuple(row) for row in solved.tolist()), self._solved_exact
        if self._node == SIMULTANEOUS:
            return StageValues(
                depth, self._finished, tuple(self._rows), tuple(self._columns), values, exact,
                None if solution is None else solution.value,
                None if solution is None else (tuple(solution.row_strategy.tolist()), tuple(solution.column_strategy.tolist())),
                None if solved is None else tuple(tuple(row) for row in solved.tolist()), self._line,
                self._lines,
            )  # fmt: skip
        value = None if solved is None else float(solution.value if solution is not None else self._weights @ solved[:, 0])
        actions = self._columns if self._node == 1 else self._rows
        return TurnValues(
            self._node, depth, self._finished, tuple(actions), sum(values, ()), sum(exact, ()), value, self._line, self._lines
        )
