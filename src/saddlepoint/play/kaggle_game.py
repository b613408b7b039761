"""The places of games in the files of `kaggle_environments`.

Their reader, `play/kaggle.py`, is loaded when needed.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..game.base import Game, GameError
from ..system.text import error_line

OPEN_SPIEL = "open_spiel_"
"""The prefix of the environments of OpenSpiel's games."""
MOST_SHOWN = 60
"""Characters of what is refused."""


@dataclass(frozen=True)
class KaggleGame:
    """The place of a game in Kaggle's files."""

    environments: tuple[str, ...]
    """Their names there."""
    game_of: Callable[[str, Mapping[str, Any]], Game]
    """From an environment's name and the parameters there to the game; raises GameError for a variant that is not played here."""
    parameters: tuple[str, ...] = ()
    """Those of OpenSpiel's game there that `game_of` takes, and those that change no rule; another one may change them."""
    action: Callable[[int], int] = lambda number: number
    """From the number of an action there to that here."""
    outcome: Callable[[int], int] = lambda number: number
    """The same of an outcome of chance."""
    by_difference: Callable[[Game], bool] = lambda game: False
    """Whether the result is the difference of the rewards; else it is the first agent's reward, and the other's negative."""
    most_left: int = 0
    """Actions, and outcomes, that may be left over there when the game is over here, since they decide nothing."""

    @staticmethod
    def whole(told: Mapping[str, Any], name: str, usual: int) -> int:
        """A parameter that is a whole number; raises GameError for another one."""
        value = told.get(name, usual)
        if type(value) is not int:
            raise GameError(f"{name} must be a whole number, not {str(value)[:MOST_SHOWN]!r}")
        return value

    def recognises(self, first: bytes) -> bool:
        """Whether a file with this first line is one of the game."""
        names = "|".join(map(re.escape, self.environments)).encode()
        named = re.search(rb'"name"\s*:\s*"(' + names + rb')"', first)
        return named is not None and b'"specification"' in first and b'"steps"' in first

    def game(self, environment: str, told: Mapping[str, Any]) -> Game:
        """The game of an environment with these parameters; raises GameError in one sentence for a variant that is not played here."""
        try:
            if environment.startswith(OPEN_SPIEL) and (
                others := [name for name in told if name not in self.parameters]
            ):
                raise GameError(f"nothing is known here of the parameter {others[0][:MOST_SHOWN]!r}")
            return self.game_of(environment, told)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise GameError(f"this variant is not played here: {error_line(error)}") from error
