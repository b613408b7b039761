"""Whether an analysis leaves chance out."""

from typing import Any

from ...game import CHANCE, Game
from ..algorithm import EXPECT, SAMPLE, Algorithm
from ..chance import without_chance


def passes_over_chance(game: Game) -> bool:
    """Whether this is a form of a game in which chance does nothing."""
    return not game.has_chance or game.max_chance_plies == 0


def searched_form(game: Game, algorithm: Algorithm, state: Any = None) -> Game:
    """The form of a game that a search looks at: without chance where there is one, unless its setting `chance` says how.

    It is the game itself, too, in a position in which chance is to move.
    """
    if algorithm.chance in (EXPECT, SAMPLE) or (state is not None and game.current_player(state) == CHANCE):
        return game
    return without_chance(game)
