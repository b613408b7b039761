"""What policies play in all positions, as arrays: by compiled code where the policy is known to it, else each position is asked for."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.simultaneous.solver_address import solver_address
from ..compiled import run
from ..game.base import CHANCE, Game
from ..solvers.general.induction import cells_of_a_stage, new_memory
from ..solvers.general.positions import TooManyPositions
from ..solvers.general.reached import Positions
from .graph import COLUMNS, ROWS, measured
from .kernels import fill_equilibria, fill_uniform
from .policy import JoinedPolicy, Policy, SolutionPolicy, UniformPolicy, probabilities

SLICE = 50_000
"""Positions between two moments in which Ctrl-C is heard."""
OnProgress = Callable[[int], None]
"""Called now and then with how many positions are done; what it raises ends the work."""


def slices(count: int, on_progress: OnProgress | None) -> Iterable[tuple[int, int]]:
    """The numbers of all positions, some at a time."""
    for first in range(0, count, SLICE):
        yield first, min(first + SLICE, count)
        if on_progress is not None:
            on_progress(min(first + SLICE, count))


class Choices:
    """All positions of a game, and where in an array the probabilities of each begin.

    starts: shape (positions + 1,); splits: shape (positions,), where player 1's begin. Chance has none, and who has no choice in a
    position one that is 1. `memory`: bytes of all that evaluating a policy takes; raises TooManyPositions beyond.
    """

    def __init__(self, positions: Positions, memory: float = float("inf")) -> None:
        game, count = positions.game, len(positions)
        self.positions = positions
        self.arrays = new_memory(game, len(positions.packing.base))
        nodes, sizes = measured(game, positions.root, positions.rows, count, positions.packing, self.arrays)
        sizes[nodes == CHANCE] = 0
        self.starts = np.concatenate([[0], np.cumsum(sizes[:, ROWS] + sizes[:, COLUMNS])])
        self.splits = self.starts[:-1] + sizes[:, ROWS]
        self.bytes = positions.table_bytes + 8 * (5 * count + int(self.starts[-1]))
        """Of the table, of probabilities and of what positions are worth."""
        if self.bytes > memory:
            raise TooManyPositions(
                f"the positions of {game!r} take {self.bytes / 1e6:,.0f} MB, more than {memory / 1e6:,.0f}"
            )

    @property
    def game(self) -> Game:
        """Whose positions they are."""
        return self.positions.game

    def weights(self, policy: Policy, on_progress: OnProgress | None = None) -> NDArray[np.float64]:
        """Both players' probabilities in all positions, one after another; raises PolicyError where a policy gives none."""
        if isinstance(policy, JoinedPolicy):
            first, second = self.weights(policy.first, on_progress), self.weights(policy.second, on_progress)
            ends = np.empty(2 * len(self.positions) + 1, np.int64)
            ends[0::2], ends[1::2] = self.starts, self.splits
            is_first = np.repeat(np.tile([True, False], len(self.positions)), np.diff(ends))
            return np.where(is_first, first, second)
        weights, unknown = np.zeros(int(self.starts[-1])), np.zeros(len(self.positions), np.uint8)
        if isinstance(policy, UniformPolicy) and policy.game == self.game:
            self._fill(fill_uniform, policy.only_searched, on_progress, weights)
        elif (
            isinstance(policy, SolutionPolicy)
            and policy.solution.game == self.game
            and policy.solution.discount is None
        ):
            solution = policy.solution
            self._fill(
                fill_equilibria,
                solution.is_folded,
                None,
                weights,
                solver_address(),
                solution.packing.arrays,
                solution.rows,
                np.zeros((3, cells_of_a_stage(self.game))),
                unknown,
            )
            self._ask(policy, on_progress, weights, unknown)
        else:
            unknown[:] = 1
            self._ask(policy, on_progress, weights, unknown)
        return weights

    def _fill(
        self, kernel: Any, option: bool, on_progress: OnProgress | None, weights: Any, *more: Any
    ) -> None:
        positions = self.positions
        for first, last in slices(len(positions), on_progress):
            run(
                kernel,
                self.game,
                positions.root,
                option,
                positions.rows,
                first,
                last,
                positions.packing.width,
                positions.packing.arrays,
                self.arrays,
                self.splits,
                self.starts,
                weights,
                *more,
            )

    def _ask(self, policy: Policy, on_progress: OnProgress | None, weights: Any, unknown: Any) -> None:
        """Ask a policy, in Python, for the positions that are marked."""
        game = self.game
        for index in np.flatnonzero(unknown).tolist():
            state = self.positions.state(index)
            if game.current_player(state) != CHANCE:
                given = policy(state)
                for player, begin in ((0, self.starts[index]), (1, self.splits[index])):
                    mixture = probabilities(game, state, lambda _, given=given: given, player)
                    weights[begin : begin + max(len(mixture), 1)] = list(mixture.values()) or [1.0]
            if on_progress is not None:
                on_progress(index + 1)
