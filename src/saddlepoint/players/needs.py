"""What is to be compiled before a game, by its name."""

from typing import NamedTuple

from ..compiled import PLAIN_PYTHON, bundled as finished
from ..compiled.rules import in_package
from ..game.base import Game
from ..game.spec import spec_of


class Need(NamedTuple):
    """A player that shall be compiled for a game."""

    game: Game
    player: str

    @property
    def task(self) -> str:
        """What this is called: the game, with the parameters that are not the usual ones, and the player."""
        return f"{spec_of(self.game)} {self.player}"

    @property
    def is_missing(self) -> bool:
        """Whether something of it may have to be compiled yet."""
        return not (PLAIN_PYTHON or (self.is_named and finished.is_compiled(self.task)))

    @property
    def is_named(self) -> bool:
        """Whether the name says what is compiled: the rules of a game that is not this library's may change under theirs."""
        return in_package(type(self.game))

    def note_compiled(self) -> None:
        """All of it is compiled: processes that begin later need not look."""
        if self.is_named:
            finished.note_compiled(self.task)
