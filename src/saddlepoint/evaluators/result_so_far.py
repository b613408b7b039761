"""The evaluator for any game in which one can be ahead: the result if the game were over now."""

import functools
import random
from dataclasses import dataclass

import numpy as np

from ..compiled import Component, kernel
from ..compiled.endless_loops import Patience, TooLong
from ..compiled.states import as_machine_words
from ..game.base import TERMINAL, Game
from ..game.spec import name_of
from ..game.steps import random_step

_GAMES, _STEPS, _SECONDS = 60, 6000, 2.0
_LATE = 2 / 3
"""From where on in a random game the rules are asked who is ahead, as a share of its steps."""
_AGREES = 0.3
"""The least share of the final result that the mean of these answers has, over all games. What only says who moved last has nearly none,
since players take turns.
"""


@dataclass(frozen=True)
class ResultSoFar(Component):
    """What `returns` says of a position that is not over, within the range of results.

    Rules need not answer that: see `check_game`.
    """

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        return min(max(float(game.returns(state)), game.min_utility), game.max_utility)

    def check_game(self, game: Game) -> None:
        """Raise ValueError, in one sentence, unless who is ahead late in a random game by `returns` often wins it."""
        if not _tells_who_is_ahead(game):
            raise ValueError(f"the rules of {name_of(game)} do not tell who is ahead before the end")


@functools.cache
def _tells_who_is_ahead(game: Game) -> bool:
    draw, steps = random.Random(0), 0
    ahead, results = list[float](), list[float]()
    try:
        with Patience(_SECONDS) as patience:
            while len(ahead) < _GAMES and steps < _STEPS:
                states = [game.initial_state()]
                while game.current_player(states[-1]) != TERMINAL:
                    states.append(random_step(game, states[-1], draw))
                    steps += 1
                    if steps > 2 * _STEPS:  # nobody ends such games
                        return False
                late = states[int(_LATE * (len(states) - 1)) : -1]
                told = [patience.call(game.plain.returns, as_machine_words(state)) for state in late]
                ahead.append(float(np.mean(told)))
                results.append(game.returns(states[-1]))
    except (Exception, TooLong):  # the rules are asked for what nobody promises
        return False
    if len(ahead) < 2 or not np.isfinite(ahead).all():
        return False
    covariance = np.cov(ahead, results)
    return bool(covariance[0, 1] > _AGREES * covariance[1, 1])
