"""Games in pairs, the same opening twice with the sides swapped: score, Elo, normalised Elo, intervals.

The two games of a pair are not independent: an opening that favours one side gives both players a win. So the
unit is the pair, whose score takes five values; hence pentanomial, where single games are trinomial.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from .score import Z95, Score, cautious_inner, score_interval

LOGISTIC_SCALE = 400 / math.log(10)
"""Elo points for a factor e in the odds."""

NORMALISED_SCALE = 800 / math.log(10)
"""Elo points for a mean score one standard deviation of a game above 1/2."""


def elo_of_score(score: float) -> float:
    """The Elo difference at which the expected score (0 to 1) is this one; infinite at 0 and 1.

    A. E. Elo, The Rating of Chessplayers, 1978, in its logistic form: score = 1 / (1 + 10^(-elo / 400)).
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"a score lies between 0 and 1, not at {score}")
    if score in (0.0, 1.0):
        return math.inf if score else -math.inf
    return LOGISTIC_SCALE * math.log(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The expected score of a player that is `elo` points better: the inverse of `elo_of_score`."""
    return 0.5 + math.tanh(elo / LOGISTIC_SCALE / 2) / 2


@dataclass(frozen=True)
class Pentanomial:
    """How many pairs of games gave 0, 1/2, 1, 3/2 and 2 points, from one player's view.

    `singles` are the games whose other half was not played. They count for the score and its interval, each
    as a unit of its own.
    """

    ll: int = 0
    ld: int = 0
    dd_or_wl: int = 0
    wd: int = 0
    ww: int = 0
    singles: Score = Score()

    @classmethod
    def from_games(cls, games: Iterable[tuple[Hashable, float]]) -> "Pentanomial":
        """Counts from (name of the pair, points) of every game, points being 0, 0.5 or 1.

        Raises ValueError if a pair has more than two games, or the points are none of the three.
        """
        found: defaultdict[Hashable, list[float]] = defaultdict(list)
        for pair, points in games:
            if points not in (0.0, 0.5, 1.0):
                raise ValueError(f"a game gives 0, 0.5 or 1 points, not {points}")
            found[pair].append(points)
        cells = [0] * 5
        single: list[float] = []
        for pair, points in found.items():
            if len(points) > 2:
                raise ValueError(f"a pair has two games, but {pair!r} has {len(points)}")
            if len(points) == 2:
                cells[round(2 * sum(points))] += 1
            else:
                single += points
        return cls(*cells, singles=Score.of(single))

    @property
    def cells(self) -> tuple[int, int, int, int, int]:
        """The five counts, worst pair first (as fishtest and fastchess print them: Ptnml(0-2))."""
        return self.ll, self.ld, self.dd_or_wl, self.wd, self.ww

    @property
    def pairs(self) -> int:
        """Pairs of which both games are known."""
        return sum(self.cells)

    @property
    def games(self) -> int:
        """Games played, in pairs and single."""
        return 2 * self.pairs + self.singles.games

    @property
    def points(self) -> float:
        """Points won, a draw being half a point."""
        return sum(k * count for k, count in enumerate(self.cells)) / 2 + self.singles.points

    @property
    def mean(self) -> float:
        """The score: points per game, 0 to 1; 0.5 without games."""
        return self.points / self.games if self.games else 0.5

    @property
    def swapped(self) -> "Pentanomial":
        """The same games from the other player's view."""
        return Pentanomial(*reversed(self.cells), singles=self.singles.swapped)

    def __add__(self, other: "Pentanomial") -> "Pentanomial":
        return Pentanomial(*(a + b for a, b in zip(self.cells, other.cells)), singles=self.singles + other.singles)

    @property
    def variance(self) -> float:
        """The variance of a game's points, in points^2: the games times the variance of `mean`.

        It is what a single game would have if games were independent and `mean` as uncertain as it is; half
        the variance of a pair's points. 0 without games.
        """
        return self._variance(self.mean, self._inner) if self.games else 0.0

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The confidence interval of `mean`: 95 % unless told otherwise, pairs taken as independent.

        It is `Score.interval` carried over to five values, see `score_interval`; with single games alone it
        is the same. (0, 1) without games.
        """
        if not self.games:
            return 0.0, 1.0
        return score_interval(self.mean, self._units, self._inner, z)

    @property
    def elo(self) -> float:
        """The Elo difference that explains `mean`; infinite if all points were won, or none."""
        return elo_of_score(self.mean)

    def elo_interval(self, z: float = Z95) -> tuple[float, float]:
        """The interval of `elo`: that of the score, on Elo's scale. An end may be infinite."""
        low, high = self.interval(z)
        return elo_of_score(low), elo_of_score(high)

    @property
    def normalised_elo(self) -> float:
        """(mean - 1/2) / sigma * 800 / ln 10, sigma^2 being `variance`: how soon a match shows who is better.

        M. Van den Bergh, Comments on Normalized Elo (cantate.be/Fishtest/normalized_elo_practical.pdf), as
        fishtest and fastchess use it. Infinite if the games have no variance and the mean is not 1/2.
        """
        return self._normalised(self.mean, self.variance)

    def normalised_elo_interval(self, z: float = Z95) -> tuple[float, float]:
        """The interval of `normalised_elo`: both ends of the score's, each with the sigma that it goes with.

        At a mean of 1/2 it is +- z * 800 / ln 10 / sqrt(games), the error that fastchess prints; far from it, it is
        wider than need be, because the sigma is taken to grow towards 1/2 as it would without draws. Pairs that all
        came out alike are not believed to have no variance: there the estimate is infinite, the interval is not.
        """
        if not self.games:
            return -math.inf, math.inf
        inner = cautious_inner(self.mean, self._units, self._inner, z)
        low, high = self.interval(z)
        ends = [self._normalised(end, self._variance(end, inner)) for end in (low, high)]
        return ends[0], ends[1]

    @property
    def los(self) -> float:
        """Likelihood of superiority, 0 to 1: how sure it is that the expected score is above 1/2.

        The normal distribution up to (mean - 1/2) / standard error, the latter taken at 1/2 as in `interval`: so it is
        above 97.5 % exactly when the 95 % interval lies above 1/2, and a first win alone is no certainty. It is a
        posterior probability under a flat prior, not the probability that the next game is won. 0.5 without games.
        """
        if not self.games:
            return 0.5
        inner = cautious_inner(self.mean, self._units, self._inner)
        error = math.sqrt(self._variance(0.5, inner) / self.games)
        return math.erfc(-(self.mean - 0.5) / error / math.sqrt(2)) / 2

    @property
    def _weight(self) -> int:
        """The sum of squared games a unit: the variance of the points, in variances of a unit's mean."""
        return 4 * self.pairs + self.singles.games

    @property
    def _units(self) -> float:
        """As many units of one kind tell as much as the pairs and single games."""
        return self.games**2 / self._weight

    @property
    def _inner(self) -> float:
        """The mean of x (1 - x) over the units, x being a unit's mean points a game."""
        pairs = (self.ld + self.wd) * 3 / 16 + self.dd_or_wl / 4
        return (4 * pairs + self.singles.draws / 4) / self._weight

    def _variance(self, rate: float, inner: float) -> float:
        spread = rate * (1 - rate) - inner
        # What is left of equal pairs is rounding, which must not pass for a variance.
        return spread * self._weight / self.games if spread > 1e-15 else 0.0

    @staticmethod
    def _normalised(rate: float, variance: float) -> float:
        if not variance:
            return 0.0 if rate == 0.5 else math.copysign(math.inf, rate - 0.5)
        return (rate - 0.5) / math.sqrt(variance) * NORMALISED_SCALE
