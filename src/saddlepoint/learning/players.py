"""Who plays a fit's games: processes of this machine, or the workers of a Dask cluster."""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ..arena.ledger.versions import player_version
from ..cluster import connect, library_digest
from ..cluster.processes import Processes
from ..game import Game
from ..own_games import described
from .games import Task, play_games
from .training import Samples

_SAME = "put the same at the same path, and start the workers again"
_GO_ON = "the same command with --resume goes on with the fit"


class GamePlayers(ABC):
    """What plays tasks, several at a time. The same task gives the same positions, whoever plays it."""

    @property
    @abstractmethod
    def slots(self) -> int:
        """Tasks that are played at a time."""

    @abstractmethod
    def play(self, task: Task) -> Future[Samples]:
        """The positions of a task, once it is played."""

    def wait(self, played: Future[Samples]) -> Samples:
        """What `play` gives; raises in one sentence what keeps it from being played."""
        return played.result()

    @abstractmethod
    def close(self, at_once: bool = False) -> None:
        """End them; what is under way is not waited for with `at_once`."""


class LocalPlayers(GamePlayers):
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self._count, self._processes = count, Processes(count)

    @property
    def slots(self) -> int:
        return self._count

    def play(self, task: Task) -> Future[Samples]:
        return self._processes.run(play_games, task)

    def close(self, at_once: bool = False) -> None:
        self._processes.close(at_once)


class ClusterPlayers(GamePlayers):
    """The workers of a Dask cluster that `executor` names, dask://HOST:PORT; give each worker one thread.

    `say` is told what takes long. `specs` name the search and the first evaluator: files in them must be the same on all workers, as the
    game's own file must. Raises ConnectionError where no scheduler answers, and ValueError, both in one sentence, for a worker that has
    another version of something.
    """

    def __init__(self, executor: str, say: Callable[[str], None], game: Game, specs: tuple[str, ...]) -> None:
        self._cluster = connect(executor, say, _GO_ON)
        self._specs, versions = specs, tuple(map(player_version, specs))
        here = described(game), versions
        self._here = here

        def check(worker: str, there: Any) -> None:
            if there != here:
                said = f" ({there})" if isinstance(there, str) else ""
                raise ValueError(
                    f"the worker {worker} has no or another file for {game!r} or for the search{said}: {_SAME}"
                )

        try:
            self._cluster.prepare(_inspect, (pickle.dumps(game), specs), check, _warm, ())
        except BaseException:
            self._cluster.close()
            raise

    @property
    def slots(self) -> int:
        return self._cluster.slots

    def play(self, task: Task) -> Future[Samples]:
        return self._cluster.submit(_play_remotely, self._here, self._specs, _packed(task))

    def wait(self, played: Future[Samples]) -> Samples:
        try:
            return played.result()
        except Exception as error:
            if self._cluster.is_death(error):
                raise ValueError("the same games ended several workers, one after the other, perhaps for want of memory") from error
            raise

    def close(self, at_once: bool = False) -> None:
        self._cluster.close()


def _packed(task: Task) -> bytes:
    """A task as the scheduler passes it on, which does not look into it."""
    return pickle.dumps(task)


def _play_remotely(leave: Callable[[], None], wanted: Any, specs: tuple[str, ...], packed: bytes) -> Samples:
    """The positions of a task; raises ValueError where the game or the search is another here, since any worker may join at any time."""
    try:
        task = pickle.loads(packed)
        here = described(task.plan.game), tuple(map(player_version, specs))
    except Exception as error:
        raise ValueError(f"a worker cannot load the game or the search ({type(error).__name__}: {error}): {_SAME}") from error
    if here != wanted:
        raise ValueError(f"a worker has another file for {task.plan.game!r} or for the search: {_SAME}")
    return play_games(task, leave)


def _inspect(packed: bytes, specs: tuple[str, ...]) -> tuple[str, Any]:
    """The digest of this worker's library; the game as it has it, and the versions of what specs name."""
    digest = library_digest()
    try:
        return digest, (described(pickle.loads(packed)), tuple(map(player_version, specs)))
    except Exception as error:  # told as it is: another version may fail in any way
        return digest, f"{type(error).__name__}: {error}"


def _warm() -> None:
    """Nothing: what a game and a search need is compiled in the first games, when it is known what was learnt."""
