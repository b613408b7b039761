"""Optuna proposes values, learns how well they did, and says when a trial is not worth finishing.

T. Akiba, S. Sano, T. Yanase, T. Ohta, M. Koyama, Optuna: A Next-generation Hyperparameter Optimization Framework, KDD
2019. Its study is kept in memory only: with the same seed and the same results it proposes the same values again, so the
ledger's games are all that a resumed tuning needs.
"""

import warnings
from collections.abc import Sequence
from typing import Any

from ..._extras import how_to_install
from ...players.seeds import derived_seed
from .parameters import Parameter, Values

METHODS = ("tpe", "cmaes")
PRUNERS = ("median", "halving", "none")
_SAMPLER_BITS = 32  # of NumPy's older generators, which Optuna's samplers have
_UNPRUNED = 5  # trials that are played to their end before others are measured by them


class Proposals:
    """An Optuna study that maximises a score. Raises ValueError where Optuna is missing, or cannot do it."""

    def __init__(self, parameters: Sequence[Parameter], method: str, pruner: str, seed: int, first: Values | None = None) -> None:
        try:
            import optuna
        except ImportError:
            raise ValueError(f"tuning by tpe and cmaes needs Optuna: {how_to_install('tuning')}") from None
        if method == "cmaes" and len(parameters) < 2:
            raise ValueError("cmaes tunes two parameters or more; use tpe for one")
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._optuna: Any = optuna
        self._parameters = parameters
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            self._study: Any = optuna.create_study(
                direction="maximize", sampler=self._sampler(method, seed), pruner=self._pruner(pruner)
            )
        if first is not None and len(first) == len(parameters):
            self._study.enqueue_trial(dict(first))

    def _sampler(self, method: str, seed: int) -> Any:
        samplers = self._optuna.samplers
        if seed >= 1 << _SAMPLER_BITS:
            seed = derived_seed(seed, "proposals", bits=_SAMPLER_BITS)
        if method == "tpe":
            return samplers.TPESampler(seed=seed, multivariate=True)
        return samplers.CmaEsSampler(seed=seed, consider_pruned_trials=True, warn_independent_sampling=False)

    def _pruner(self, pruner: str) -> Any:
        pruners = self._optuna.pruners
        if pruner == "median":
            return pruners.MedianPruner(n_startup_trials=_UNPRUNED)
        return pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=2) if pruner == "halving" else pruners.NopPruner()

    def ask(self, recorded: Values | None = None) -> "Proposal":
        """The next values to try. Where a ledger has `recorded` others under this number, those: another version of Optuna
        may propose differently, and the games are played."""
        trial = self._study.ask()
        values = self._suggested(trial)
        if recorded is not None and recorded != values:
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
            self._study.enqueue_trial(dict(recorded))
            trial = self._study.ask()
            values = self._suggested(trial)
        return Proposal(self._study, trial, values, self._optuna.trial.TrialState.PRUNED)

    def _suggested(self, trial: Any) -> Values:
        values: Values = {}
        for one in self._parameters:
            if one.whole:
                value = trial.suggest_int(one.path, round(one.low), round(one.high), log=one.log)
            else:
                value = trial.suggest_float(one.path, one.low, one.high, log=one.log)
            values[one.path] = one.fitting(value)
        return values


class Proposal:
    """Values that are tried."""

    def __init__(self, study: Any, trial: Any, values: Values, pruned: Any) -> None:
        self.values = values
        self._study, self._trial, self._pruned = study, trial, pruned

    def report(self, score: float, rung: int) -> bool:
        """Tell the score so far, after the rung; whether the trial should be given up."""
        self._trial.report(score, rung)
        return bool(self._trial.should_prune())

    def tell(self, score: float, pruned: bool) -> None:
        """The trial is over. One that was given up counts by its reports."""
        if pruned:
            self._study.tell(self._trial, state=self._pruned)
        else:
            self._study.tell(self._trial, score)
