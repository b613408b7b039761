"""What a series of games says about who is better, and how sure it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
        """The confidence interval of the mean score: 95 % unless told otherwise, games taken as independent.

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
