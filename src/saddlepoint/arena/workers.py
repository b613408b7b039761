"""The workers that play games: this process, processes of this machine, a Dask cluster.

And their best number.
"""

import gc
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from concurrent.futures import BrokenExecutor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Self
from weakref import WeakSet

from ..compiled.errors import KernelError, is_machine_error
from ..game.base import Game
from ..games.catalogue.make import make_player
from ..play.game import OnStep, play_game
from ..play.pool import KeptPlayers
from ..play.preparation import Need, warm_rules
from ..play.record import points_of
from ..players.base import Player, PlayerError
from ..players.clock import Clock
from ..system.cluster import (
    DaskCluster,
    cluster_address,
    end_run as end_any_run,
    library_digest,
    usable_cores,
)
from ..system.processes import Processes
from .conditions import Job, MatchConditions, PlayedGame, VoidGame, current_load
from .ledger.running import RunningGames, Writer
from .ledger.versions import player_version

# Playing jobs, in whatever process this is: players are made once and kept from game to game.

_LONGEST_NAME = 60
_KEPT_PLAYERS = 6  # beside the two that play; each may hold a table of tens of megabytes


class MatchPlayers:
    """The players of games: made once, and kept from game to game as long as the conditions are the same. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._conditions: MatchConditions | None = None
        self._kept = KeptPlayers(_made, _KEPT_PLAYERS)
        self._warm: WeakSet[Player] = WeakSet()

    def use(self, conditions: MatchConditions, spec: str) -> AbstractContextManager[Player]:
        """The player of this spec, or another one where it is in use, as it is made. Raises ValueError where there is none."""
        with self._lock:
            if conditions != self._conditions:
                self._kept.close()
                self._conditions, self._kept = conditions, KeptPlayers(_made, _KEPT_PLAYERS)
            return self._kept.use((conditions, spec))

    @contextmanager
    def seated(self, conditions: MatchConditions, spec: str, state: Any) -> Generator[Player]:
        """The player of this spec, with all compiled that it needs; one that loses its games where it cannot be made."""
        with ExitStack() as stack:
            try:
                player = stack.enter_context(self.use(conditions, spec))
            except ValueError as error:
                player = _MissingPlayer(str(error))
            else:
                self._compile(player, conditions.game, spec, state)
            yield player

    def play(
        self,
        conditions: MatchConditions,
        job: Job,
        on_step: OnStep | None = None,
        running: RunningGames | None = None,
    ) -> PlayedGame | VoidGame:
        """Play one game; a player's fault costs that player the game, and is no error here.

        With `running` it is written there while it runs, and without it `on_step` is called; what that raises ends the game
        without a result. A game in which the machine failed is void. Raises KernelError, each time, for a player whose
        search cannot be compiled for this game.
        """
        game = conditions.game
        began, started = time.time(), time.perf_counter()
        try:
            start = game.from_text(job.opening)
            a, b = job.players
            with self.seated(conditions, a, start) as player_a, self.seated(conditions, b, start) as player_b:
                players = (player_a, player_b)
                for number, player in enumerate(players):
                    player.log_to(log_file(conditions.logs, job, number))
                clocks = (conditions.clock_of(a), conditions.clock_of(b))
                began, started = time.time(), time.perf_counter()
                gc.freeze()  # a player does not pay for a search of all that is there already for garbage, which may take 0.1 s
                with nullcontext() if running is None else closing(Writer(running, job)) as writer:
                    record = play_game(
                        game,
                        players,
                        start,
                        clocks,
                        job.seed,
                        conditions.tolerance,
                        on_step if writer is None else writer.step,
                        at_once=not conditions.sequential,
                    )
        except Exception as error:  # its players are closed: they wait for the rest of a game that is over
            if type(error) is KernelError or not is_machine_error(error):
                raise
            lines = str(error).splitlines() or [type(error).__name__]
            return VoidGame(job, lines[0], began, time.perf_counter() - started, current_load())
        finally:
            gc.unfreeze()
        return PlayedGame(
            job,
            record.result,
            points_of(game, record.result),
            record.reason,
            record.faults,
            record.late,
            record.actions,
            record.times,
            record.searches,
            began,
            time.perf_counter() - started,
            record.chance,
            current_load(),
        )

    def close(self, at_once: bool = False) -> None:
        """Give back the players' processes and memory; with `at_once` of those in a game, too."""
        self._kept.close(at_once)

    def _compile(self, player: Player, game: Game, spec: str, state: Any) -> None:
        if player in self._warm:
            return
        asked = warm_rules(game, state)
        for seat in (0, 1):
            try:
                player.warm(game, asked.get(seat, state), (seat,))
            except Exception as error:
                if is_machine_error(error):
                    raise
                # What is wrong with it will cost it its game.
        Need(game, spec).note_compiled()
        self._warm.add(player)


def _made(asked: tuple[MatchConditions, str]) -> Player:
    conditions, spec = asked
    return make_player(spec, conditions.game, conditions.limits, conditions.isolation)


class _MissingPlayer(Player):
    """A player in the place of one that cannot be made, for example a missing program: it loses its games."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        raise PlayerError(self._reason)

    def choose(self, state: Any, clock: Clock) -> int:
        raise PlayerError(self._reason)


def log_file(folder: str | None, job: Job, player: int) -> Path | None:
    """The file of what this game's player was sent and answered; None without a folder."""
    if folder is None:
        return None
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", job.players[player]).strip("_.")[:_LONGEST_NAME]
    return Path(folder) / f"game{job.number:06d}-player{player}-{name}.log"


_here = MatchPlayers()
"""Those of a process that plays for another one."""


def play_jobs(
    conditions: MatchConditions, jobs: list[Job], running: RunningGames | None = None
) -> list[PlayedGame | VoidGame]:
    """Play games one after another in this process, with the players of its last games under these conditions."""
    return [_here.play(conditions, job, running=running) for job in jobs]


def close_players() -> None:
    """End the players that are kept in this process, whatever they do."""
    _here.close(at_once=True)


def warm_players(conditions: MatchConditions, players: tuple[str, ...]) -> None:
    """Compile what these players need."""
    with closing(MatchPlayers()) as made:
        for spec in players:
            with made.seated(conditions, spec, conditions.game.initial_state()):
                pass


# What a cluster's worker does for a tournament: its threads play batches of games until the tournament says it is over.
#
# The players' programs are ended with it, which is why a tournament that stops tells its workers more than `cluster.remote` does.

_of_runs: dict[str, MatchPlayers] = {}
"""The players of tournaments that are not over."""


def play_remotely(
    leave: Callable[[], None], run: str, conditions: MatchConditions, jobs: list[Job]
) -> list[PlayedGame | VoidGame]:
    """Play games one after another in this thread, as `play_jobs` does; `run` names the tournament.

    `leave` is called after every move: it raises OverError once `end_run` was called.
    """
    players = _of_runs.setdefault(run, MatchPlayers())
    return [players.play(conditions, job, lambda *_: leave()) for job in jobs]


def end_run(run: str) -> None:
    """The tournament is over: end its players, at once where they wait, after their next move where they play."""
    end_any_run(run)
    players = _of_runs.pop(run, None)
    if players is not None:
        players.close()


def inspect_worker(players: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The digest of this worker's library, and the players' versions: programs' files may differ between machines."""
    return library_digest(), tuple(player_version(spec) for spec in players)


# Something that plays batches of games: the calling process, processes that it starts, a cluster.

Batch = Future[list[PlayedGame | VoidGame]]
Say = Callable[[str], None]
"""Tells the user, in a line, what takes a while."""


class ClosedAtEnd(ABC):
    """Base of objects that a `with` statement closes at its end, at once if an error ended it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(at_once=kind is not None)

    @abstractmethod
    def close(self, at_once: bool = False) -> None:
        """End all processes; what is under way is not waited for with `at_once`."""


class Workers(ClosedAtEnd):
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

    `say` is called with what takes long; for the address, the limits (`patience`, `alone`) and what is raised see `DaskCluster`.
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

    `say` is called with what takes long; `players` are used where the games are played here. Raises ValueError for another option,
    ConnectionError where no scheduler answers.
    """
    if executor is None:
        return HereWorkers(players) if concurrency <= 1 else LocalWorkers(concurrency)
    return DaskWorkers(cluster_address(executor), say)


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
