"""Games in which chance may be left out."""

from typing import Any

from ...game import Game


def without_chance(game: Game) -> Game:
    """The game's form without chance, where it names one (`quiet`); else the game itself.

    Its positions are the same. A search of it sees as many steps farther as chance has outcomes to spare.
    """
    quiet: Any = getattr(game, "quiet", None)
    return game if quiet is None else quiet()


def leaves_chance_out(game: Game) -> bool:
    """Whether this is such a form: chance never moves after a step, though its rules know chance."""
    return game.has_chance and game.max_chance_plies == 0
