"""A player's clock: a bank of seconds and an increment a move."""

import math
from dataclasses import dataclass


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

    def is_late(self, used: float) -> bool:
        """Whether a move that took `used` seconds overstepped the bank."""
        return used > self.bank


ENDLESS = Clock(math.inf, 0.0, math.inf)
"""A clock without a limit."""
