"""What policies are worth: both played, and each against its best response. All positions that can come about are looked at once.

In a game of perfect information a best response is found from the end: in each position the action that is best against the other's
probabilities there. So the values are exact, up to rounding, for every policy that depends on the position alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.algorithm import UnsupportedGameError
from ..compiled import run
from ..game.base import TERMINAL, Game
from ..solvers.general.induction import cells_of_a_stage
from ..solvers.general.reached import enumerate_positions
from ..solvers.general.solve import SolveCounts
from .kernels import AGAINST_FIRST, AGAINST_SECOND, BOTH, evaluate
from .policy import JoinedPolicy, Mixtures, Policy, probabilities
from .weights import Choices, OnProgress, slices


def all_choices(
    game: Game,
    state: Any = None,
    *,
    memory: float = float("inf"),
    on_progress: Callable[[SolveCounts], None] | None = None,
) -> Choices:
    """All positions that can come about from `state`, by default from the start, for `Evaluation` to evaluate policies in.

    `memory`: bytes of all that this takes; raises TooManyPositions beyond. Raises UnsupportedGameError for a game whose positions come
    back. `on_progress` is called about every 0.2 s.
    """
    if game.clock:
        raise UnsupportedGameError(
            f"positions of {game!r} come back: policies are evaluated where every game ends by its rules"
        )
    return Choices(enumerate_positions(game, state, memory=memory, on_progress=on_progress), memory)


class Evaluation:
    """What a policy is worth in all positions of a game: played by both, and against best responses.

    `on_progress` is called with the count of positions for which the policy was asked; what it raises ends the work.
    Raises PolicyError for a policy that gives no probabilities.
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
        """Of all positions from `state` on, by default from the start."""
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
        """What each player gains by its best response, compared with playing the policy."""
        most, least = self.best_values
        return max(most - self.value, 0.0), max(self.value - least, 0.0)

    @property
    def nash_conv(self) -> float:
        """Both gains together; 0 in an equilibrium."""
        most, least = self.best_values
        return max(most - least, 0.0)

    def worth(self, state: Any, responder: int) -> float:
        """Player 0's expected result from a position on where that player responds best."""
        if self.game.current_player(state) == TERMINAL:
            return float(self.game.returns(state))
        return float(
            self._worth[self._positions.number_of(state), (AGAINST_SECOND, AGAINST_FIRST)[responder]]
        )


@dataclass(frozen=True)
class BestResponse:
    """A best response to a policy: the result that it gets, and what it plays."""

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
    """Player 0's expected result where player 0 plays by one policy and player 1 by another (by the same where none is given).

    `state` is where the game begins, by default its usual start. Every position that can come about is looked at once: for games of up
    to some millions of positions. Raises PolicyError for a policy that gives no probabilities, and UnsupportedGameError for a game whose
    positions come back.
    """
    return Evaluation.of(game, policy0 if policy1 is None else JoinedPolicy(policy0, policy1), state).value


def best_response(game: Game, policy: Policy, player: int, state: Any = None) -> BestResponse:
    """The best that `player` (0 or 1) can do against the other player's part of a policy, exactly; see `value_of`."""
    if player not in (0, 1):
        raise ValueError(f"a player is 0 or 1, not {player!r}")
    evaluation = Evaluation.of(game, policy, state)
    return BestResponse(evaluation.best_values[player], player, _Responding(evaluation, player))


def nash_conv(game: Game, policy: Policy, state: Any = None) -> float:
    """How far a policy is from an equilibrium, exactly: what best responses to both players gain together, in the game's units.

    0 in an equilibrium. OpenSpiel's exploitability is half of it. See `value_of` for `state` and errors.
    """
    return Evaluation.of(game, policy, state).nash_conv
