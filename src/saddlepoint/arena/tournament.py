"""Playing the games of a schedule: in parallel, into a ledger, from where it stopped."""

import functools
import math
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from .conditions import Job, Load, MatchConditions, PlayedGame, VoidGame, unreported, with_names
from .ledger import Filter, Ledger, LedgerError
from .ledger.running import RunningGames
from .ledger.versions import player_version
from .schedule import EXTENDABLE, Plan, Schedule, extending_jobs, goes_by_plan, settings_of
from .standings import Standings
from .statistics.repeats import Repeats
from .workers import Batch, HereWorkers, Workers

_QUEUED = 2  # batches waiting for each process, so that none is idle
_BATCH_SECONDS = 0.2  # short games are sent together: a message costs about as much as one
_LARGEST_BATCH = 200
_MOST_FAILED = 3
_LONG_PAUSE = 4.0  # seconds; longer ones are reported
_PAUSES = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0)
"""Seconds before a game is played again that the machine failed in, after the first time, the second ...; then no more."""

Decided = Callable[[Standings], bool]


@dataclass
class TournamentOutcome:
    """The outcome of a tournament."""

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
    """Games that could not be played, and why: their process died even with every player isolated, or the machine failed in
    every try. The others stand.
    """
    left_out: bool = False
    """Whether games were left out because they would repeat earlier ones."""
    unreported: str = ""
    """A sentence naming players whose waits for a core are not known; empty where there are none, or no clock decides."""
    busy: str = ""
    """The first report of other processes that took the players' cores."""

    @property
    def exhausted(self) -> str:
        """The reason why games were left out, with the way out; empty where none was."""
        meetings = {pair: figures for pair, figures in self.standings.pairings.items() if figures.exhausted}
        if not self.left_out or not meetings:
            return ""
        played, different = (
            sum(count)
            for count in zip(*((one.played, one.score.games) for one in meetings.values()), strict=True)
        )
        between = (
            ""
            if len(self.standings.pairings) == 1
            else " between " + "; ".join(" and ".join(pair) for pair in meetings)
        )
        found = "all are one" if different == 1 else f"only {different} differ"
        swap = "" if self.standings.paired else "; --swap plays each from both sides"
        return (
            f"the same games came again and again: of {played} games{between} {found}; "
            f"more openings, such as --openings random:4, give more{swap}"
        )

    @property
    def games_per_second(self) -> float:
        """Of this run."""
        return self.played / self.seconds if self.seconds else 0.0


OnGame = Callable[[PlayedGame, TournamentOutcome], None]
Say = Callable[[str], None]


class Runner:
    """Plays jobs on workers and records every finished game, once. A game that the machine failed in is played again after a
    pause that grows, while others go on.

    `labels` name players in the standings; by default their specs do. `say` is called with what the user should know at once.
    """

    def __init__(
        self,
        conditions: MatchConditions,
        workers: Workers,
        outcome: TournamentOutcome,
        ledger: Ledger | None = None,
        tournament: int | None = None,
        on_game: OnGame | None = None,
        decided: Decided | None = None,
        largest_batch: int = _LARGEST_BATCH,
        labels: Mapping[str, str] | None = None,
        say: Say = lambda text: None,
    ) -> None:
        self._largest_batch = largest_batch
        self._labels, self._say = {} if labels is None else labels, say
        self._again: list[tuple[float, Job]] = []
        """Games that the machine failed in, and from when on they are played again."""
        self._was_old = False
        """Whether the last game that was begun was one of them."""
        self._tries: Counter[int] = Counter()
        self._failed_since: set[int] = set()
        """Games that the machine failed in since one was played: after some no new one is begun until one of them can be played."""
        self._played_before: dict[int, int] = {}
        """How many games had been played when the machine first failed in a game."""
        self.gave_up = False
        """Whether the machine failed in every try of a game."""
        self.failed = False
        """Whether it did, and no other game could be played meanwhile: then nothing more is played."""
        self.conditions, self.workers, self.outcome = conditions, workers, outcome
        self._ledger, self._tournament = ledger, tournament
        if ledger is not None and tournament is not None:
            workers.running = RunningGames(str(ledger.path.resolve()), tournament)
        self._on_game, self._decided = on_game, decided
        self._began = time.perf_counter() - outcome.seconds
        self.version = functools.cache(player_version)
        """What a player is when this is called first it is in all games of this run."""
        self._game_seconds: float | None = None

    def play(self, jobs: Iterator[Job]) -> bool:
        """Play all jobs; False if it was decided before, or given up. Raises KeyboardInterrupt with all finished games recorded."""
        running: dict[Batch, list[Job]] = {}
        while True:
            while len(running) < self.workers.slots * _QUEUED and (batch := self._next(jobs)):
                running[self.workers.submit(self.conditions, batch)] = batch
                if isinstance(self.workers, HereWorkers):
                    break
            pause = min((when for when, _ in self._again), default=math.inf) - time.monotonic()
            if not running:
                if not self._again:
                    return True
                self._rest(pause)
                continue
            done, _ = wait(
                running, None if pause == math.inf else max(pause, 0.0), return_when=FIRST_COMPLETED
            )
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
                    self._take(played)
            if self.failed:
                return False
            if self._decided is not None and self._decided(self.outcome.standings):
                self.outcome.decided = True
                return False

    def telling(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """The jobs of which something new may come, by what is known when each of them is asked for: not those of players who
        only play again what they have played before.
        """
        for job in jobs:
            if self.outcome.standings.exhausted(*(self._labels.get(spec, spec) for spec in job.players)):
                self.outcome.left_out = True
            else:
                yield job

    def _next(self, jobs: Iterator[Job]) -> list[Job]:
        """Old games and new ones in turn, as long as the machine lets any be played."""
        old = [] if self._was_old else self._due()
        if not old and not (self._again and len(self._failed_since) >= _MOST_FAILED):
            if new := self._batch(jobs):
                self._was_old = False
                return new
        old = old or self._due()
        self._was_old = bool(old)
        return old

    def _due(self) -> list[Job]:
        """A game that is played again now."""
        now = time.monotonic()
        for number, (when, job) in enumerate(self._again):
            if when <= now:
                del self._again[number]
                return [job]
        return []

    def _rest(self, seconds: float) -> None:
        """Wait a while, where only games are left in which the machine failed."""
        if seconds > _LONG_PAUSE:
            self._say(
                f"the machine fails in {len(self._again)} game(s), which are played again in {seconds:.0f} s"
            )
        time.sleep(max(seconds, 0.0))

    def _batch(self, jobs: Iterator[Job]) -> list[Job]:
        size = 1
        if (
            self._game_seconds is not None and self._decided is None
        ):  # a decision should not wait for games to spare
            size = max(1, min(self._largest_batch, int(_BATCH_SECONDS / max(self._game_seconds, 1e-6))))
        return list(islice(jobs, size))

    def _replay(self, batches: list[list[Job]]) -> None:
        """A process died, and nobody knows over which game: play them one by one, with isolated players.

        Then the player at fault costs itself the game, and no other one.
        """
        self.workers.restart()
        conditions = self.conditions
        apart = replace(conditions, isolation=replace(conditions.isolation, programs_only=False))
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
                self._take(played)

    def _take(self, game: PlayedGame | VoidGame) -> None:
        if isinstance(game, VoidGame):
            self._void(game)
        else:
            self._record(game)
        if not self.outcome.busy and self.conditions.timed and game.load is not None:
            self._watch(game.load)

    def _void(self, void: VoidGame) -> None:
        """The game counts for nobody, and is played again, unless the machine fails every time."""
        number = void.job.number
        if self._ledger is not None and self._tournament is not None:
            self._ledger.add_void(self._tournament, void)
        self.outcome.standings.add_void(void)
        self._played_before.setdefault(number, self.outcome.played)
        self._failed_since.add(number)
        tried = self._tries[number]
        self._tries[number] += 1
        if tried < len(_PAUSES):
            self._again.append((time.monotonic() + _PAUSES[tried], void.job))
            return
        self.gave_up = True
        self.failed = self.outcome.played == self._played_before[number]
        self.outcome.unplayable.append(
            f"game {number} was void {tried + 1} times, the machine is at fault: {void.reason}"
        )

    def _watch(self, load: Load) -> None:
        """Say once that others took the players' cores."""
        problem = load.problem(self.workers.slots)
        if problem:
            self.outcome.busy = problem
            kept = "; the ledger has each game's load" if self._ledger is not None else ""
            self._say(f"the machine became busy ({problem}): games take longer{kept}")

    def _record(self, played: PlayedGame) -> None:
        self._failed_since.clear()
        outcome = self.outcome
        seconds = played.seconds
        self._game_seconds = (
            seconds if self._game_seconds is None else 0.9 * self._game_seconds + 0.1 * seconds
        )
        if self._ledger is not None and self._tournament is not None:
            a, b = (self.version(spec) for spec in played.job.players)
            if not self._ledger.add(self._tournament, played, (a, b)):
                return
        outcome.standings.add(with_names(played, self._labels))
        outcome.played += 1
        outcome.seconds = time.perf_counter() - self._began
        if self._on_game is not None:
            self._on_game(played, outcome)


@contextmanager
def until_interrupted(workers: Workers, outcome: Any) -> Generator[None]:
    """Ctrl-C ends the run and not its `outcome`; the workers are closed, at once where games are still under way."""
    try:
        with workers:
            yield
    except KeyboardInterrupt:
        outcome.interrupted = True


def check_versions(ledger: Ledger, tournament: int, players: Iterable[str]) -> None:
    """Raise LedgerError where a player is not the one any more that played this tournament's games."""
    played, labels = ledger.versions(tournament), ledger.labels()
    for spec in players:
        now = player_version(spec)
        if not any(known == spec for known, _ in played) or (spec, now) in played:
            continue
        called = {labels.of(spec, version) for known, version in played if known == spec}
        if not labels.knows(spec, now) or labels.of(spec, now) not in called:
            raise LedgerError(
                f"{spec} has changed since its games in tournament {tournament}: begin a new one, or say that it is the same player "
                f"with `saddlepoint ledger merge-versions {ledger.path} {spec!r}`"
            )


def run_tournament(
    schedule: Schedule,
    plan: Plan,
    conditions: MatchConditions,
    workers: Workers | None = None,
    ledger: Ledger | None = None,
    tournament: int | None = None,
    on_game: OnGame | None = None,
    decided: Decided | None = None,
    extension: bool = False,
    say: Say = lambda text: None,
) -> TournamentOutcome:
    """Play a schedule's games; with a ledger every game is entered as it ends.

    `tournament` is the ledger's number of one that was begun with the same settings: only its missing games are
    played. With `extension` that one had fewer games or players (see extending.py); one that was extended before may be
    resumed without it. Ctrl-C ends the run and not the result: it has the games finished until then. `decided(standings)`
    ends it early. The workers are closed. Raises LedgerError where a player has changed since a tournament's games.
    """
    workers = workers or HereWorkers()
    conditions = conditions.hiding(schedule.players, None if ledger is None else ledger.path)
    outcome = TournamentOutcome(Standings(plan.swap, Repeats()), schedule.planned(plan))
    outcome.unreported = unreported(schedule.players) if conditions.timed else ""
    done: list[Job] = []
    with until_interrupted(workers, outcome):
        if ledger is not None and tournament is not None:
            check_versions(ledger, tournament, schedule.players)
        workers.warm(conditions, schedule.players)
        if ledger is not None:
            if tournament is None:
                kind = type(schedule).kind
                tournament = ledger.begin(
                    kind, schedule.players, settings_of(conditions, plan), outcome.planned
                )
            for entry in ledger.games(Filter(tournament=tournament)):
                outcome.standings.add(entry.played)
                done.append(entry.played.job)
            for entry in ledger.voids(tournament):
                outcome.standings.add_void(entry.void)
        runner = Runner(conditions, workers, outcome, ledger, tournament, on_game, decided, say=say)
        for spec in schedule.players if ledger is not None else ():
            runner.version(spec)
        played = {job.number for job in done}
        if decided is None or not decided(outcome.standings):
            for stage in schedule.stages(plan, outcome.standings.points):
                jobs = plan.jobs(stage)
                grown = extension or (
                    isinstance(schedule, EXTENDABLE) and not goes_by_plan(plan.jobs(stage), done)
                )
                if not runner.play(
                    runner.telling(
                        extending_jobs(jobs, plan, done)
                        if grown
                        else (job for job in jobs if job.number not in played)
                    )
                ):
                    break
        if ledger is not None and tournament is not None and not outcome.unplayable:
            ledger.finish(tournament)
    return outcome
