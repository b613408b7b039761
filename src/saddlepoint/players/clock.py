"""A player's clock: a bank of seconds and an increment a move."""

import math
from dataclasses import dataclass

_LONGEST, _LEAST_LONGEST, _MOST_BEYOND = 20.0, 1.0, 60.0


def longest(seconds: float) -> float:
    """Seconds on the wall after which a move is late, however long its player waited for a core, where it has so many of its own.

    Twenty times as many; a second at least, and no more than a minute beyond its own.
    """
    return max(_LEAST_LONGEST, min(_LONGEST * seconds, seconds + _MOST_BEYOND))


@dataclass(frozen=True)
class Clock:
    """Time in seconds. riddles.io: bank 10, increment 0.2, cap 10 (the bank never exceeds it)."""

    bank: float = 10.0
    """What the player may use for this move at most."""
    increment: float = 0.2
    """Added after each move."""
    cap: float | None = None
    """The most a bank can hold; the starting bank if None."""
    is_net: bool = False
    """Whether whoever keeps the clock has held back already what pipes, networks and a busy machine may take: all of it may be thought."""

    def __post_init__(self) -> None:
        if self.bank < 0 or self.increment < 0:
            raise ValueError("a clock's bank and increment cannot be negative")
        if self.cap is None:
            object.__setattr__(self, "cap", self.bank)

    def after(self, used: float) -> "Clock":
        """The clock after a move that took `used` seconds."""
        assert self.cap is not None
        return Clock(min(max(self.bank - used, 0.0) + self.increment, self.cap), self.increment, self.cap, self.is_net)

    def is_late(self, used: float, passed: float = 0.0) -> bool:
        """Whether a move overstepped the bank that took `used` seconds of the player's own time, while so many `passed` on the wall."""
        return used > self.bank or passed > longest(self.bank)

    @property
    def forgiven(self) -> float:
        """Seconds for which a search may wait for cores within a move: of those that nobody counts a tenth is left to whoever asked."""
        return 0.9 * (longest(self.bank) - self.bank) if math.isfinite(self.bank) else 0.0


ENDLESS = Clock(math.inf, 0.0, math.inf)
"""A clock without a limit."""
