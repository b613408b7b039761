"""The time that `riders_nash` takes for a move."""

from dataclasses import dataclass

from ..interface import Clock, Deadline, Uniform


@dataclass(frozen=True)
class NashClock(Uniform):
    """riders_nash: no new depth after a fifth of the move's time, a third when separated.

    The move's time is the whole bank if it is below the increment, else the increment plus an equal share of the rest
    for each round left.
    """

    def deadline(self, clock: Clock, rounds_left: int, separated: bool = False) -> Deadline:
        seconds = (
            clock.increment + (clock.bank - clock.increment) / max(1, rounds_left)
            if clock.bank > clock.increment
            else clock.bank
        )
        hard = clock.bank if clock.is_net else clock.bank - min(self.reserve, 0.1 * clock.bank)
        return Deadline(hard, seconds / (3 if separated else 5))
