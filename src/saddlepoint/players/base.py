"""The interface every player has."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from ..game import Game
from ..search.result import SearchResult
from .clock import Clock

_HASTY = Clock(0.02, 0.02)


class PlayerError(Exception):
    """A player that cannot go on: its program is gone, says nothing, or has no move to offer; the message says which."""


class TakeBack(Exception):
    """Raised by a player that wants its last move back; a game that does not allow it counts it as a fault."""


class Player(ABC):
    """Chooses actions in one game at a time; reused from game to game."""

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        """A new game begins, in which this is player 0 or 1; `seed` fixes every random choice."""
        self.game, self.player, self.seed = game, player, seed

    @abstractmethod
    def choose(self, state: Any, clock: Clock) -> int:
        """An action in this position, within the clock's bank."""

    @property
    def last_result(self) -> SearchResult | None:
        """What the last search found, where there was one."""
        return None

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """Compile, or load from disk, whatever `choose` will need in this game, before any clock runs.

        `seats`: which player it may be. By default a hasty move for each. Call `begin` again before the game.
        """
        for player in seats:
            if player in game.players_to_act(state):
                self.begin(game, player, 0)
                self.choose(state, _HASTY)

    def close(self) -> None:
        """Give back processes and memory; called once, when no more games follow."""
