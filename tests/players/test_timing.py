"""How long players think: clocks and policies, in numbers worked out by hand."""

import pytest

from saddlepoint.algorithms.result import Iteration
from saddlepoint.players.clock import Clock
from saddlepoint.players.timing import (
    Adaptive,
    Allowance,
    DepthRule,
    NashClock,
    Uniform,
    fixed_time,
    usable_bank,
)

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("clock", "used", "bank"),
    [
        (Clock(10.0, 0.2), 1.0, 9.2),
        (Clock(10.0, 0.2), 0.1, 10.0),  # never more than the cap
        (Clock(2.0, 0.2, 10.0), 0.0, 2.2),
        (Clock(2.0, 0.2, 10.0), 5.0, 0.2),  # an overdrawn bank is empty
        (Clock(1.0, 1.0), 0.7, 1.0),
    ],
)
def test_after_a_move_the_increment_is_added_up_to_the_cap(clock, used, bank):
    after = clock.after(used)
    assert after.bank == pytest.approx(bank)
    assert (after.increment, after.cap) == (clock.increment, clock.cap)


def test_a_clock_of_the_contest_is_the_default_and_negative_times_are_refused():
    assert Clock() == Clock(10.0, 0.2, 10.0)
    assert Clock(0.0, 0.0).bank == 0.0
    for wrong in ((-0.1, 0.2), (1.0, -0.1)):
        with pytest.raises(ValueError, match="cannot be negative"):
            Clock(*wrong)


def test_late_is_more_than_the_bank():
    assert [Clock(2.0, 0.5).is_late(used) for used in (1.9, 2.0, 2.001)] == [False, False, True]


def test_of_a_short_bank_a_tenth_is_kept_back_of_a_long_one_the_reserve():
    assert usable_bank(Clock(1.0, 0.0), 0.05) == pytest.approx(0.95)
    assert usable_bank(Clock(0.2, 0.0), 0.05) == pytest.approx(0.18)
    assert usable_bank(Clock(0.5, 0.0), 0.05) == pytest.approx(0.45)


def test_a_clock_that_cannot_save_gives_fixed_times():
    assert fixed_time(Clock(1.0, 1.0))
    assert fixed_time(Clock(1.0, 2.0))
    assert not fixed_time(Clock(1.0, 0.9))


@pytest.mark.parametrize(
    ("clock", "rounds", "hard"),
    [
        (Clock(0.5, 0.5), 10, 0.45),  # fixed: all that is usable
        (Clock(0.1, 0.2, 10.0), 10, 0.09),  # the bank is below the increment: all that is usable
        (Clock(0.2, 0.2, 10.0), 10, 0.18),  # or equal to it
        (Clock(11.2, 0.2), 100, 0.28),  # 0.9 of the increment, and 10 s spare over 100 rounds
        (Clock(11.2, 0.2), 0, 10.18),  # no round is left: as if it were one
        (Clock(2.0, 1.0, 10.0), 1, 0.9),  # nothing is spare
        (Clock(1.5, 1.0, 10.0), 5, 0.65),  # the floor was touched: half the increment and a tenth of the bank
        (Clock(1.1, 0.2, 10.0), 50, 0.18),  # touched, but the increment alone is less than that
        (Clock(3.0, 0.0, 10.0), 1, 2.0),
        (Clock(0.3, 0.2, 10.0), 5, 0.13),
        (Clock(100.0, 98.0), 1, 89.2),
    ],
)
def test_uniform_shares_the_bank_over_the_rounds_left(clock, rounds, hard):
    assert Uniform().allowance(clock, rounds) == Allowance(pytest.approx(hard / 2), pytest.approx(hard))


def test_uniforms_settings():
    clock = Clock(11.2, 0.2)
    assert Uniform(soft_share=0.25).allowance(clock, 100).soft == pytest.approx(0.07)
    assert Uniform(floor=0.0).allowance(clock, 100).hard == pytest.approx(0.18 + 0.11)
    assert Uniform(reserve=2.0).allowance(clock, 1).hard == pytest.approx(11.2 - 1.12)


@pytest.mark.parametrize(
    ("clock", "rounds", "soft", "hard"),
    [
        (Clock(0.5, 0.5), 10, 0.45, 0.45),
        (Clock(2.0, 2.0), 10, 1.95, 1.95),
        (Clock(11.2, 0.2), 100, 0.6 * 0.38, 3 * 0.38),  # twice the share of the bank; three times that at most
        (Clock(11.2, 0.2), 2, 0.6 * 10.18, 10.18),  # never less than the base
        (Clock(11.2, 0.2), 10, 0.6 * 2.18, 0.25 * 10.2),  # a quarter of the bank above the floor at most
        (Clock(11.2, 0.2), 0, 0.6 * 11.15, 11.15),
        (Clock(0.9, 0.2, 10.0), 10, 0.6 * 0.18, 0.18),  # below the floor nothing is stretched
    ],
)
def test_adaptive_doubles_the_share_and_stretches_it(clock, rounds, soft, hard):
    assert Adaptive().allowance(clock, rounds) == Allowance(pytest.approx(soft), pytest.approx(hard))


def iteration(seconds, value=0.0, best=1):
    mixture = {0: 0.1, best: 0.9}
    return Iteration(1, value, 1, 1, seconds, (mixture, mixture))


def test_adaptive_goes_on_until_soft_and_beyond_where_the_iterations_disagree():
    policy, allowance = Adaptive(), Allowance(1.0, 4.0)

    def goes_on(*iterations, player=0):
        return policy.keep_going(list(iterations), player, allowance)

    calm = [iteration(0.1), iteration(0.2)]
    assert goes_on(*calm, iteration(0.99))
    assert not goes_on(*calm, iteration(1.0))
    assert goes_on(*calm, iteration(1.5, best=2))
    assert goes_on(*calm, iteration(1.99, best=2))
    assert not goes_on(*calm, iteration(2.0, best=2))  # half of what is allowed is over
    # A fall of the value by more than a tenth, seen from the player.
    assert goes_on(*calm, iteration(1.5, value=-0.11))
    assert not goes_on(*calm, iteration(1.5, value=-0.1))
    assert not goes_on(*calm, iteration(1.5, value=-0.09))
    assert not goes_on(*calm, iteration(1.5, value=0.11))
    assert goes_on(*calm, iteration(1.5, value=0.11), player=1)
    assert not goes_on(*calm, iteration(1.5, value=-0.11), player=1)
    # Two iterations say little; the one before the last is the one that counts.
    assert goes_on(iteration(0.1), iteration(1.5))
    assert not goes_on(iteration(0.1, best=2), iteration(0.2), iteration(1.5))
    assert Uniform().keep_going([iteration(0.99)], 0, allowance)
    assert not Uniform().keep_going([iteration(1.0)], 0, allowance)


@pytest.mark.parametrize(
    ("clock", "rounds", "separated", "soft", "hard"),
    [
        (Clock(10.2, 0.2), 10, False, 1.2 / 5, 10.15),
        (Clock(10.2, 0.2), 10, True, 1.2 / 3, 10.15),
        (Clock(10.2, 0.2), 0, False, 10.2 / 5, 10.15),
        (Clock(0.1, 0.2, 10.0), 10, False, 0.1 / 5, 0.09),
        (Clock(0.2, 0.2, 10.0), 10, False, 0.2 / 5, 0.18),
    ],
)
def test_the_clock_of_riders_nash(clock, rounds, separated, soft, hard):
    found = NashClock().allowance(clock, rounds, separated)
    assert found == Allowance(pytest.approx(soft), pytest.approx(hard))


def depths(*banks, start=4):
    rule = DepthRule(start)
    return [rule.next(Clock(bank, 0.2, 20.0)) for bank in banks]


def test_the_depth_follows_what_moves_cost():
    assert depths(10.0) == [5]
    assert depths(9.9) == [4]
    assert depths(9.9, 9.3) == [4, 4]  # 0.6 s lost is not more than 0.6 s
    assert depths(9.9, 9.29) == [4, 3]
    assert depths(3.2, 3.0) == [4, 4]
    assert depths(3.2, 2.99) == [4, 3]  # anything lost below three seconds
    assert depths(2.0, 2.0) == [4, 4]
    assert depths(5.0, 5.1, 5.2) == [4, 4, 4]  # 0.2 s won by two moves
    assert depths(5.0, 5.1, 5.3) == [4, 4, 5]  # more than a quarter of a second won
    assert depths(5.0, 5.3) == [4, 5]
    assert depths(9.9, 9.0, 8.0, 7.0, 6.0, 5.0) == [4, 3, 2, 1, 1, 1]
    assert depths(9.9, start=2) == [2]
