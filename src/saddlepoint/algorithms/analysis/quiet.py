"""Games in which chance may be left out."""

from typing import Any

from ...game import CHANCE, Game
from ..algorithm import EXPECT, SAMPLE, Algorithm


def without_chance(game: Game) -> Game:
    """The game's form without chance, where it names one (`quiet`); else the game itself. Its positions are the same."""
    quiet: Any = getattr(game, "quiet", None)
    return game if quiet is None else quiet()


def leaves_chance_out(game: Game) -> bool:
    """Whether this is such a form: chance never moves after a step."""
    return game.max_chance_plies == 0


def searched_form(game: Game, algorithm: Algorithm, state: Any = None) -> Game:
    """The form of a game that a search looks at: without chance where there is one, unless its setting `chance` says how.

    It is the game itself, too, in a position in which chance is to move.
    """
    if algorithm.chance in (EXPECT, SAMPLE) or (state is not None and game.current_player(state) == CHANCE):
        return game
    return without_chance(game)
