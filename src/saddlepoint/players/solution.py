"""A player that plays from a solved game, and how: what any player does who has the solution."""

import time
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from ..algorithms.result import SearchResult
from ..game import Game, GameError
from ..matrix import solve_matrix
from ..solvers.general.erring import Erring
from ..solvers.general.solution import Solution, Stage
from .base import Answer, Player, PlayerError
from .clock import Clock


def answer_from(
    solution: Solution,
    state: Any,
    player: int,
    choice: Literal["best", "mixture"],
    random: np.random.Generator,
    tremble: float = 0.0,
    erring: Erring | None = None,
) -> Answer:
    """An action of an equilibrium of the whole game: drawn from its mixture, or with choice "best" the likeliest.

    With `erring`, where actions keep the value whatever the other does, the one of them that gets most against one who errs. With
    `tremble` it is the best against another who plays on by the solution, but here takes any action alike with that probability.
    Raises GameError in a position that cannot come about from the start that was solved.
    """
    started = time.perf_counter()
    stage = solution.at(state)
    mixture = _mixture(stage, state, player, choice, tremble, erring)
    if choice == "best":
        action = next(iter(mixture))
    else:
        actions, weights = list(mixture), np.array(list(mixture.values()))
        action = int(random.choice(actions, p=weights / weights.sum()))
    found = SearchResult(
        value=stage.value, bounds=(stage.value, stage.value), strategies=stage.strategies, principal_variation=(),
        depth=0, exact=True, complete=True, seconds=time.perf_counter() - started,
    )  # fmt: skip
    return Answer(action, found)


def mixture_from(
    solution: Solution, state: Any, player: int, choice: Literal["best", "mixture"], tremble: float = 0.0, erring: Erring | None = None
) -> dict[int, float]:
    """What is played in a position of a solution, with which probability; see `answer_from`."""
    return _mixture(solution.at(state), state, player, choice, tremble, erring)


def _mixture(
    stage: Stage, state: Any, player: int, choice: Literal["best", "mixture"], tremble: float, erring: Erring | None
) -> dict[int, float]:
    found = against_tremble(stage, player, tremble) if tremble > 0 else stage.strategies[player]
    if erring is not None and len(found) > 1:
        found = erring.better(state, player, found)
    return found if choice == "mixture" else {max(found, key=lambda action: found[action]): 1.0}


def against_tremble(stage: Stage, player: int, tremble: float) -> dict[int, float]:
    """The player's best probabilities by action against another who means to do it harm, but with that probability takes any action alike.

    `tremble` is from 0, the equilibrium, to less than 1. Against one who does not tremble this gives up tremble / (1 - tremble) times the
    range of the stage's values at most (Selten 1975).
    """
    cells = np.array(stage.matrix)
    steady = (1.0 - tremble) * cells + tremble * cells.mean(axis=1 - player, keepdims=True)
    solved = solve_matrix(steady)
    return dict(zip(stage.strategies[player], (solved.row_strategy, solved.column_strategy)[player].tolist(), strict=True))


class SolutionPlayer(Player):
    """Plays an equilibrium of the whole game: draws from its mixture, or with choice "best" takes the likeliest action.

    Raises ValueError for a solution with a discount, since a match has none, and PlayerError in a match of another game, or in a
    position that cannot come about from the start that was solved. A limit of moves that the solution leaves out may be in the match.
    """

    def __init__(self, solution: Solution, choice: Literal["best", "mixture"] = "mixture") -> None:
        if solution.discount not in (None, 1.0):
            raise ValueError(
                f"this is a solution of {solution.subject}, and a match counts results in full: "
                "solve the game without --discount to play it"
            )
        self.solution = solution
        self.choice: Literal["best", "mixture"] = choice

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        if game != self.solution.game:
            raise PlayerError(f"this is a solution of {self.solution.subject}, not of {game!r}: solve that game to play it")
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
