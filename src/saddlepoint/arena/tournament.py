"""Playing the games of a schedule: in parallel, into a ledger, from where it stopped."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from .ledger import Filter, Ledger, LedgerError
from .schedule import Plan, Schedule
from .standings import Standings
from .terms import Job, PlayedGame, Terms
from .versions import player_version
from .workers import Batch, HereWorkers, Workers

_QUEUED = 2  # batches waiting for each process, so that none is idle
_BATCH_SECONDS = 0.2  # short games are sent together: a message costs about as much as one
_LARGEST_BATCH = 200

Decided = Callable[[Standings], bool]


@dataclass
class Outcome:
    """What became of a tournament."""

    standings: Standings
    planned: int | None
    seconds: float = 0.0
    """Of this run."""
    played: int = 0
    """Games of this run; the standings may hold more, from before."""
    interrupted: bool = False
    decided: bool = False
    """Whether it ended early because a test was decided."""
    unplayable: list[str] = field(default_factory=list[str])
    """Games whose process died even with every player isolated."""

    @property
    def games_per_second(self) -> float:
        """Of this run."""
        return self.played / self.seconds if self.seconds else 0.0


OnGame = Callable[[PlayedGame, Outcome], None]


class Runner:
    """Plays jobs on workers and records every finished game, once."""

    def __init__(
        self, terms: Terms, workers: Workers, outcome: Outcome, ledger: Ledger | None = None,
        tournament: int | None = None, on_game: OnGame | None = None, decided: Decided | None = None,
        largest_batch: int = _LARGEST_BATCH,
    ) -> None:  # fmt: skip
        self._largest_batch = largest_batch
        self.terms, self.workers, self.outcome = terms, workers, outcome
        self._ledger, self._tournament = ledger, tournament
        self._on_game, self._decided = on_game, decided
        self._began = time.perf_counter() - outcome.seconds
        self._versions: dict[str, str] = {}
        self._game_seconds: float | None = None

    def play(self, jobs: Iterator[Job]) -> bool:
        """Play all jobs; False if it was decided before. Raises KeyboardInterrupt with all finished games recorded."""
        running: dict[Batch, list[Job]] = {}
        ended = False
        while True:
            while not ended and len(running) < self.workers.slots * _QUEUED:
                batch = self._batch(jobs)
                if not batch:
                    ended = True
                    break
                running[self.workers.submit(self.terms, batch)] = batch
                if isinstance(self.workers, HereWorkers):
                    break
            if not running:
                return True
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                batch = running.pop(future)
                try:
                    games = future.result()
                except Exception as error:
                    if not self.workers.is_death(error):
                        raise
                    if not self.workers.loses_all:
                        self._replay([batch])
                        continue
                    self._replay([batch, *running.values()])
                    running.clear()
                    break
                for played in games:
                    self._record(played)
            if self._decided is not None and self._decided(self.outcome.standings):
                self.outcome.decided = True
                return False

    def _batch(self, jobs: Iterator[Job]) -> list[Job]:
        size = 1
        if self._game_seconds is not None and self._decided is None:  # a decision should not wait for games to spare
            size = max(1, min(self._largest_batch, int(_BATCH_SECONDS / max(self._game_seconds, 1e-6))))
        return list(islice(jobs, size))

    def _replay(self, batches: list[list[Job]]) -> None:
        """A process died, and nobody knows over which game: play them one by one, with the players kept apart.

        Then the player at fault costs itself the game, and no other one.
        """
        self.workers.restart()
        apart = replace(self.terms, isolate=True)
        for job in (job for batch in batches for job in batch):
            try:
                games = self.workers.submit(apart, [job]).result()
            except Exception as error:
                if not self.workers.is_death(error):
                    raise
                self.workers.restart()
                self.outcome.unplayable.append(f"game {job.number}: its process died twice")
                continue
            for played in games:
                self._record(played)

    def _record(self, played: PlayedGame) -> None:
        outcome = self.outcome
        seconds = played.seconds
        self._game_seconds = seconds if self._game_seconds is None else 0.9 * self._game_seconds + 0.1 * seconds
        if self._ledger is not None and self._tournament is not None:
            a, b = (self._version(spec) for spec in played.job.players)
            if not self._ledger.add(self._tournament, played, (a, b)):
                return
        outcome.standings.add(played)
        outcome.played += 1
        outcome.seconds = time.perf_counter() - self._began
        if self._on_game is not None:
            self._on_game(played, outcome)

    def _version(self, spec: str) -> str:
        if spec not in self._versions:
            self._versions[spec] = player_version(spec)
        return self._versions[spec]


def settings_of(terms: Terms, plan: Plan) -> dict[str, Any]:
    """What a tournament's games follow from, as plain data."""
    return {
        "terms": terms.to_json(),
        "plan": {"games": plan.games, "openings": list(plan.openings), "swap": plan.swap, "seed": plan.seed},
    }


def resumable(ledger: Ledger, schedule: Schedule, plan: Plan, terms: Terms) -> int:
    """The number of the last tournament in the ledger with just these settings that is not over; raises LedgerError."""
    number = ledger.unfinished(type(schedule).kind, schedule.players, settings_of(terms, plan))
    if number is None:
        raise LedgerError(f"{str(ledger.path)!r} has no unfinished {type(schedule).kind} with these players and settings")
    return number


def run_tournament(
    schedule: Schedule, plan: Plan, terms: Terms, workers: Workers | None = None, ledger: Ledger | None = None,
    tournament: int | None = None, on_game: OnGame | None = None, decided: Decided | None = None,
) -> Outcome:  # fmt: skip
    """Play a schedule's games; with a ledger every game is entered as it ends.

    `tournament` is the ledger's number of one that was begun with the same settings: only its missing games are
    played. Ctrl-C ends the run and not the result: it has the games finished until then. `decided(standings)` ends it
    early. The workers are closed.
    """
    workers = workers or HereWorkers()
    outcome = Outcome(Standings(plan.swap), schedule.planned(plan))
    done: set[int] = set()
    finished = False
    try:
        workers.warm(terms, schedule.players)
        if ledger is not None:
            if tournament is None:
                kind = type(schedule).kind
                tournament = ledger.begin(kind, schedule.players, settings_of(terms, plan), outcome.planned)
            for entry in ledger.games(Filter(tournament=tournament)):
                outcome.standings.add(entry.played)
                done.add(entry.played.job.number)
        runner = Runner(terms, workers, outcome, ledger, tournament, on_game, decided)
        if decided is None or not decided(outcome.standings):
            for stage in schedule.stages(plan, outcome.standings.points):
                if not runner.play(job for job in plan.jobs(stage) if job.number not in done):
                    break
        finished = True
        if ledger is not None and tournament is not None and not outcome.unplayable:
            ledger.finish(tournament)
    except KeyboardInterrupt:
        outcome.interrupted = True
    finally:
        workers.close(at_once=not finished)
    return outcome
