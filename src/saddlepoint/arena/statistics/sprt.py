"""The generalised sequential probability ratio test: play until it is clear which of two strengths it is.

A. Wald, Sequential Analysis, 1947, for the test; X. Li, J. Liu, Z. Ying, Generalized Sequential Probability Ratio Test
for Separate Families of Hypotheses, Sequential Analysis 33, 2014, for likelihoods maximised under each hypothesis; M.
Van den Bergh's notes on cantate.be/Fishtest, which fishtest follows, for its use on games.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import root_scalar

from .paired import NORMALISED_SCALE, Pentanomial, Score, score_of_elo
from .ratings import ConvergenceError

EMPTY_CELL = 1e-3
"""What an outcome that was not seen counts as, in fishtest too: with nothing, no distribution would have every mean."""

LARGEST_ELO = 2000.0

_ROUNDS = 100
_ENOUGH = 1e-6  # of a share: rounding may keep a step from getting smaller

Verdict = Literal["H0", "H1", "continue"]
Counts = Pentanomial | Score | Sequence[int]

_EXPECTED = "a text like 'elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic'"


@dataclass(frozen=True)
class Sprt:
    """The test of H0, the player is `elo0` points better, against H1, it is `elo1` points better.

    alpha: how often H1 is accepted at elo0 or below; beta: how often H0 is accepted at elo1 or above (each
    above 0 and below 0.5). model: "logistic", the Elo of the expected score, or "normalised" (also
    "normalized"), see `Pentanomial.normalised_elo`. Raises ValueError for bounds that are not in order.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __post_init__(self) -> None:
        if self.model == "normalized":
            object.__setattr__(self, "model", "normalised")
        if self.model not in ("logistic", "normalised"):
            raise ValueError(f"the model of an SPRT is logistic or normalised, not {self.model!r}")
        if not -LARGEST_ELO <= self.elo0 < self.elo1 <= LARGEST_ELO:
            found = f"elo0={self.elo0:g} elo1={self.elo1:g}"
            raise ValueError(f"an SPRT needs elo0 below elo1, both within {LARGEST_ELO:g} of 0, not {found}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < rate < 0.5:
                raise ValueError(f"the {name} of an SPRT lies between 0 and 0.5, not at {rate:g}")

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """The test that a text names: name=value with spaces or commas between; elo0 and elo1 must be there.

        Raises ValueError, in one sentence, for anything else.
        """
        settings: dict[str, str | float] = {}
        for word in re.split(r"[,\s]+", text.strip()):
            name, equals, value = word.partition("=")
            if not equals or name not in ("elo0", "elo1", "alpha", "beta", "model"):
                raise ValueError(f"an SPRT is {_EXPECTED}, and {word!r} has no place in it")
            if name in settings:
                raise ValueError(f"an SPRT is {_EXPECTED}, with {name} only once")
            try:
                settings[name] = value if name == "model" else float(value)
            except ValueError:
                raise ValueError(f"an SPRT is {_EXPECTED}, and {name}={value} is not a number") from None
        for name in ("elo0", "elo1"):
            if name not in settings:
                raise ValueError(f"an SPRT is {_EXPECTED}, but {name} is missing")
        return cls(**settings)  # pyright: ignore[reportArgumentType]

    def __str__(self) -> str:
        """The text that `parse` reads."""
        settings = ((name, str(getattr(self, name))) for name in ("elo0", "elo1", "alpha", "beta", "model"))
        return " ".join(f"{name}={value.removesuffix('.0')}" for name, value in settings)

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which H0 and H1 are accepted: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """The log-likelihood ratio of H1 to H0 for these results; 0 without any.

        counts: pairs of games (while there are any, single games beside them wait for their other half), or
        games; or plain numbers, worst result first: 3 for games, 5 for pairs.
        """
        cells = _cells(counts)
        if not any(cells):
            return 0.0
        ratio = logistic_llr if self.model == "logistic" else normalised_llr
        return float(ratio(np.array(cells, dtype=np.float64), self.elo0, self.elo1))

    def decide(self, counts: Counts) -> Verdict:
        """The hypothesis that is accepted, or "continue"."""
        lower, upper = self.bounds
        ratio = self.llr(counts)
        return "H1" if ratio >= upper else "H0" if ratio <= lower else "continue"


def logistic_llr(counts: ArrayLike, elo0: float, elo1: float) -> NDArray[np.float64]:
    """The log-likelihood ratio of expected scores: of `elo1` to `elo0`, in logistic Elo.

    counts: shape (..., 3) of games or (..., 5) of pairs, worst result first; the result has shape (...). Under each
    hypothesis the likelihood is the largest that any distribution with this expected score gives (exactly, by `_tilt`):
    M. Van den Bergh, support_MLE_multinomial.pdf. Cells without a count get `EMPTY_CELL`.
    """
    cells, values = _regularised(counts)
    total = cells.sum(axis=-1, keepdims=True)
    logs: list[NDArray[np.float64]] = []
    for elo in (elo0, elo1):
        offsets = values - score_of_elo(elo)
        logs.append(np.log1p(_tilt(cells / total, offsets)[..., None] * offsets))
    return (cells * (logs[0] - logs[1])).sum(axis=-1)


def normalised_llr(counts: ArrayLike, elo0: float, elo1: float) -> NDArray[np.float64]:
    """The log-likelihood ratio of normalised Elo: of `elo1` to `elo0`.

    counts: as in `logistic_llr`. Here a hypothesis fixes t, the mean score above 1/2 in standard deviations:
    the likeliest distribution that has it is found as in M. Van den Bergh, normalized_elo_practical.pdf,
    section 4.1, by making the condition linear around the last distribution until it stays where it is.
    """
    cells, values = _regularised(counts)
    shares = cells / cells.sum(axis=-1, keepdims=True)
    games_a_unit = (cells.shape[-1] - 1) / 2
    fits = [
        _likeliest_with_t(shares, values, elo / NORMALISED_SCALE * math.sqrt(games_a_unit))
        for elo in (elo0, elo1)
    ]
    return (cells * (np.log(fits[1]) - np.log(fits[0]))).sum(axis=-1)


def _cells(counts: Counts) -> Sequence[int]:
    if isinstance(counts, Pentanomial):
        return counts.cells if counts.pairs else _cells(counts.singles)
    if isinstance(counts, Score):
        return counts.losses, counts.draws, counts.wins
    if len(counts) not in (3, 5) or min(counts) < 0:
        raise ValueError("an SPRT takes 3 counts of games or 5 counts of pairs, none below 0")
    return counts


def _regularised(counts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    cells = np.array(counts, dtype=np.float64)
    cells[cells == 0.0] = EMPTY_CELL
    return cells, np.linspace(0.0, 1.0, cells.shape[-1])


def _tilt(shares: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The x with sum p v / (1 + x v) = 0, so that p / (1 + x v) is likeliest of what has a mean v of 0.

    shares: p, shape (..., k), positive; offsets: v, shape (k,) or (..., k), with both signs. The sum falls in
    x between its poles; Newton's steps that would leave the bracket become bisections.
    """
    low = np.broadcast_to(-1 / offsets.max(axis=-1), shares.shape[:-1])
    high = np.broadcast_to(-1 / offsets.min(axis=-1), shares.shape[:-1])
    x = (shares * offsets).sum(axis=-1) / (shares * offsets**2).sum(axis=-1)
    step = np.full_like(x, np.inf)
    for _ in range(_ROUNDS):
        x = np.where((x > low) & (x < high), x, (low + high) / 2)
        ratio = offsets / (1 + x[..., None] * offsets)
        value = (shares * ratio).sum(axis=-1)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        step = value / (shares * ratio**2).sum(axis=-1)
        x = x + step
        if np.abs(step).max(initial=0.0) < 1e-12:
            break
    if not (np.abs(step) / (1 + np.abs(x))).max(initial=0.0) < _ENOUGH:
        raise ConvergenceError("a likelihood ratio", _ROUNDS)
    return np.clip(x, low, high)


def _likeliest_with_t(
    shares: NDArray[np.float64], values: NDArray[np.float64], t: float
) -> NDArray[np.float64]:
    """The distribution over `values` with (mean - 1/2) / sigma = t under which `shares` are likeliest."""
    fit = np.broadcast_to(_some_with_t(values, t), shares.shape)
    before = np.full_like(fit, np.inf)
    for _ in range(_ROUNDS):
        before = fit
        mean = (fit * values).sum(axis=-1, keepdims=True)
        sigma = np.sqrt((fit * (values - mean) ** 2).sum(axis=-1, keepdims=True))
        offsets = values - 0.5 - t * sigma * (1 + ((values - mean) / sigma) ** 2) / 2
        fit = shares / (1 + _tilt(shares, offsets)[..., None] * offsets)
        if np.abs(fit - before).max(initial=0.0) < 1e-9:
            break
    if not np.abs(fit - before).max(initial=0.0) < _ENOUGH:
        raise ConvergenceError("a likelihood ratio of normalised Elo", _ROUNDS)
    return fit


def _some_with_t(values: NDArray[np.float64], t: float) -> NDArray[np.float64]:
    """A distribution with (mean - 1/2) / sigma = t: exponential in the values.

    From a start that fulfils the condition, its linear form has a solution.
    """

    def tilted(slope: float) -> NDArray[np.float64]:
        weights = np.exp(slope * (values - (1 if slope > 0 else 0)))
        return weights / weights.sum()

    def excess(slope: float) -> float:
        weights = tilted(slope)
        mean = float((weights * values).sum())
        return mean - 0.5 - t * math.sqrt(float((weights * (values - mean) ** 2).sum()))

    return tilted(float(root_scalar(excess, bracket=(-100.0, 100.0)).root))
