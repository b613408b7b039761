"""The clock of `riders_nash`, by the rule of the program that it comes from."""

import pytest

from saddlepoint.games.light_riders.bot import NashClock
from saddlepoint.players.clock import Clock, Deadline


@pytest.mark.parametrize(
    ("clock", "rounds", "separated", "soft", "hard"),
    [
        (Clock(10.2, 0.2), 10, False, 1.2 / 5, 10.15),
        (Clock(10.2, 0.2), 10, True, 1.2 / 3, 10.15),
        (Clock(10.2, 0.2), 0, False, 10.2 / 5, 10.15),
        (Clock(0.1, 0.2, 10.0), 10, False, 0.1 / 5, 0.09),
        (Clock(0.2, 0.2, 10.0), 10, False, 0.2 / 5, 0.18),
        (Clock(0.45, 0.45, is_net=True), 10, False, 0.45 / 5, 0.45),  # a reserve was taken already
    ],
)
def test_the_clock_of_riders_nash(clock, rounds, separated, soft, hard):
    found = NashClock().deadline(clock, rounds, separated)
    assert found == Deadline(pytest.approx(hard), pytest.approx(soft))
