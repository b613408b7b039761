"""A player that plays from a solved game's file."""

import time
from typing import Any, Literal

import numpy as np

from ..algorithms.result import SearchResult
from ..game import Game, GameError
from ..solvers.general.solution import Solution
from .base import Answer, Player, PlayerError
from .clock import Clock


class SolutionPlayer(Player):
    """Plays an equilibrium of the whole game: draws from its mixture, or with choice "best" takes the likeliest action.

    Raises PlayerError in a position that cannot come about from the start that was solved.
    """

    def __init__(self, solution: Solution, choice: Literal["best", "mixture"] = "mixture") -> None:
        self.solution, self.choice = solution, choice

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._random = np.random.default_rng(seed)

    def choose(self, state: Any, clock: Clock) -> Answer:
        started = time.perf_counter()
        try:
            stage = self.solution.at(state)
        except GameError as error:
            raise PlayerError(str(error)) from error
        mixture = stage.strategies[self.player]
        actions, weights = list(mixture), np.array(list(mixture.values()))
        if self.choice == "best":
            action = actions[int(weights.argmax())]
        else:
            action = int(self._random.choice(actions, p=weights / weights.sum()))
        found = SearchResult(
            value=stage.value, bounds=(stage.value, stage.value), strategies=stage.strategies, principal_variation=(),
            depth=0, exact=True, complete=True, seconds=time.perf_counter() - started,
        )  # fmt: skip
        return Answer(action, found)
