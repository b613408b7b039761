"""What is to be compiled before a game, by its name, and how long that takes."""

from contextlib import AbstractContextManager
from typing import NamedTuple

from ..compiled import PLAIN_PYTHON, forecast
from ..compiled.announce import compiling
from ..compiled.rules import in_package
from ..game import Game
from ..spec import spec_of

_UNKNOWN = 5.0
"""Seconds that a player may take of which nothing is known."""


class Need(NamedTuple):
    """A player that shall be compiled for a game."""

    game: Game
    player: str

    @property
    def task(self) -> str:
        """What this is called: the game, with the parameters that are not the usual ones, and the player."""
        return f"{spec_of(self.game)} {self.player}"

    @property
    def is_known(self) -> bool:
        """Whether the name says what is compiled: the rules of a game that is not this library's may change under theirs."""
        return in_package(type(self.game))

    @property
    def seconds(self) -> float:
        """What it is expected to take, of one core."""
        if PLAIN_PYTHON or (self.is_known and forecast.is_compiled(self.task)):
            return 0.0
        known = forecast.expected(self.task)
        return _UNKNOWN if known is None else known

    def compiling(self) -> AbstractContextManager[None]:
        """Around the compilation, which is then known by this name."""
        return compiling(self.task if self.is_known else None)
