"""How long to think: from a clock and the progress of the search to a number of seconds."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ..algorithms.result import Iteration
from .clock import Clock


@dataclass(frozen=True)
class Allowance:
    """Seconds for one move: begin no new depth after `soft`, break off at `hard`."""

    soft: float
    hard: float


class TimePolicy(ABC):
    """Decides the allowance of a move, and whether an iteration was enough."""

    @abstractmethod
    def allowance(self, clock: Clock, rounds_left: int, separated: bool = False) -> Allowance:
        """Time for this move. `rounds_left`: the most rounds the game can still last."""

    def keep_going(self, iterations: list[Iteration], player: int, allowance: Allowance) -> bool:
        """Whether to begin another depth after these."""
        return iterations[-1].seconds < allowance.soft


def usable_bank(clock: Clock, reserve: float) -> float:
    """What may be planned with: the bank less a reserve for pipes and a busy machine (a tenth of a short bank)."""
    return clock.bank - min(reserve, 0.1 * clock.bank)


def fixed_time(clock: Clock) -> bool:
    """Whether the clock gives the same time for every move, without a bank to save in."""
    return clock.cap is not None and clock.cap <= clock.increment


@dataclass(frozen=True)
class Uniform(TimePolicy):
    """The increment, and of the bank an equal share for each round of the longest possible game.

    `soft_share` of the time may pass before the last depth is begun. `floor` seconds of the bank are never planned
    with, so that a machine that hands out its cores late does not cost a game.
    """

    soft_share: float = 0.5
    reserve: float = 0.05
    floor: float = 1.0

    def allowance(self, clock: Clock, rounds_left: int, separated: bool = False) -> Allowance:
        usable = usable_bank(clock, self.reserve)
        if fixed_time(clock) or clock.bank <= clock.increment:
            return Allowance(usable * self.soft_share, usable)
        spare = max(0.0, clock.bank - clock.increment - self.floor)
        seconds = min(usable, clock.increment * 0.9 + spare / max(1, rounds_left))
        if clock.bank < clock.increment + self.floor:  # the floor was touched: refill it
            seconds = min(seconds, 0.5 * clock.increment + 0.1 * clock.bank)
        return Allowance(seconds * self.soft_share, seconds)


@dataclass(frozen=True)
class Adaptive(TimePolicy):
    """More where the iterations disagree, less where the position is calm or separated.

    Half the uniform time is the rule; a change of the chosen action, or a fall of the value, in the last iterations
    stretches it up to `stretch` times the uniform time.
    """

    stretch: float = 3.0
    reserve: float = 0.05
    floor: float = 1.0

    def allowance(self, clock: Clock, rounds_left: int, separated: bool = False) -> Allowance:
        base = Uniform(1.0, self.reserve, self.floor).allowance(clock, rounds_left, separated).hard
        if fixed_time(clock):
            return Allowance(base, base)
        # Few games last as long as the board allows; half of it is a fair guess for the bank's share.
        spare = max(0.0, clock.bank - clock.increment - self.floor)
        base = min(usable_bank(clock, self.reserve), base + spare / max(1, rounds_left))
        most = max(base, min(self.stretch * base, 0.25 * max(0.0, clock.bank - self.floor)))
        return Allowance(0.6 * base, most)

    def keep_going(self, iterations: list[Iteration], player: int, allowance: Allowance) -> bool:
        spent = iterations[-1].seconds
        if spent < allowance.soft:
            return True
        return spent < 0.5 * allowance.hard and _unsettled(iterations, player)


def _unsettled(iterations: list[Iteration], player: int) -> bool:
    """Whether the last iterations chose differently or the value is falling for the player."""
    if len(iterations) < 3:
        return True
    before, last = iterations[-2], iterations[-1]

    def chosen(iteration: Iteration) -> int | None:
        mixture = iteration.strategies[player]
        return max(mixture, key=lambda action: mixture[action]) if mixture else None

    change = last.value - before.value
    return chosen(before) != chosen(last) or (change if player == 0 else -change) < -0.1


@dataclass(frozen=True)
class NashClock(TimePolicy):
    """riders_nash: no new depth after a fifth of the move's time, a third when separated.

    The move's time is the whole bank if it is below the increment, else the increment plus an equal share of the rest
    for each round left.
    """

    reserve: float = 0.05

    def allowance(self, clock: Clock, rounds_left: int, separated: bool = False) -> Allowance:
        seconds = clock.bank
        if clock.bank > clock.increment:
            seconds = clock.increment + (clock.bank - clock.increment) / max(1, rounds_left)
        hard = usable_bank(clock, self.reserve)
        return Allowance(seconds / (3 if separated else 5), hard)


class DepthRule:
    """The first Light Riders program's depth, in serial steps of a move each, from what the last moves cost the bank.

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
