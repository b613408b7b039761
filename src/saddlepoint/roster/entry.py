"""What is known of a player that has a name."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from ..players.base import Player


@dataclass(frozen=True)
class RosterEntry:
    """A named player. `factory(game, limits, **options)` makes it; its keyword parameters are the spec's options."""

    name: str
    game: str
    """The only game it plays, or an empty string for any."""
    origin: str
    """Where it comes from: a program, a paper, this library."""
    algorithm: str
    evaluator: str
    summary: str
    factory: Callable[..., Player]
    """Called with the game and the Limits a move has besides its clock (or None)."""

    @property
    def is_complete(self) -> bool:
        """Whether the name alone makes a player: no option is required."""
        options = list(inspect.signature(self.factory).parameters.values())[2:]
        return all(option.default is not option.empty or option.kind is option.VAR_KEYWORD for option in options)
