"""Tuning: look for the numbers in a player's spec with which it plays best, and test whether it is better for it.

Every trial plays the same openings with the same seeds, so that luck is the same for all. The numbers of its games
follow from the trial's number, and everything else from the results: a tuning that goes on in a ledger takes the same
way again, and plays only the games that are not there.

Optuna proposes the values, learns how well they did, and says when a trial is not worth finishing: T. Akiba, S. Sano,
T. Yanase, T. Ohta, M. Koyama, Optuna: A Next-generation Hyperparameter Optimization Framework, KDD 2019. Its study is kept
in memory only: with the same seed and the same results it proposes the same values again.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import optuna
from optuna.trial import TrialState

from ..players.base import derived_seed
from .conditions import Job, MatchConditions, PlayedGame
from .ledger import Filter, Ledger, LedgerError
from .schedule import Plan, settings_of
from .standings import Standings
from .statistics.paired import Pentanomial
from .statistics.repeats import Repeats
from .summary import match_summary
from .tournament import Runner, TournamentOutcome, until_interrupted
from .tuning_plan import Parameter, Tuning, Values, values_of, with_values, written_values
from .workers import HereWorkers, Workers

KIND = "tune"
_SAMPLER_BITS = 32  # of NumPy's older generators, which Optuna's samplers have
_UNPRUNED = 5  # trials that are played to their end before others are measured by them


@dataclass
class Trial:
    """Some values, and what they achieved."""

    number: int
    values: Values
    spec: str
    opponents: tuple[str, ...]
    standings: Standings = field(default_factory=Standings)
    pruned: bool = False

    @property
    def counts(self) -> Pentanomial:
        """The games against the whole pool, without those that repeat another."""
        return sum(
            (self.standings.between(self.spec, opponent).counts for opponent in self.opponents), Pentanomial()
        )

    @property
    def lower(self) -> float:
        """The lower end of the score's 95 % interval."""
        return self.counts.interval()[0]


@dataclass
class TuningProgress:
    """The results of a tuning so far."""

    trials: list[Trial] = field(default_factory=list[Trial])
    finalists: list[Trial] = field(default_factory=list[Trial])
    """The best trials with the games they played for that, the best one first."""
    values: Values | None = None
    """The recommended values."""
    tuned: str | None = None
    """The player with these values; None until they are found."""
    changed: bool = False
    """Whether that is another player than the start."""


class Tuner:
    """A tuning under way. `start_values` are the values of the player as it is, as far as they are known.

    `play` plays games, or knows how they ended: in any order, without those that cannot be played. `recorded` says who was
    player 0 of a game, by its number; None if it was not played before. The plan gives openings and seeds.
    """

    def __init__(
        self,
        tuning: Tuning,
        play: Callable[[Iterable[Job]], list[PlayedGame]],
        recorded: Callable[[int], str | None],
        plan: Plan,
        start_values: Values,
    ) -> None:
        self.tuning, self.progress = tuning, TuningProgress()
        self._play_jobs, self._recorded, self._plan, self._start_values = play, recorded, plan, start_values
        each = 2 * len(tuning.opponents)  # games of a pair against all opponents
        self._trial_numbers = tuning.trial_pairs * each
        """Set aside for the games of one trial; those of the finalists follow, then those of the test."""
        self._finalists_first = tuning.games // (tuning.rungs[0] * each) * self._trial_numbers
        self._test_first = self._finalists_first + tuning.finalists * tuning.finalist_pairs * each

    def search(self) -> None:
        """Find the values to recommend."""
        self._try()
        self.progress.values = self._best().values
        self.progress.tuned = with_values(self.tuning.start, self.progress.values)
        self.progress.changed = any(
            self._start_values.get(path) != value for path, value in self.progress.values.items()
        )

    def test_jobs(self) -> Iterator[Job]:
        """The games of the tuned player against the start."""
        tuning, tuned = self.tuning, self.progress.tuned
        assert tuned is not None
        first = self._test_first
        opening = tuning.openings_needed - math.ceil(tuning.test_games / 2)
        for k in range(tuning.test_games // 2):
            yield from self._pair(first + 2 * k, opening + k, tuned, tuning.start, first + 2 * k)

    def _try(self) -> None:
        """Trials as Optuna proposes them, the start's values first, until the games are used up."""
        tuning = self.tuning
        study = _study(tuning)
        if all(
            one.low <= self._start_values.get(one.path, math.inf) <= one.high for one in tuning.parameters
        ):
            study.enqueue_trial(
                {one.path: one.fitting(self._start_values[one.path]) for one in tuning.parameters}
            )
        used, number = 0, 0
        while used + self._trial_numbers <= tuning.games:
            proposal, values = self._proposal(study, number)
            trial = Trial(number, values, with_values(tuning.start, values), tuning.opponents)
            self.progress.trials.append(trial)
            done = 0
            for rung in tuning.rungs:
                self._play(trial, self._trial_numbers * number, range(done, rung), 0)
                done = rung
                proposal.report(trial.counts.mean, rung)
                if proposal.should_prune() and rung < tuning.trial_pairs:
                    trial.pruned = True
                    break
            if trial.pruned:
                study.tell(proposal, state=TrialState.PRUNED)  # it counts by its reports
            else:
                study.tell(proposal, trial.counts.mean)
            used += done * len(tuning.opponents) * 2
            number += 1

    def _proposal(self, study: optuna.Study, number: int) -> tuple[optuna.Trial, Values]:
        """Optuna's next trial and its values. Where the ledger has games of this number, those of its games: another version
        of Optuna may propose differently, and the games are played."""
        spec = self._recorded(self._trial_numbers * number)
        proposal = study.ask()
        values = _suggested(proposal, self.tuning.parameters)
        if spec is not None and (recorded := written_values(spec, self.tuning.parameters)) != values:
            study.tell(proposal, state=TrialState.FAIL)
            study.enqueue_trial(dict(recorded))
            proposal = study.ask()
            values = _suggested(proposal, self.tuning.parameters)
        return proposal, values

    def _best(self) -> Trial:
        """The finalist with the highest lower bound of its score in new games alone.

        A trial's own games do not count, since they are why it is among the best.
        """
        tuning, progress = self.tuning, self.progress
        whole = [trial for trial in progress.trials if not trial.pruned]
        ranked = sorted(whole, key=lambda trial: (-trial.counts.mean, trial.number))
        different: dict[str, Trial] = {}
        for trial in ranked:
            different.setdefault(trial.spec, trial)
        if not tuning.finalists:
            return ranked[0]
        for place, trial in enumerate(list(different.values())[: tuning.finalists]):
            finalist = Trial(trial.number, trial.values, trial.spec, tuning.opponents)
            first = self._finalists_first + place * tuning.finalist_pairs * len(tuning.opponents) * 2
            self._play(finalist, first, range(tuning.finalist_pairs), tuning.trial_pairs)
            progress.finalists.append(finalist)
        progress.finalists.sort(key=lambda trial: -trial.lower)  # of equals, the better trial
        return progress.finalists[0]

    def _play(self, trial: Trial, first: int, pairs: range, opening: int) -> None:
        """Pairs of games against each opponent; openings and seeds are those of every other trial."""
        opponents = self.tuning.opponents
        jobs: list[Job] = []
        for pair in pairs:
            for place, opponent in enumerate(opponents):
                offset = 2 * (pair * len(opponents) + place)
                jobs += self._pair(first + offset, opening + pair, trial.spec, opponent, offset)
        for played in self._play_jobs(jobs):
            trial.standings.add(played)

    def _pair(self, number: int, opening: int, a: str, b: str, seed: int) -> Iterator[Job]:
        position = self._plan.openings[opening % len(self._plan.openings)]
        for game, players in enumerate(((a, b), (b, a))):
            yield Job(number + game, number, players, position, self._plan.seed_of(seed + game))


def _study(tuning: Tuning) -> optuna.Study:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    is_large = tuning.seed >= 1 << _SAMPLER_BITS
    seed = derived_seed(tuning.seed, "proposals", bits=_SAMPLER_BITS) if is_large else tuning.seed
    samplers, pruners = optuna.samplers, optuna.pruners
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = (
            samplers.TPESampler(seed=seed, multivariate=True)
            if tuning.method == "tpe"
            else samplers.CmaEsSampler(
                seed=seed, consider_pruned_trials=True, warn_independent_sampling=False
            )
        )
        pruner = {
            "median": pruners.MedianPruner(n_startup_trials=_UNPRUNED),
            "halving": pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=2),
            "none": pruners.NopPruner(),
        }[tuning.pruner]
        return optuna.create_study(direction="maximize", sampler=sampler, pruner=pruner)


def _suggested(proposal: optuna.Trial, parameters: Iterable[Parameter]) -> Values:
    return {
        one.path: one.fitting(
            proposal.suggest_int(one.path, round(one.low), round(one.high), log=one.log)
            if one.whole
            else proposal.suggest_float(one.path, one.low, one.high, log=one.log)
        )
        for one in parameters
    }


# A tuning's games on workers and in a ledger, and the test at its end.


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


class RecordedGames:
    """Plays the games that are not in the ledger, and enters them; `outcome` is kept up to date."""

    def __init__(
        self,
        conditions: MatchConditions,
        workers: Workers,
        outcome: TuningOutcome,
        ledger: Ledger | None,
        number: int | None,
        on_game: Callable[[TuningOutcome], None] | None,
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
    on_game: Callable[[TuningOutcome], None] | None = None,
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
        tuner = Tuner(tuning, games.play, games.recorded, plan, start_values)
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
