"""What a series of games says about who is better, and how sure it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Score:
    """Games won, drawn and lost, from one player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """Points a game, a draw being half a point; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The confidence interval of the rate: 95 % unless told otherwise, games taken as independent.

        Wilson's score interval (E. B. Wilson, JASA 22, 1927): the rates p whose own standard error reaches the one
        seen. A draw has less variance than a win and a loss: the variance of a game's points is p(1 - p) - d/4, d
        being the share of draws. For d it takes draws / (games + z^2), a little less than seen, so that a series of
        draws alone does not look like certainty. Without draws it is exactly Wilson's.
        """
        if not self.games:
            return 0.0, 1.0
        return score_interval(self.rate, self.games, self.draws / 4 / (self.games + z * z), z)


def score_interval(mean: float, units: float, inner: float, z: float = Z95) -> tuple[float, float]:
    """The means m within z standard errors of the one seen, the standard error being the one that m itself would have.

    For `units` > 0 independent values between 0 and 1 whose mean is `mean`: with h the expectation of x (1 - x),
    their variance is m (1 - m) - h. `inner` is the estimate of h; with 0 (all values 0 or 1) this is Wilson's
    interval. Both ends lie in [0, 1].
    """
    c = z * z / units
    # (mean - m)^2 = c (m (1 - m) - inner), solved for m
    half = math.sqrt(max(0.0, c * c * (1 - 4 * inner) + 4 * c * (mean * (1 - mean) - inner))) / (2 * (1 + c))
    middle = (2 * mean + c) / (2 * (1 + c))
    return max(0.0, middle - half), min(1.0, middle + half)


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values do not exceed; NaN without values."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
