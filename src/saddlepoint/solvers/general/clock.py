"""States without their clocks (`Game.clock`): what a solver of games with cycles takes for positions."""

from typing import Any

import numpy as np

from ...compiled import put_words, word_count
from ...compiled.states import as_machine_words
from ...game import Game, GameError


def without_clock(game: Game, state: Any) -> Any:
    """The state with its clock as in the start; raises GameError for a clock that is no whole number of the state."""
    if not game.clock:
        return as_machine_words(state)
    start = game.initial_state()
    if not isinstance(getattr(start, game.clock, None), (int, np.integer)):
        raise GameError(f"clock must name a whole number of {type(start).__name__}, one of its fields, not {game.clock!r}")
    return as_machine_words(state._replace(**{game.clock: getattr(start, game.clock)}))


def clock_word(game: Game, state: Any) -> int:
    """Which of the state's words (`compiled.put_words`) is the clock; -1 for a game without one."""
    if not game.clock:
        return -1
    words = np.zeros((2, word_count(state)), np.uint64)
    for row, value in zip(words, (0, 1), strict=True):
        put_words(state._replace(**{game.clock: type(getattr(state, game.clock))(value)}), row)
    return int(np.flatnonzero(words[0] != words[1])[0])
