"""A player that plays from a solved game, and how: what any player does who has the solution."""

import time
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from ..algorithms.result import SearchResult
from ..game import Game, GameError
from ..solvers.general.solution import Solution
from .base import Answer, Player, PlayerError
from .clock import Clock


def answer_from(
    solution: Solution, state: Any, player: int, choice: Literal["best", "mixture"], random: np.random.Generator
) -> Answer:
    """An action of an equilibrium of the whole game: drawn from its mixture, or with choice "best" the likeliest.

    Raises GameError in a position that cannot come about from the start that was solved.
    """
    started = time.perf_counter()
    stage = solution.at(state)
    mixture = stage.strategies[player]
    actions, weights = list(mixture), np.array(list(mixture.values()))
    if choice == "best":
        action = actions[int(weights.argmax())]
    else:
        action = int(random.choice(actions, p=weights / weights.sum()))
    found = SearchResult(
        value=stage.value, bounds=(stage.value, stage.value), strategies=stage.strategies, principal_variation=(),
        depth=0, exact=True, complete=True, seconds=time.perf_counter() - started,
    )  # fmt: skip
    return Answer(action, found)


class SolutionPlayer(Player):
    """Plays an equilibrium of the whole game: draws from its mixture, or with choice "best" takes the likeliest action.

    Raises PlayerError in a position that cannot come about from the start that was solved.
    """

    def __init__(self, solution: Solution, choice: Literal["best", "mixture"] = "mixture") -> None:
        self.solution = solution
        self.choice: Literal["best", "mixture"] = choice

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = np.random.default_rng(seed)

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Load what any position may need: an image, which the first one need not be, takes more."""
        super().warm(game, state, seats)
        self.solution.warm()

    def choose(self, state: Any, clock: Clock) -> Answer:
        try:
            return answer_from(self.solution, state, self.player, self.choice, self._random)
        except GameError as error:
            raise PlayerError(str(error)) from error
