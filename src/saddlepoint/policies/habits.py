"""What a player is likely to do, by what it was seen to do; and the best answers to that."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.algorithm import UnsupportedGameError
from ..game.base import Game
from ..solvers.general.positions import TooManyPositions
from ..solvers.general.reached import Walks, enumerate_positions
from ..solvers.general.successors import without_clock
from .evaluation import Choices, Evaluation, WrittenPolicy
from .lower_bound import RandomGames, Responder
from .policy import Mixtures, UniformPolicy

PRIOR = 1.0
"""Choices that count as seen in each position beforehand, shared out evenly among all legal actions: Dirichlet's prior."""

_KEPT = 50_000
"""Positions of which an answer remembers what was found."""

_WALKS, _LEAST = 1024, 60
"""Random walks that tell how many positions there are, and the least bytes that one takes."""

Answer = Callable[[Any], int]
"""Gives an action in a position in which the player that answers has a choice."""


class Habits:
    """How often somebody took which action, by position, on either side; as a policy what is expected of it next.

    That is (times that it took the action + the action's share of `PRIOR`) / (choices seen there + `PRIOR`): where it was never met, all
    legal actions alike. With `choices` the answers are exact best responses in all positions. Without, they look ahead, and a position
    is the same whatever the game's clock says.
    """

    def __init__(self, game: Game, choices: Choices | None = None) -> None:
        self.game, self.choices = game, choices
        self._seen: dict[tuple[Any, int], NDArray[np.float64]] = {}
        self._places: dict[tuple[Any, int], int] = {}
        if choices is not None:
            self._even = PRIOR * choices.weights(UniformPolicy(game))
            ends = np.unique(np.concatenate([choices.starts, choices.splits]))
            self._blocks, self._sizes = ends[:-1], np.diff(ends)

    @property
    def met(self) -> int:
        """In how many positions it was seen to choose."""
        return len(self._seen)

    def see(self, state: Any, player: int, action: int) -> None:
        """It was this player and took this action; raises GameError for a position that is none of `choices`."""
        legal, key = self.game.legal_actions(state, player), self._key(state, player)
        if key not in self._seen:
            if self.choices is not None:
                number = self.choices.positions.number_of(state)
                self._places[key] = int((self.choices.starts, self.choices.splits)[player][number])
            self._seen[key] = np.zeros(len(legal))
        self._seen[key][legal.index(action)] += 1

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        first, second = (self._expected(state, player) for player in (0, 1))
        return first, second

    def _key(self, state: Any, player: int) -> tuple[Any, int]:
        return (state if self.choices is not None else without_clock(self.game, state)), player

    def _expected(self, state: Any, player: int) -> dict[int, float]:
        legal = self.game.legal_actions(state, player)
        if not legal:
            return {}
        seen = self._seen.get(self._key(state, player))
        counts = PRIOR / len(legal) + (0 if seen is None else seen) * np.ones(len(legal))
        return dict(zip(legal, (counts / counts.sum()).tolist(), strict=True))

    def answers(self, look: int = 100, seed: int = 0) -> tuple[tuple[Answer, Answer], float | None]:
        """The answers of player 0 and of player 1 to what is expected now, and what they then win a game, on both sides in turn, or None.

        - `look`: of answers that look ahead, see `Responder`.
        - `seed`: of the random games at the end of the looking.
        """
        if self.choices is None:
            known: Any = functools.lru_cache(_KEPT)(self)
            leaf = RandomGames(self.game, seed=seed)
            first, second = (Responder(self.game, known, player, leaf, look).choose for player in (0, 1))
            return (first, second), None
        weights = self._even.copy()
        for key, counts in self._seen.items():
            weights[self._places[key] :][: len(counts)] += counts
        weights /= np.repeat(np.add.reduceat(weights, self._blocks), self._sizes)
        evaluation = Evaluation(self.choices, WrittenPolicy(self.choices, weights))
        first, second = (_pure(evaluation.response(player).policy, player) for player in (0, 1))
        return (first, second), evaluation.nash_conv / 2


def _pure(policy: Callable[[Any], Mixtures], player: int) -> Answer:
    @functools.lru_cache(_KEPT)
    def action(state: Any) -> int:
        given = policy(state)[player]
        return max(given, key=lambda choice: given[choice])

    return action


def choices_within(game: Game, state: Any, memory: float) -> Choices | None:
    """All positions from one on, each with its clock; None where they take more than so many bytes, or never end."""
    if Walks(game, state, fold=False).size(_WALKS).positions * _LEAST > memory:
        return None
    try:
        return Choices(enumerate_positions(game, state, memory=memory), memory)
    except (UnsupportedGameError, TooManyPositions):
        return None
