"""How long choices took, in memory that does not grow with their number."""

import math
from collections import Counter

_BINS_A_DECADE = 100  # so a quantile is at most 2.3 % above the time it stands for
_LEAST = 1e-7


class Latency:
    """A histogram of seconds on a logarithmic scale."""

    def __init__(self) -> None:
        self._bins: Counter[int] = Counter()
        self.moves = 0
        self.longest = 0.0

    def add(self, seconds: float) -> None:
        """Count one choice."""
        self._bins[math.ceil(math.log10(max(seconds, _LEAST)) * _BINS_A_DECADE)] += 1
        self.moves += 1
        self.longest = max(self.longest, seconds)

    def quantile(self, share: float) -> float | None:
        """A time that at least this share of the choices did not exceed; None without choices."""
        left = share * self.moves
        for number in sorted(self._bins):
            left -= self._bins[number]
            if left <= 0:
                return min(self.longest, 10 ** (number / _BINS_A_DECADE))
        return None

    def summary(self) -> dict[str, float | None]:
        """Median, 99th percentile, longest: seconds."""
        return {"median": self.quantile(0.5), "p99": self.quantile(0.99), "longest": self.longest if self.moves else None}
