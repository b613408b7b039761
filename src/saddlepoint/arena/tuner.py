"""Tuning: look for the numbers in a player's spec with which it plays best, and test whether it is better for it.

Every trial plays the same openings with the same seeds, so that luck is the same for all. The numbers of its games
follow from the trial's number, and everything else from the results: a tuning that goes on in a ledger takes the same
way again, and plays only the games that are not there.

Optuna proposes the values, learns how well they did, and says when a trial is not worth finishing: T. Akiba, S. Sano,
T. Yanase, T. Ohta, M. Koyama, Optuna: A Next-generation Hyperparameter Optimization Framework, KDD 2019. Its study is kept
in memory only: with the same seed and the same results it proposes the same values again.
"""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import optuna
from optuna.trial import TrialState

from ..players.base import derived_seed
from .conditions import Job, PlayedGame
from .standings import Standings
from .statistics.paired import Pentanomial
from .statistics.sprt import Sprt
from .tuned_parameters import Parameter, Values, with_values, written_values

KIND = "tune"
METHODS = ("tpe", "cmaes")
PRUNERS = ("median", "halving", "none")
_RUNGS = 4  # times that a trial's score is looked at
_SAMPLER_BITS = 32  # of NumPy's older generators, which Optuna's samplers have
_UNPRUNED = 5  # trials that are played to their end before others are measured by them


@dataclass(frozen=True)
class Tuning:
    """The settings of a tuning. Raises ValueError for settings that do not fit together."""

    start: str
    """The spec of the player as it is."""
    parameters: tuple[Parameter, ...]
    pool: tuple[str, ...] = ()
    """The players that trials play against; the start player if empty."""
    method: str = "tpe"
    games: int = 1000
    """In all trials; the finalists' and the test's come on top."""
    trial_games: int = 40
    """Of one trial against the whole pool."""
    pruner: str = "median"
    finalists: int = 4
    """The best trials, played again from other openings to find the one that was not only lucky."""
    finalist_games: int = 80
    test: Sprt = Sprt(0.0, 10.0)
    test_games: int = 1000
    """At most, of the tuned player against the start."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"a method of tuning is {', '.join(METHODS)}, not {self.method!r}")
        if self.pruner not in PRUNERS:
            raise ValueError(f"a pruner is {', '.join(PRUNERS)}, not {self.pruner!r}")
        if len(set(self.pool)) < len(self.pool):
            raise ValueError("every opponent is named once")
        if self.games < self.trial_pairs * 2 * len(self.opponents):
            raise ValueError(f"{self.games} games are not enough for one trial of {self.trial_games}")
        if self.method == "cmaes" and len(self.parameters) < 2:
            raise ValueError("cmaes tunes two parameters or more; use tpe for one")

    @property
    def opponents(self) -> tuple[str, ...]:
        """Whom trials play against."""
        return self.pool or (self.start,)

    @property
    def players(self) -> tuple[str, ...]:
        """The start, and the pool."""
        return (self.start, *self.pool)

    @property
    def trial_pairs(self) -> int:
        """Pairs of games of a trial against each opponent, and openings that all trials share."""
        return max(1, math.ceil(self.trial_games / (2 * len(self.opponents))))

    @property
    def finalist_pairs(self) -> int:
        """Pairs of games of a finalist against each opponent."""
        return max(1, math.ceil(self.finalist_games / (2 * len(self.opponents)))) if self.finalists else 0

    @property
    def rungs(self) -> tuple[int, ...]:
        """After how many pairs against each opponent a trial is looked at."""
        return tuple(sorted({math.ceil(self.trial_pairs * k / _RUNGS) for k in range(1, _RUNGS + 1)}))

    @property
    def openings_needed(self) -> int:
        """So that no stage plays an opening of another one, and none twice."""
        return self.trial_pairs + self.finalist_pairs + math.ceil(self.test_games / 2)

    @property
    def planned(self) -> int:
        """Games in all, if none is spared."""
        return self.games + self.finalists * self.finalist_pairs * 2 * len(self.opponents) + self.test_games

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data; equal settings give equal data."""
        return {
            "parameters": [str(one) for one in self.parameters],
            "method": self.method,
            "games": self.games,
            "trial_games": self.trial_games,
            "pruner": self.pruner,
            "finalists": self.finalists,
            "finalist_games": self.finalist_games,
            "test": str(self.test),
            "test_games": self.test_games,
        }


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


Play = Callable[[Iterable[Job]], list[PlayedGame]]
"""Plays games, or knows how they ended: in any order, without those that cannot be played."""
Recorded = Callable[[int], str | None]
"""Who was player 0 of a game, by its number; None if it was not played before."""
Opening = Callable[[int], str]
"""The opening of a pair, for every number from 0 on."""
SeedOf = Callable[[int], int]


class Tuner:
    """A tuning under way. `start_values` are the values of the player as it is, as far as they are known."""

    def __init__(
        self,
        tuning: Tuning,
        play: Play,
        recorded: Recorded,
        opening: Opening,
        seed_of: SeedOf,
        start_values: Values,
    ) -> None:
        self.tuning, self.progress = tuning, TuningProgress()
        self._play_jobs, self._recorded, self._opening, self._seed_of = play, recorded, opening, seed_of
        self._start_values = start_values
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
        for game, players in enumerate(((a, b), (b, a))):
            yield Job(number + game, number, players, self._opening(opening), self._seed_of(seed + game))


def _study(tuning: Tuning) -> optuna.Study:
    """An Optuna study that maximises a score."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    seed = tuning.seed
    if seed >= 1 << _SAMPLER_BITS:
        seed = derived_seed(seed, "proposals", bits=_SAMPLER_BITS)
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
    values: Values = {}
    for one in parameters:
        if one.whole:
            value = proposal.suggest_int(one.path, round(one.low), round(one.high), log=one.log)
        else:
            value = proposal.suggest_float(one.path, one.low, one.high, log=one.log)
        values[one.path] = one.fitting(value)
    return values
