"""The evaluation of policies: their values, and their exact best responses, over all reachable positions.

In a game of perfect information a best response is found from the end: in each position the action that is best against the other's
probabilities there. So the values are exact, up to rounding, for every policy that depends on the position alone.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.algorithm import UnsupportedGameError
from ..algorithms.simultaneous.solver_address import solver_address
from ..compiled import run
from ..game.base import CHANCE, TERMINAL, Game
from ..solvers.general.induction import cells_of_a_stage, new_memory
from ..solvers.general.positions import TooManyPositions
from ..solvers.general.reached import Positions, enumerate_positions
from ..solvers.general.solve import SolveCounts
from .graph import (
    AGAINST_FIRST,
    AGAINST_SECOND,
    BOTH,
    COLUMNS,
    ROWS,
    evaluate,
    fill_equilibria,
    fill_uniform,
    measured,
)
from .policy import JoinedPolicy, Mixtures, Policy, SolutionPolicy, UniformPolicy, probabilities

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
    """All positions of a game, and the indices of each one's probabilities in an array.

    starts: shape (positions + 1,); splits: shape (positions,), where player 1's begin. Chance has none, and a
    player without a choice in a position one that is 1. `memory`: bytes of all that evaluating a policy
    takes; raises TooManyPositions beyond.
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
        if isinstance(policy, WrittenPolicy) and policy.choices is self:
            return policy.weights
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
                np.zeros((0, 2)),
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


@dataclass(frozen=True)
class WrittenPolicy:
    """A policy whose probabilities are written down for all positions, in the order of `Choices.weights`."""

    choices: Choices
    weights: NDArray[np.float64]

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        choices, number = self.choices, self.choices.positions.number_of(state)
        first, second = (
            dict(
                zip(choices.game.legal_actions(state, player), self.weights[begin:end].tolist(), strict=False)
            )
            for player, begin, end in (
                (0, choices.starts[number], choices.splits[number]),
                (1, choices.splits[number], choices.starts[number + 1]),
            )
        )
        return first, second


def all_choices(
    game: Game,
    state: Any = None,
    *,
    memory: float = float("inf"),
    on_progress: Callable[[SolveCounts], None] | None = None,
) -> Choices:
    """All positions that can come about, for `Evaluation` to evaluate policies in.

    - `game`: the rules.
    - `state`: where the game begins; None: its usual start.
    - `memory`: bytes of all that this takes; raises TooManyPositions beyond.
    - `on_progress`: called about every 0.2 s.

    Raises UnsupportedGameError for a game whose positions come back.

    >>> from saddlepoint import Goofspiel
    >>> from saddlepoint.policies import all_choices
    >>> type(all_choices(Goofspiel(cards=3))).__name__
    'Choices'
    """
    if game.clock:
        raise UnsupportedGameError(
            f"positions of {game!r} come back: policies are evaluated where every game ends by its rules"
        )
    return Choices(enumerate_positions(game, state, memory=memory, on_progress=on_progress), memory)


class Evaluation:
    """The values of a policy in all positions of a game: played by both, and against best responses.

    `on_progress` is called with the count of positions for which the policy was asked; what it raises ends the work.
    Raises PolicyError for a policy that gives no probabilities.

    >>> from saddlepoint import BiasedRPS
    >>> from saddlepoint.policies import Evaluation, UniformPolicy, all_choices
    >>> game = BiasedRPS()
    >>> Evaluation(all_choices(game), UniformPolicy(game)).nash_conv > 0
    True
    """

    def __init__(self, choices: Choices, policy: Policy, on_progress: OnProgress | None = None) -> None:
        self.game, self.policy, self._positions = choices.game, policy, choices.positions
        positions, game, count = choices.positions, choices.game, len(choices.positions)
        if not count:
            self._worth = np.full((1, 3), float(game.returns(positions.root)))
            return
        weights = choices.weights(policy, on_progress)
        cells = np.zeros((3, cells_of_a_stage(game)))
        self._worth = np.zeros((count, 3))
        for first, last in slices(count, None):
            run(
                evaluate,
                game,
                positions.root,
                positions.rows,
                first,
                last,
                positions.packing.width,
                positions.slots,
                positions.packing.arrays,
                choices.arrays,
                choices.splits,
                choices.starts,
                weights,
                cells,
                self._worth,
            )

    @classmethod
    def of(cls, game: Game, policy: Policy, state: Any = None) -> "Evaluation":
        """The evaluation over all positions from `state` on, by default from the start."""
        return cls(all_choices(game, state), policy)

    @property
    def value(self) -> float:
        """Player 0's expected result where both play the policy."""
        return float(self._worth[-1, BOTH])

    @property
    def best_values(self) -> tuple[float, float]:
        """Player 0's expected result where player 0, and where player 1, responds best to the other's part of the policy."""
        return float(self._worth[-1, AGAINST_SECOND]), float(self._worth[-1, AGAINST_FIRST])

    @property
    def gains(self) -> tuple[float, float]:
        """Each player's gain by its best response, compared with playing the policy; 0 or more."""
        most, least = self.best_values
        return max(most - self.value, 0.0), max(self.value - least, 0.0)

    @property
    def nash_conv(self) -> float:
        """Both gains together; 0 in an equilibrium."""
        most, least = self.best_values
        return max(most - least, 0.0)

    def response(self, player: int) -> "BestResponse":
        """That player's best response to the other's part of the policy."""
        return BestResponse(self.best_values[player], player, _Responding(self, player))

    def worth(self, state: Any, responder: int) -> float:
        """Player 0's expected result from a position on where that player responds best."""
        if self.game.current_player(state) == TERMINAL:
            return float(self.game.returns(state))
        return float(
            self._worth[self._positions.number_of(state), (AGAINST_SECOND, AGAINST_FIRST)[responder]]
        )


@dataclass(frozen=True)
class BestResponse:
    """A best response to a policy: the result that it gets, and what it plays.

    >>> from saddlepoint import BiasedRPS, best_response
    >>> from saddlepoint.policies import UniformPolicy
    >>> game = BiasedRPS()
    >>> best_response(game, UniformPolicy(game), player=1).player
    1
    """

    value: float
    """Player 0's expected result from the start, whoever responds."""
    player: int
    """Who responds."""
    policy: Policy
    """The responder's best actions, each with probability 1, and the other player's part of the policy that is responded to."""


class _Responding:
    """The policy of a best response: pure actions of the responder, found by one look ahead."""

    def __init__(self, evaluation: Evaluation, player: int) -> None:
        self._evaluation, self._player = evaluation, player

    def __call__(self, state: Any, /) -> Mixtures:
        evaluation, player = self._evaluation, self._player
        game, given = evaluation.game, evaluation.policy(state)
        own = game.legal_actions(state, player)
        other = probabilities(game, state, lambda _: given, 1 - player) or {-1: 1.0}
        sign = 1 if player == 0 else -1

        def worth(action: int) -> float:
            pairs = [
                ((action, reply) if player == 0 else (reply, action), weight)
                for reply, weight in other.items()
            ]
            return sign * math.fsum(
                weight * evaluation.worth(game.advance(state, *joint), player)
                for joint, weight in pairs
                if weight
            )

        best = {max(own, key=worth): 1.0} if own else {}
        return (best, given[1]) if player == 0 else (given[0], best)


def value_of(game: Game, policy0: Policy, policy1: Policy | None = None, state: Any = None) -> float:
    """Player 0's expected result where each player plays by its policy (by the same one where `policy1` is
    None).

    Every position that can come about is looked at once: for games of up to some millions of positions.

    - `game`: the rules.
    - `policy0`: player 0's policy.
    - `policy1`: what player 1 plays by; None: the same.
    - `state`: where the game begins; None: its usual start.

    Raises PolicyError for a policy that gives no probabilities, and UnsupportedGameError for a game whose positions come back.

    >>> from saddlepoint import BiasedRPS, value_of
    >>> from saddlepoint.policies import UniformPolicy
    >>> game = BiasedRPS()
    >>> abs(round(value_of(game, UniformPolicy(game)), 4))
    0.0
    """
    return Evaluation.of(game, policy0 if policy1 is None else JoinedPolicy(policy0, policy1), state).value


def best_response(game: Game, policy: Policy, player: int, state: Any = None) -> BestResponse:
    """A player's exact best response to the other player's part of a policy.

    - `game`: the rules.
    - `policy`: the other player's policy.
    - `player`: the player that responds, 0 or 1.
    - `state`: where the game begins; None: its usual start.

    Raises what `value_of` raises, and ValueError for another player.

    >>> from saddlepoint import BiasedRPS, best_response
    >>> from saddlepoint.policies import UniformPolicy
    >>> game = BiasedRPS()
    >>> round(best_response(game, UniformPolicy(game), player=0).value, 4)
    8.3333
    """
    if player not in (0, 1):
        raise ValueError(f"a player is 0 or 1, not {player!r}")
    return Evaluation.of(game, policy, state).response(player)


def nash_conv(game: Game, policy: Policy, state: Any = None) -> float:
    """The exact NashConv of a policy, its distance from an equilibrium: the sum of both best responses'
    gains, in the game's units.

    0 in an equilibrium. OpenSpiel's exploitability is half of it.

    - `game`: the rules.
    - `policy`: what is measured.
    - `state`: where the game begins; None: its usual start.

    Raises what `value_of` raises.

    >>> from saddlepoint import BiasedRPS, nash_conv
    >>> from saddlepoint.policies import UniformPolicy
    >>> game = BiasedRPS()
    >>> round(nash_conv(game, UniformPolicy(game)), 3)
    16.667
    """
    return Evaluation.of(game, policy, state).nash_conv
