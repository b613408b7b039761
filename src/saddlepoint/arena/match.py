"""A series of games between two players given by their specs, on as many processes as wanted."""

import math
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from ..game import Game
from ..players.base import Player
from ..players.clock import Clock
from ..players.make import make_player
from ..search.limits import Limits
from .game import GameRecord, play_game
from .statistics import Score, quantile

ENDLESS = Clock(math.inf, 0.0, math.inf)
_QUEUED = 2  # games waiting for each process


@dataclass(frozen=True)
class Pairing:
    """What is played: A against B. Pickled to the processes."""

    game: Game
    spec_a: str
    spec_b: str
    clock: Clock = ENDLESS
    limits: Limits | None = None
    tolerance: float = 0.0
    """Seconds a move may be late; see play_game."""


@dataclass(frozen=True)
class Task:
    """One game of a match."""

    index: int
    start: Any
    swapped: bool
    """Whether A is player 1."""
    seed: int


@dataclass(frozen=True)
class Outcome:
    """One game's result, from A's view."""

    index: int
    swapped: bool
    points: float
    """1, 0.5 or 0."""
    steps: int
    reason: str
    actions: tuple[tuple[int, int], ...]
    times_a: tuple[float, ...]
    times_b: tuple[float, ...]
    late_a: bool
    late_b: bool


@dataclass
class MatchResult:
    """All games that were finished, by their number."""

    spec_a: str
    spec_b: str
    asked: int
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    seconds: float = 0.0
    interrupted: bool = False
    problem: str = ""
    """What ended the match early, if it was not an interruption."""

    @property
    def score(self) -> Score:
        """A's wins, draws and losses."""
        points = [outcome.points for outcome in self.outcomes]
        return Score(points.count(1.0), points.count(0.5), points.count(0.0))

    def summary(self) -> dict[str, Any]:
        """The figures of the match as plain data; times in seconds."""
        low, high = self.score.interval()
        outcomes, played = self.outcomes, len(self.outcomes)
        times = {"a": [t for o in outcomes for t in o.times_a], "b": [t for o in outcomes for t in o.times_b]}
        return {
            "a": self.spec_a,
            "b": self.spec_b,
            "games": played,
            "asked": self.asked,
            "interrupted": self.interrupted,
            "problem": self.problem,
            **asdict(self.score),
            "score": self.score.rate,
            "interval95": [low, high],
            "mean_length": fmean(o.steps for o in outcomes) if played else None,
            "late": {"a": sum(o.late_a for o in outcomes), "b": sum(o.late_b for o in outcomes)},
            "faults": [f"game {o.index}: {o.reason}" for o in outcomes if "at fault" in o.reason],
            "latency": {
                side: {"median": quantile(values, 0.5), "p99": quantile(values, 0.99)} if values else None
                for side, values in times.items()
            },
            "seconds": self.seconds,
            "games_per_second": played / self.seconds if self.seconds else 0.0,
        }


def make_tasks(game: Game, games: int, swap: bool, seed: int, starts: list[Any] | None = None) -> list[Task]:
    """The games of a match: the starts in an order drawn from `seed`, over and over; with `swap` each one twice.

    `starts` are the game's own (all that its contest draws from) unless given.
    """
    if starts is None:
        own: Callable[[], list[Any]] | None = getattr(game, "starts", None)
        starts = own() if own is not None else [game.initial_state()]
    draw = random.Random(seed)
    order = list(starts)
    draw.shuffle(order)
    tasks: list[Task] = []
    for index in range(games):
        pair = index // 2 if swap else index
        tasks.append(Task(index, order[pair % len(order)], swap and index % 2 == 1, draw.getrandbits(32)))
    return tasks


def run_match(
    pairing: Pairing, tasks: list[Task], concurrency: int = 1, progress: Callable[[MatchResult], None] | None = None
) -> MatchResult:
    """Play the games, `concurrency` at a time (1: in this process), and say after each how it stands.

    The same tasks give the same games if the players' moves do not depend on the time (node or depth limits).
    Ctrl-C ends the match, not the result: it has the games finished until then, and no process is left behind.
    """
    result = MatchResult(pairing.spec_a, pairing.spec_b, len(tasks))
    started = time.perf_counter()
    try:
        for outcome in _outcomes(pairing, tasks, concurrency):
            result.outcomes.append(outcome)
            result.seconds = time.perf_counter() - started
            if progress is not None:
                progress(result)
    except KeyboardInterrupt:
        result.interrupted = True
    except BrokenProcessPool:
        result.problem = "a process of the match died; its game and those after it were not played"
    result.seconds = time.perf_counter() - started
    result.outcomes.sort(key=lambda outcome: outcome.index)
    return result


def _outcomes(pairing: Pairing, tasks: list[Task], concurrency: int) -> Iterator[Outcome]:
    if concurrency <= 1:
        seats = _Seats(pairing, tasks[0].start if tasks else None)
        try:
            for task in tasks:
                yield seats.play(task)
        finally:
            seats.close()
        return
    first = tasks[0].start if tasks else None
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(
        min(concurrency, max(1, len(tasks))),
        multiprocessing.get_context("spawn"),
        _start_worker,
        (pairing, first),
    )
    waiting = iter(tasks)
    running: set[Future[Outcome]] = set()
    finished = False
    try:
        for task in waiting:
            running.add(_submit(executor, task))
            if len(running) >= concurrency * _QUEUED:
                break
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
                if (task := next(waiting, None)) is not None:
                    running.add(_submit(executor, task))
        finished = True
    finally:
        if not finished:
            # Games under way are not waited for: nobody will look at them.
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        executor.shutdown(wait=True, cancel_futures=True)


def _submit(executor: ProcessPoolExecutor, task: Task) -> "Future[Outcome]":
    with _interrupts_ignored():
        return executor.submit(_play_in_worker, task)


@contextmanager
def _interrupts_ignored() -> Generator[None, None, None]:
    """A process started meanwhile ignores Ctrl-C from its first moment: it is the parent that ends it."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Seats:
    """Two players made once and kept from game to game."""

    def __init__(self, pairing: Pairing, state: Any) -> None:
        self._pairing = pairing
        specs = (pairing.spec_a, pairing.spec_b)
        self._players: list[Player] = [make_player(spec, pairing.game, pairing.limits) for spec in specs]
        if state is not None:
            for player in self._players:
                player.warm(pairing.game, state)

    def play(self, task: Task) -> Outcome:
        a, b = self._players
        clock = self._pairing.clock
        players = (b, a) if task.swapped else (a, b)
        record = play_game(self._pairing.game, players, task.start, (clock, clock), task.seed, self._pairing.tolerance)
        return _from_a(self._pairing.game, task, record)

    def close(self) -> None:
        for player in self._players:
            player.close()


def _from_a(game: Game, task: Task, record: GameRecord) -> Outcome:
    middle = (game.min_utility + game.max_utility) / 2
    result = -(record.result - middle) if task.swapped else record.result - middle
    a = int(task.swapped)
    return Outcome(
        task.index,
        task.swapped,
        1.0 if result > 0 else 0.0 if result < 0 else 0.5,
        len(record.actions),
        record.reason,
        record.actions,
        record.times[a],
        record.times[1 - a],
        record.late[a],
        record.late[1 - a],
    )


_worker_seats: list[_Seats] = []


def _start_worker(pairing: Pairing, state: Any) -> None:
    # The terminal's Ctrl-C reaches every process; only the parent acts on it. A bot's process must still be ended.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_worker)
    os.environ.setdefault("SADDLEPOINT_QUIET", "1")
    _worker_seats.append(_Seats(pairing, state))


def _end_worker(number: int, frame: object) -> None:
    for seats in _worker_seats:
        seats.close()
    os._exit(1)


def _play_in_worker(task: Task) -> Outcome:
    return _worker_seats[0].play(task)
