"""Players that have a name: their strengths, and what is known of them."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ..algorithms import Algorithm
    from ..game.base import Game
    from .base import Player


class Level(NamedTuple):
    """A strength: a player, and what it may think for a move."""

    name: str
    spec: str
    nodes: int | None = None
    seconds: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The level as the page offers it."""
        bound = {"seconds": self.seconds} if self.nodes is None else {"nodes": self.nodes}
        return {"name": self.name, "spec": self.spec, **bound}


STRONGEST = Level("best", "best", seconds=2.0)
"""The last level of every game."""
SAMPLING = (
    Level("gentle", "mcts", nodes=30),
    Level("club", "mcts", nodes=300),
    Level("strong", "mcts", nodes=5_000),
)
"""For games in which a search without an evaluator sees nothing but draws for most of the game, and random play shows more."""


def choice_of(word: str) -> Literal["best", "mixture"]:
    """A player's `choice` as a user writes it; raises ValueError."""
    if word == "best" or word == "mixture":
        return word
    raise ValueError(f"choice is best or mixture, not {word!r}")


# What is known of a player that has a name.

Factory = Callable[..., "Player"]
File: TypeAlias = Annotated[str, "file"]
"""An option that names a file: who makes the player reads or starts it."""


@dataclass(frozen=True)
class NamedPlayer:
    """A named player. `factory(game, limits, **options)` makes it; its keyword parameters are the spec's options."""

    name: str
    game: str
    """The only game it plays, or an empty string for any."""
    factory: Factory
    """Called with the game and the Limits a move has besides its clock (or None). It imports what it needs itself."""
    summary: str
    algorithm: str
    evaluator: str = "none"
    origin: str = "this library"
    """Where it comes from: a program, a paper, this library."""
    search: "Callable[[Game], Algorithm] | None" = None
    """What it searches a game with, whatever its options: then nobody makes the player to know. None: the player says it, once made."""

    @property
    def is_complete(self) -> bool:
        """Whether the name alone makes a player: no option is required."""
        options = list(inspect.signature(self.factory).parameters.values())[2:]
        return all(option.default is not option.empty for option in options)

    @property
    def files(self) -> tuple[str, ...]:
        """The options that name a file."""
        options = inspect.signature(self.factory).parameters.values()
        return tuple(option.name for option in options if option.annotation == File)


class Players(list[NamedPlayer]):
    """The named players of a game, or with an empty text those of every game."""

    def __init__(self, game: str = "") -> None:
        super().__init__()
        self._game = game

    def named(self, name: str, **fields: Any) -> Callable[[Factory], Factory]:
        """Decorates the factory of a player of this name; `fields` are the other fields of its entry."""

        def enter(factory: Factory) -> Factory:
            self.append(NamedPlayer(name, self._game, factory, **fields))
            return factory

        return enter
