"""Where games are played: in this process, in processes that it starts, on a Dask cluster; and how many at a time are wise."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from ...system.cluster import cluster_address, usable_cores
from ...system.cluster.dask import DaskCluster
from ...system.cluster.processes import Processes
from ..conditions import Job, MatchConditions, PlayedGame, VoidGame, current_load
from ..ledger.running import RunningGames
from ..ledger.versions import player_version
from .worker import (
    MatchPlayers,
    close_players,
    end_run,
    inspect_worker,
    play_jobs,
    play_remotely,
    warm_players,
)

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


# Workers of this machine: the calling process, or processes that it starts.


class HereWorkers(Workers):
    """Plays in the calling process, when asked to; with `players`, if they are there already."""

    slots = 1

    def __init__(self, players: MatchPlayers | None = None) -> None:
        self._players = players or MatchPlayers()

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        future: Batch = Future()
        future.set_result([self._players.play(conditions, job, running=self.running) for job in jobs])
        return future

    def close(self, at_once: bool = False) -> None:
        self._players.close(at_once=True)


class LocalWorkers(Workers):
    """Processes of this machine."""

    def __init__(self, processes: int) -> None:
        self.slots = processes
        self._processes = Processes(processes, close_players)

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        try:
            return self._processes.run(play_jobs, conditions, jobs, self.running)
        except BrokenProcessPool as error:  # a process ended a moment ago, and what it played will say so too
            future: Batch = Future()
            future.set_exception(error)
            return future

    def restart(self) -> None:
        self.close(at_once=True)
        self._processes = Processes(self.slots, close_players)

    def close(self, at_once: bool = False) -> None:
        self._processes.close(at_once)


# Games on a Dask cluster: a scheduler somewhere, workers on other machines, the ledger here.

_WAY_OUT = "a ledger has the finished games, and --resume plays the others"


class DaskWorkers(Workers):
    """The workers of a cluster, as many games at a time as they have threads; give each worker one thread.

    `say` is told what takes long; for the address, the limits (`patience`, `alone`) and what is raised see `DaskCluster`.
    """

    loses_all = False

    def __init__(self, address: str, say: Say = lambda text: None, **limits: Any) -> None:
        self._cluster = DaskCluster(address, say, way_out=_WAY_OUT, **limits)

    @property
    def slots(self) -> int:  # type: ignore[override]
        """The cluster's threads; they may come and go."""
        return self._cluster.slots

    def warm(self, conditions: MatchConditions, players: tuple[str, ...]) -> None:
        """Compile on every worker; raises ValueError where a worker has another version of this library or of a program."""
        here = [player_version(spec) for spec in players]

        def check(worker: str, versions: Any) -> None:
            for spec, mine, its in zip(players, here, versions, strict=True):
                if mine != its:
                    raise ValueError(
                        f"the worker {worker} has no or another file for {spec!r}: put the same at the same path"
                    )

        self._cluster.prepare(inspect_worker, (players,), check, warm_players, (conditions, players))

    def submit(self, conditions: MatchConditions, jobs: list[Job]) -> Batch:
        return self._cluster.submit(play_remotely, self._cluster.run, conditions, jobs)

    def is_death(self, error: BaseException) -> bool:
        return self._cluster.is_death(error)

    def close(self, at_once: bool = False) -> None:
        self._cluster.close(end_run)


# The workers that an option names, and how many games at a time are wise.


def make_workers(
    executor: str | None, concurrency: int, say: Say = lambda text: None, players: MatchPlayers | None = None
) -> Workers:
    """The workers that an option names: none for this machine, dask://host:port for a cluster.

    `say` is told what takes long; `players` are used where the games are played here. Raises ValueError for another option,
    ConnectionError where no scheduler answers.
    """
    if executor is None:
        return HereWorkers(players) if concurrency <= 1 else LocalWorkers(concurrency)
    address = cluster_address(executor)

    return DaskWorkers(address, say)


def cores_of_game(conditions: MatchConditions, players: tuple[str, ...], made: MatchPlayers) -> int:
    """The cores that a game among these players needs at most.

    Where both think one after another, the threads of the hungriest player; where both are asked at once, one more for the
    other, which thinks elsewhere on this machine.
    """
    most, elsewhere = 1, False
    for spec in players:
        with made.use(conditions, spec) as player:
            most, elsewhere = max(most, player.threads), elsewhere or player.is_remote
    return most + (elsewhere and not conditions.sequential)


def oversubscribed(concurrency: int, threads: int) -> str:
    """A warning if the machine has fewer free cores than the games need; an empty string if not."""
    cores = usable_cores()
    if concurrency * threads > cores:
        wise = max(1, cores // threads)
        return (
            f"{concurrency} games at a time with {threads} thread(s) each on {cores} core(s): "
            f"players wait for each other, and games take longer; use -j {wise}"
        )
    load = current_load().average
    if load + concurrency * threads > cores + 1:
        return f"the machine is busy already (load {load:.1f} on {cores} core(s)): games take longer"
    return ""
