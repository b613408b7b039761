"""Double oracle on one stage, step by step, for those who want to see how it grows its matrix.

It follows the rule of `double_oracle.stage` without bounds (the search `do`) in plain Python: the restricted game begins with the
first action of each player and is solved; of the actions that are not in, each player's best response to the other's mixture joins it, if
it gains more than rounding; when neither gains, the mixtures are an equilibrium of the whole stage. A cell is searched when it is needed,
and an action that cannot gain more than another already does, even if all its unknown cells were as good as can be, is given up, as there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...game import SIMULTANEOUS, TERMINAL, Game
from ...matrix import solve_matrix
from ..algorithm import Memory, UnsupportedGameError
from ..limits import Limits, StopToken
from ..searcher import Searcher
from .double_oracle import DoubleOracle

TOLERANCE = 1e-12
"""Of the range of values: a best response that gains no more is rounding; as in `double_oracle.next_want`."""


@dataclass(frozen=True)
class OracleStep:
    """The restricted game, solved, and what joins it. Values are player 0's, in the game's units."""

    actions: tuple[tuple[int, ...], tuple[int, ...]]
    """Each player's actions that are in, in the order of the stage."""
    matrix: tuple[tuple[float, ...], ...]
    """The values of the restricted game: a row for each action of player 0, a column for each of player 1."""
    value: float
    """What the restricted game is worth."""
    strategies: tuple[dict[int, float], dict[int, float]]
    """Its equilibrium, by action."""
    bounds: tuple[float, float]
    """What these strategies guarantee in the whole stage: player 0 gets the first at least, the second at most; its value is between."""
    responses: tuple[int | None, int | None]
    """Each player's best response among the actions that are not in; None where none gains."""
    cells: int
    """Joint actions searched so far."""


@dataclass(frozen=True)
class OracleTrace:
    """How a stage was solved; the bounds of the last step meet."""

    actions: tuple[tuple[int, ...], tuple[int, ...]]
    """All actions of each player."""
    steps: tuple[OracleStep, ...]

    @property
    def last(self) -> OracleStep:
        """The step whose bounds meet."""
        return self.steps[-1]


def trace_double_oracle(
    game: Game, state: Any, algorithm: DoubleOracle, depth: int | None = None, *, stop: StopToken | None = None
) -> OracleTrace:
    """Solve the stage of one position by double oracle, and keep every step.

    Each cell is the value of the position after it, searched by `algorithm` to `depth` - 1 more plies, or to the end of the game: what
    it comes to is the value of a search of the position to `depth`. `stop` cancels it: then KeyboardInterrupt is raised.
    Raises UnsupportedGameError where not both players have a choice.
    """
    check_stage(game, state)
    searcher = Searcher(game, algorithm, memory=Memory())
    limits = Limits() if depth is None else Limits(depth=depth - 1)

    def value_after(action0: int, action1: int) -> float:
        child = game.advance(state, action0, action1)
        if game.current_player(child) == TERMINAL:
            return float(game.returns(child))
        found = searcher.search(child, limits, stop=stop, variation=False)
        if not found.complete:
            raise KeyboardInterrupt
        return found.value

    reach = getattr(algorithm.leaf, "bound", 0.0)
    worst, best = min(float(game.min_utility), -reach), max(float(game.max_utility), reach)
    first, second = (tuple(game.search_actions(state, player)) for player in (0, 1))
    return _Growing((first, second), value_after, worst, best).trace()


def check_stage(game: Game, state: Any) -> None:
    """Raise UnsupportedGameError where a position has no matrix to be grown: not both players have a choice."""
    if game.current_player(state) != SIMULTANEOUS or min(len(game.search_actions(state, player)) for player in (0, 1)) < 2:
        raise UnsupportedGameError("a trace of double oracle needs a position in which both players choose at once among several actions")


class _Growing:
    """A stage that is being solved: its actions by place, the cells that are known, and which actions are in."""

    def __init__(
        self, actions: tuple[tuple[int, ...], tuple[int, ...]], value_after: Callable[[int, int], float], worst: float, best: float
    ) -> None:
        self._actions, self._value_after, self._range = actions, value_after, (worst, best)
        self._cells = np.full((len(actions[0]), len(actions[1])), np.nan)
        self._inside: tuple[set[int], set[int]] = ({0}, {0})

    def trace(self) -> OracleTrace:
        """Grow until neither player's best response gains."""
        steps: list[OracleStep] = []
        while not steps or steps[-1].responses != (None, None):
            steps.append(self._step())
        return OracleTrace(self._actions, tuple(steps))

    def _step(self) -> OracleStep:
        rows, columns = (sorted(side) for side in self._inside)
        for i in rows:
            for j in columns:
                self._know(i, j)
        matrix = self._cells[np.ix_(rows, columns)]
        solved = solve_matrix(matrix)
        x = dict(zip(rows, solved.row_strategy.tolist(), strict=True))
        y = dict(zip(columns, solved.column_strategy.tolist(), strict=True))
        row, upper = self._best_response(0, y, solved.value)
        column, lower = self._best_response(1, x, -solved.value)
        for side, place in zip(self._inside, (row, column), strict=True):
            if place is not None:
                side.add(place)
        first, second = self._actions
        return OracleStep(
            actions=(tuple(first[i] for i in rows), tuple(second[j] for j in columns)),
            matrix=tuple(map(tuple, matrix.tolist())),
            value=solved.value,
            strategies=({first[i]: share for i, share in x.items()}, {second[j]: share for j, share in y.items()}),
            bounds=(-lower, upper),
            responses=(None if row is None else first[row], None if column is None else second[column]),
            cells=int(np.isfinite(self._cells).sum()),
        )

    def _know(self, i: int, j: int) -> None:
        if np.isnan(self._cells[i, j]):
            self._cells[i, j] = self._value_after(self._actions[0][i], self._actions[1][j])

    def _best_response(self, player: int, mixture: dict[int, float], value: float) -> tuple[int | None, float]:
        """(the best action that is not in, what it gets), from the player's view; (None, the value) where none gains."""
        worst, high = self._range
        others = [place for place, share in mixture.items() if share > 0.0]
        outside = [line for line in range(len(self._actions[player])) if line not in self._inside[player]]
        while True:
            best, found, wanted = value + TOLERANCE * (high - worst), None, None
            gains = {line: self._gain(player, line, mixture, others) for line in outside}
            for line, (gain, unknown) in gains.items():
                if unknown is None and gain > best:
                    best, found = gain, line
            wanted = next(((line, unknown) for line, (gain, unknown) in gains.items() if unknown is not None and gain > best), None)
            if wanted is None:
                return found, value if found is None else best
            self._know(*(wanted if player == 0 else wanted[::-1]))

    def _gain(self, player: int, line: int, mixture: dict[int, float], others: list[int]) -> tuple[float, int | None]:
        """(the most an action can get against the mixture, the first cell of it that is not known or None)."""
        worst, high = self._range
        gain, unknown = 0.0, None
        for other in others:
            cell = float(self._cells[line, other] if player == 0 else -self._cells[other, line])
            if np.isnan(cell):
                cell, unknown = (high if player == 0 else -worst), other if unknown is None else unknown
            gain += mixture[other] * cell
        return gain, unknown
