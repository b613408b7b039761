"""Time in a game, in seconds: what is left (`Clock`), when a move ends (`Deadline`), and the policies that make one of the other."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..algorithms.result import Iteration

_LONGEST, _LEAST_LONGEST, _MOST_BEYOND = 20.0, 1.0, 60.0


def longest(seconds: float) -> float:
    """Seconds on the wall after which a move with these seconds of its own is late, however long its player waited for a core.

    Twenty times as many; a second at least, and no more than a minute beyond its own.
    """
    return max(_LEAST_LONGEST, min(_LONGEST * seconds, seconds + _MOST_BEYOND))


@dataclass(frozen=True)
class Clock:
    """Time in seconds. riddles.io: bank 10, increment 0.2, cap 10 (the bank never exceeds it)."""

    bank: float = 10.0
    """The most that the player may use for this move."""
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
        return Clock(
            min(max(self.bank - used, 0.0) + self.increment, self.cap), self.increment, self.cap, self.is_net
        )

    def is_late(self, used: float, passed: float = 0.0) -> bool:
        """Whether a move overstepped the bank: it took `used` seconds of the player's own time and `passed` seconds on the wall."""
        return used > self.bank or passed > longest(self.bank)

    @property
    def forgiven(self) -> float:
        """Seconds for which a search may wait for cores within a move: of those that nobody counts a tenth is left to whoever asked."""
        return 0.9 * (longest(self.bank) - self.bank) if math.isfinite(self.bank) else 0.0


class Deadline(NamedTuple):
    """When the parts of a move end, in seconds after it was asked; infinity where they do not."""

    search: float = math.inf
    """The search is broken off."""
    depth: float = math.inf
    """It begins no new depth."""
    answer: float = math.inf
    """An answer goes out, whatever the player does."""
    ready: float = math.inf
    """A player that is not even ready is given up."""


ENDLESS = Clock(math.inf, 0.0, math.inf)
"""A clock without a limit."""


# How long to think: from a clock and the progress of the search to a number of seconds.

_MOST_FLOOR = 1.0  # seconds
_DEPTHS = 3
"""How many depths in a row must choose the same action: then four times the time changes it seldom, else often."""
_FALL = 0.1
"""Of the value, in the game's units."""


class TimePolicy(ABC):
    """Decides the deadline of a search, and whether an iteration was enough."""

    @abstractmethod
    def deadline(self, clock: Clock, rounds_left: int, separated: bool = False) -> Deadline:
        """The deadline of this move's search. `rounds_left`: the most rounds the game can still last."""

    def keep_going(self, iterations: "list[Iteration]", player: int, deadline: Deadline) -> bool:
        """Whether to begin another depth after these."""
        return iterations[-1].seconds < deadline.depth


def usable_bank(clock: Clock, reserve: float) -> float:
    """The bank that may be planned with: less a reserve for pipes and a busy machine (at most a tenth of the
    bank).

    All of it where the keeper of the clock holds back a reserve already.
    """
    return clock.bank if clock.is_net else clock.bank - min(reserve, 0.1 * clock.bank)


def fixed_time(clock: Clock) -> bool:
    """Whether the clock gives the same time for every move, without a bank to save in."""
    return clock.cap is not None and clock.cap <= clock.increment


def kept_back(clock: Clock, share: float) -> float:
    """Seconds of the bank that are never planned with: a share of a full bank, a second at most.

    So a machine that hands out its cores late costs no game.
    """
    assert clock.cap is not None
    return min(_MOST_FLOOR, share * (clock.cap if math.isfinite(clock.cap) else clock.bank))


def _planned(clock: Clock, rounds_left: int, shares: float, reserve: float, floor: float) -> float:
    """Seconds for a move: the increment, and of the bank above the floor `shares` equal shares for the rounds left."""
    usable = usable_bank(clock, reserve)
    if fixed_time(clock) or clock.bank <= clock.increment:
        return usable
    kept = kept_back(clock, floor)
    spare = max(0.0, clock.bank - clock.increment - kept)
    seconds = min(usable, 0.9 * clock.increment + min(1.0, shares / max(1, rounds_left)) * spare)
    if clock.bank < clock.increment + kept:  # the floor was touched: refill it
        seconds = min(seconds, 0.5 * clock.increment + 0.1 * clock.bank)
    return seconds


@dataclass(frozen=True)
class Uniform(TimePolicy):
    """The increment, and of the bank an equal share for each round of the longest possible game.

    `soft_share` of the time may pass before the last depth is begun. `floor` is the share of a full bank that is kept back.
    """

    soft_share: float = 0.5
    reserve: float = 0.05
    floor: float = 0.1

    def deadline(self, clock: Clock, rounds_left: int, separated: bool = False) -> Deadline:
        seconds = _planned(clock, rounds_left, 1.0, self.reserve, self.floor)
        return Deadline(seconds, seconds * self.soft_share)


@dataclass(frozen=True)
class Adaptive(TimePolicy):
    """More where the iterations disagree, less where the position is calm or separated.

    A move's time is the increment and `shares` equal shares of the bank, since few games last as long as the board allows. No
    new depth is begun after `soft_share` of it, unless the last depths chose different actions or the value is falling: then the
    move may take up to `stretch` times as long, but no more than the share `largest` of the bank above the floor.
    """

    shares: float = 2.0
    stretch: float = 3.0
    soft_share: float = 0.6
    largest: float = 0.25
    reserve: float = 0.05
    floor: float = 0.1

    def deadline(self, clock: Clock, rounds_left: int, separated: bool = False) -> Deadline:
        base = _planned(clock, rounds_left, self.shares, self.reserve, self.floor)
        if fixed_time(clock):
            return Deadline(base, base)
        above_floor = max(0.0, clock.bank - kept_back(clock, self.floor))
        return Deadline(
            max(base, min(self.stretch * base, self.largest * above_floor)), self.soft_share * base
        )

    def keep_going(self, iterations: "list[Iteration]", player: int, deadline: Deadline) -> bool:
        spent = iterations[-1].seconds
        return spent < deadline.depth or (spent < 0.5 * deadline.search and _unsettled(iterations, player))


def _unsettled(iterations: "list[Iteration]", player: int) -> bool:
    """Whether the last depths chose different actions, or the value has fallen for the player since one of them."""
    if len(iterations) < _DEPTHS:
        return True

    def chosen(iteration: "Iteration") -> int | None:
        mixture = iteration.strategies[player]
        return max(mixture, key=lambda action: mixture[action]) if mixture else None

    values = [
        iteration.value if player == 0 else -iteration.value for iteration in iterations[-_DEPTHS - 1 :]
    ]
    return (
        len({chosen(iteration) for iteration in iterations[-_DEPTHS:]}) > 1
        or values[-1] < max(values) - _FALL
    )


class DepthRule:
    """A published program's depth, in serial steps of a move each, from what the last moves cost the bank.

    It starts at 4. With lost = bank before the last move - bank now: lost > 600 ms: one less; lost > 0 and the bank
    below 3 s: one less; lost and the lost before it together below -250 ms, or a bank of 10 s or more: one more.
    """

    def __init__(self, start: int = 4) -> None:
        self.depth = start
        self._bank: float | None = None
        self._lost = 0.0

    def next(self, clock: Clock) -> int:
        """The depth for this move."""
        lost = 0.0 if self._bank is None else self._bank - clock.bank
        if lost > 0.6 or (lost > 0 and clock.bank < 3):
            self.depth -= 1
        elif lost + self._lost < -0.25 or clock.bank >= 10:
            self.depth += 1
        self.depth = max(1, self.depth)
        self._bank, self._lost = clock.bank, lost
        return self.depth
