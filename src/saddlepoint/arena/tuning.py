"""A tuning's games on workers and in a ledger, and the test at its end."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .conditions import Job, MatchConditions, PlayedGame
from .ledger import Filter, Ledger, LedgerError
from .schedule import Plan, settings_of
from .standings import Standings
from .statistics.repeats import Repeats
from .summary import match_summary
from .tournament import Runner, TournamentOutcome, until_interrupted
from .tuned_parameters import values_of
from .tuner import KIND, Trial, Tuner, Tuning, TuningProgress
from .workers import HereWorkers, Workers


@dataclass
class TuningOutcome:
    """The outcome of a tuning."""

    progress: TuningProgress
    test: TournamentOutcome
    """The games of the tuned player against the start; none where nothing changed."""
    games: int = 0
    """In all, those from before included."""
    played: int = 0
    """In this run."""
    seconds: float = 0.0
    """Of this run."""
    interrupted: bool = False
    unplayable: list[str] = field(default_factory=list[str])
    """Games whose process died even with every player isolated."""


OnGame = Callable[[TuningOutcome], None]


class RecordedGames:
    """Plays the games that are not in the ledger, and enters them; `outcome` is kept up to date."""

    def __init__(
        self,
        conditions: MatchConditions,
        workers: Workers,
        outcome: TuningOutcome,
        ledger: Ledger | None,
        number: int | None,
        on_game: OnGame | None,
    ) -> None:
        self._conditions, self._workers, self._ledger, self._number = conditions, workers, ledger, number
        self._outcome, self._on_game = outcome, on_game
        self._played: list[PlayedGame] = []
        self._known = {played.job.number: _without_times(played) for played in self._entered()}
        self._runner = Runner(
            conditions, workers, TournamentOutcome(Standings(), None), ledger, number, self._note
        )

    def play(self, jobs: Iterable[Job]) -> list[PlayedGame]:
        """The games, without their times. Raises LedgerError where the ledger has others.

        Raises ValueError where the machine failed in every try of a game.
        """
        jobs = list(jobs)
        found = [self._known[job.number] for job in jobs if self._is_known(job)]
        self._outcome.games += len(found)
        self._played = []
        # Counts of its own for each batch: hundreds of players pass by, and only their points are of interest.
        self._runner.outcome = TournamentOutcome(Standings(), None)
        self._runner.play(job for job in jobs if job.number not in self._known)
        self._outcome.unplayable += self._runner.outcome.unplayable
        if self._runner.gave_up:
            raise ValueError(self._outcome.unplayable[-1])
        return found + self._played

    def recorded(self, number: int) -> str | None:
        """Player 0 of a game that was played before; None if it was not."""
        return self._known[number].job.players[0] if number in self._known else None

    def play_test(self, tuner: Tuner) -> None:
        """Play the tuned player against the start until the test is decided, or its games are used up."""
        tuning, tuned, test = tuner.tuning, tuner.progress.tuned, self._outcome.test
        assert tuned is not None

        def decided(standings: Standings) -> bool:
            return tuning.test.decide(standings.between(tuned, tuning.start).counts) != "continue"

        jobs = {job.number: job for job in tuner.test_jobs()}
        for played in self._entered():
            if jobs.pop(played.job.number, None) is not None:
                test.standings.add(played)
                self._outcome.games += 1
        test.decided = decided(test.standings)
        if not test.decided:
            runner = Runner(
                self._conditions, self._workers, test, self._ledger, self._number, self._note, decided
            )
            runner.play(runner.telling(jobs.values()))
        self._outcome.unplayable += test.unplayable

    def _entered(self) -> Iterator[PlayedGame]:
        """The games that the ledger has."""
        if self._ledger is not None and self._number is not None:
            yield from (entry.played for entry in self._ledger.games(Filter(tournament=self._number)))

    def _note(self, played: PlayedGame, _: TournamentOutcome) -> None:
        self._played.append(_without_times(played))
        self._outcome.games += 1
        self._outcome.played += 1
        if self._on_game is not None:
            self._on_game(self._outcome)

    def _is_known(self, job: Job) -> bool:
        known = self._known.get(job.number)
        if known is not None and known.job != job:
            raise LedgerError(
                f"game {job.number} of this tuning was {' against '.join(known.job.players)}, where this version of the "
                f"program would play {' against '.join(job.players)}; begin a new tuning"
            )
        return known is not None


def _without_times(played: PlayedGame) -> PlayedGame:
    return replace(played, times=((), ()), searches=((), ()), load=None)


def tuning_settings(tuning: Tuning, plan: Plan, conditions: MatchConditions) -> dict[str, Any]:
    """The settings that determine a tuning's games, as plain data."""
    return settings_of(conditions, plan, tuning=tuning.to_json())


def run_tuning(
    tuning: Tuning,
    plan: Plan,
    conditions: MatchConditions,
    workers: Workers | None = None,
    ledger: Ledger | None = None,
    number: int | None = None,
    on_game: OnGame | None = None,
) -> TuningOutcome:
    """Tune, then test the tuned player against the start; with a ledger every game is entered as it ends.

    The plan gives openings and seeds. `number` is the ledger's number of a tuning that was begun with the same settings:
    only its missing games are played. Ctrl-C ends the run and not the result. The workers are closed.
    """
    workers = workers or HereWorkers()
    conditions = conditions.hiding(tuning.players, None if ledger is None else ledger.path)
    test = TournamentOutcome(Standings(repeats=Repeats()), tuning.test_games)
    outcome = TuningOutcome(TuningProgress(), test)
    began = time.perf_counter()
    with until_interrupted(workers, outcome):
        if ledger is not None and number is None:
            number = ledger.begin(
                KIND, tuning.players, tuning_settings(tuning, plan, conditions), tuning.planned
            )
        games = RecordedGames(conditions, workers, outcome, ledger, number, on_game)
        start_values = values_of(tuning.start, tuning.parameters, conditions.game, conditions.limits)
        openings = plan.openings
        tuner = Tuner(
            tuning,
            games.play,
            games.recorded,
            lambda pair: openings[pair % len(openings)],
            plan.seed_of,
            start_values,
        )
        outcome.progress = tuner.progress
        tuner.search()
        if outcome.progress.changed:
            games.play_test(tuner)
        if ledger is not None and number is not None and not outcome.unplayable:
            ledger.finish(number)
    outcome.seconds = time.perf_counter() - began
    return outcome


def tuning_summary(tuning: Tuning, outcome: TuningOutcome) -> dict[str, Any]:
    """The figures of a tuning as plain data; scores from 0 to 1, from the tuned player's view."""
    progress, tested = outcome.progress, outcome.test
    return {
        "start": tuning.start,
        "opponents": list(tuning.opponents),
        "method": tuning.method,
        "parameters": [str(one) for one in tuning.parameters],
        "games": outcome.games,
        "planned": tuning.planned,
        "played": outcome.played,
        "seconds": outcome.seconds,
        "interrupted": outcome.interrupted,
        "problem": "; ".join(outcome.unplayable),
        "trials": [_trial_summary(trial) for trial in progress.trials],
        "finalists": [_trial_summary(trial) for trial in progress.finalists],
        "values": progress.values,
        "tuned": progress.tuned,
        "changed": progress.changed,
        "test": None
        if not tested.standings.games or progress.tuned is None
        else match_summary(tested, progress.tuned, tuning.start, tuning.test),
    }


def _trial_summary(trial: Trial) -> dict[str, Any]:
    counts = trial.counts
    return {
        "trial": trial.number,
        "values": trial.values,
        "spec": trial.spec,
        "pruned": trial.pruned,
        "games": counts.games,
        "score": counts.mean,
        "interval95": list(counts.interval()),
    }
