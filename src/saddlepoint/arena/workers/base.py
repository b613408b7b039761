"""What plays batches of games: each batch is a future, as of any `concurrent.futures.Executor`."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future

from ..conditions import MatchConditions
from ..job import Job, PlayedGame, VoidGame
from ..ledger.running import RunningGames

Batch = Future[list[PlayedGame | VoidGame]]
Say = Callable[[str], None]
"""Tells the user, in a line, what takes a while."""


class Workers(ABC):
    """Something that plays batches of games; close it when no more follow."""

    slots: int
    """Batches that are played at the same time."""
    loses_all = True
    """Whether the death of one process loses all batches that are under way."""
    running: RunningGames | None = None
    """Where games are written while they run; on other machines they are not."""

    def warm(self, conditions: MatchConditions, players: tuple[str, ...]) -> None:
        """Compile what the players need before the first game; by default each process does it with its first."""

    def is_death(self, error: BaseException) -> bool:
        """Whether a batch failed because its process died."""
        return isinstance(error, BrokenExecutor)

    @abstractmethod
    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        """Play the jobs one after another on one of the processes."""

    def restart(self) -> None:
        """Begin anew after a process has died; batches that were not finished are lost."""

    @abstractmethod
    def close(self, at_once: bool = False) -> None:
        """End all processes; games under way are not waited for with `at_once`."""
