"""The score of a series of games with its interval, also of games in pairs (one opening, sides swapped)."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Z95 = 1.959963984540054
UNSEEN = 1.5
"""Found by simulation: with it, intervals of 200 and more single games, or of 500 and more in pairs, hold the
true rate 94 to 96 times in 100, at scores up to 0.9.
"""


@dataclass(frozen=True)
class Score:
    """Games won, drawn and lost, from one player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, points: Sequence[float]) -> "Score":
        """The score of games with these points: 1, 0.5 or 0 each."""
        return cls(points.count(1), points.count(0.5), points.count(0))

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def swapped(self) -> "Score":
        """The same games from the other player's view."""
        return Score(self.losses, self.draws, self.wins)

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points won, a draw being half a point."""
        return self.wins + self.draws / 2

    @property
    def mean(self) -> float:
        """The score: points per game, a draw being half a point; 0.5 without games."""
        return self.points / self.games if self.games else 0.5

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The confidence interval of the mean score: 95 % by default, games taken as independent.

        Wilson's score interval (E. B. Wilson, JASA 22, 1927), carried over to draws, see `score_interval`.
        Without draws it is exactly Wilson's; a series of draws alone does not look like certainty.
        """
        if not self.games:
            return 0.0, 1.0
        return score_interval(self.mean, self.games, self.draws / 4 / self.games, z)


def score_interval(mean: float, units: float, inner: float, z: float = Z95) -> tuple[float, float]:
    """The means m within z standard errors of the one seen, taken as large as they would be at m itself.

    For `units` > 0 independent values between 0 and 1 whose mean is `mean`. `inner`, the mean of x (1 - x) over them,
    is what their variance lacks of that of wins and losses: it is m (1 - m) - inner. Both ends lie in [0, 1].
    """
    c = z * z / units
    inner = cautious_inner(mean, units, inner, z)
    # (mean - m)^2 = c (m (1 - m) - inner), solved for m
    half = math.sqrt(max(0.0, c * c * (1 - 4 * inner) + 4 * c * (mean * (1 - mean) - inner))) / (2 * (1 + c))
    middle = (2 * mean + c) / (2 * (1 + c))
    # Rounding must not turn a possible 0 or 1 into something next to it, whose Elo would be finite.
    return max(0.0, middle - half) if mean > 0.0 else 0.0, min(1.0, middle + half) if mean < 1.0 else 1.0


def cautious_inner(mean: float, units: float, inner: float, z: float = Z95) -> float:
    """The estimate of `inner` in `score_interval`, which makes up for stemming from the same values.

    `UNSEEN` more units are counted, wins and losses in equal parts. And if nearly all values were equal, as
    with draws alone, it leaves the variance that z^2 such units would make: values that were not seen may
    still be as likely as z^2 / units.
    """
    left = inner * z * z / (units + z * z)
    return min(inner * units / (units + UNSEEN), mean * (1 - mean) - left)


# Games in pairs, the same opening twice with the sides swapped: score, Elo, normalised Elo; and all results, pair by pair.

# Games in pairs, the same opening twice with the sides swapped: score, Elo, normalised Elo, intervals.
#
# The two games of a pair are not independent: an opening that favours one side gives both players a win. So the
# unit is the pair, whose score takes five values; hence pentanomial, where single games are trinomial.

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
    """The numbers of pairs of games that gave 0, 1/2, 1, 3/2 and 2 points, from one player's view.

    `singles` are the games whose other half was not played. They count for the score and its interval, each
    as a unit of its own.
    """

    ll: int = 0
    ld: int = 0
    dd_or_wl: int = 0
    wd: int = 0
    ww: int = 0
    singles: Score = Score()

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
        return Pentanomial(
            *(a + b for a, b in zip(self.cells, other.cells)), singles=self.singles + other.singles
        )

    @property
    def variance(self) -> float:
        """The variance of a game's points, in points^2: the games times the variance of `mean`.

        It is what a single game would have if games were independent and `mean` as uncertain as it is; half
        the variance of a pair's points. 0 without games.
        """
        return self._variance(self.mean, self._inner) if self.games else 0.0

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The confidence interval of `mean`: 95 % by default, pairs taken as independent.

        It is `Score.interval` carried over to five values, see `score_interval`; with single games alone it
        is the same. (0, 1) without games.
        """
        return score_interval(self.mean, self._units, self._inner, z) if self.games else (0.0, 1.0)

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
        """The number of equally weighted units that carry as much information as the pairs and single games."""
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


# All results between any number of players, pair by pair: what ratings and cross tables are made from.

Unit = tuple[float, ...]
"""The points of the player named earlier in the games of a pair, sorted, or in a single game."""


@dataclass(frozen=True)
class ResultTable:
    """The counts of each outcome of a pair of games, for every two players that met."""

    players: tuple[str, ...]
    """All players, in alphabetical order."""
    units: Mapping[tuple[int, int], Counter[Unit]] = field(hash=False)
    """For (i, j), i < j, indices into `players`: the units from i's view."""

    def paired(self, player: str, opponent: str) -> Pentanomial:
        """Pairs and single games against `opponent`, from the view of `player`; empty if there are none."""
        i, j = self._index(player), self._index(opponent)
        cells, single = [0] * 5, Counter[float]()
        for unit, count in self.units.get((min(i, j), max(i, j)), Counter[Unit]()).items():
            if len(unit) == 2:
                cells[round(2 * sum(unit))] += count
            else:
                single[unit[0]] += count
        found = Pentanomial(*cells, singles=Score(single[1.0], single[0.5], single[0.0]))
        return found if i < j else found.swapped

    def _index(self, player: str) -> int:
        try:
            return self.players.index(player)
        except ValueError:
            raise ValueError(f"there is no player {player!r} in the results") from None
