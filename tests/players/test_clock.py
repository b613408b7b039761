"""How long players think: clocks and policies, in numbers worked out by hand."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from helpers.sizes import scaled
from saddlepoint import Iteration, LightRiders
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.clock import (
    ENDLESS,
    Adaptive,
    Clock,
    Deadline,
    DepthRule,
    TimePolicy,
    Uniform,
    fixed_time,
    kept_back,
    usable_bank,
)
from saddlepoint.players.searching import SearchPlayer

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


@pytest.mark.parametrize(("bank", "usable"), [(1.0, 0.95), (0.2, 0.18), (0.5, 0.45)])
def test_of_a_short_bank_a_tenth_is_kept_back_of_a_long_one_the_reserve(bank, usable):
    assert usable_bank(Clock(bank, 0.0), 0.05) == pytest.approx(usable)


@pytest.mark.parametrize("policy", [Adaptive(), Uniform(), Uniform(floor=3.0)])
def test_of_a_time_from_which_a_reserve_was_taken_already_all_may_be_thought(policy):
    clock = Clock(0.45, 0.45, is_net=True)
    assert usable_bank(clock, 0.05) == 0.45
    assert policy.deadline(clock, 100).search == 0.45
    assert clock.after(0.4) == clock


@pytest.mark.parametrize(("increment", "fixed"), [(1.0, True), (2.0, True), (0.9, False)])
def test_a_clock_that_cannot_save_gives_fixed_times(increment, fixed):
    assert fixed_time(Clock(1.0, increment)) == fixed


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
        (Clock(2.5, 0.05), 100, 0.045 + 0.022),  # a tenth of a short bank is the floor: 2.2 s are spare
        (
            Clock(2.5, 0.05, math.inf),
            100,
            0.045 + 0.022,
        ),  # of the bank there is, where it may grow without end
        (Clock(0.1, 0.05, 2.5), 100, 0.035),  # below the floor and an increment: refilled
        (Clock(60.0, 0.0), 59, 1.0),  # of a long bank a second
        (ENDLESS, 100, math.inf),
    ],
)
def test_uniform_shares_the_bank_over_the_rounds_left(clock, rounds, hard):
    assert Uniform().deadline(clock, rounds) == Deadline(pytest.approx(hard), pytest.approx(hard / 2))


@pytest.mark.parametrize(
    ("settings", "rounds", "found"),
    [
        ({"soft_share": 0.25}, 100, Deadline(0.28, 0.07)),
        ({"floor": 0.0}, 100, Deadline(0.18 + 0.11, (0.18 + 0.11) / 2)),
        ({"reserve": 2.0}, 1, Deadline(11.2 - 1.12, (11.2 - 1.12) / 2)),
    ],
)
def test_uniforms_settings(settings, rounds, found):
    deadline = Uniform(**settings).deadline(Clock(11.2, 0.2), rounds)
    assert (deadline.search, deadline.depth) == (pytest.approx(found.search), pytest.approx(found.depth))


@pytest.mark.parametrize(
    ("clock", "rounds", "soft", "hard"),
    [
        (Clock(0.5, 0.5), 10, 0.45, 0.45),
        (Clock(2.0, 2.0), 10, 1.95, 1.95),
        (
            Clock(11.2, 0.2),
            100,
            0.6 * 0.38,
            3 * 0.38,
        ),  # twice the share of the bank; three times that at most
        (Clock(11.2, 0.2), 2, 0.6 * 10.18, 10.18),  # never less than the base
        (Clock(11.2, 0.2), 10, 0.6 * 2.18, 0.25 * 10.2),  # a quarter of the bank above the floor at most
        (Clock(11.2, 0.2), 0, 0.6 * 10.18, 10.18),  # the floor is kept for the last round too
        (Clock(2.5, 0.05), 100, 0.6 * 0.089, 3 * 0.089),
        (ENDLESS, 100, math.inf, math.inf),
        (ENDLESS, 1, math.inf, math.inf),
        (Clock(0.9, 0.2, 10.0), 10, 0.6 * 0.18, 0.18),  # below the floor nothing is stretched
    ],
)
def test_adaptive_doubles_the_share_and_stretches_it(clock, rounds, soft, hard):
    assert Adaptive().deadline(clock, rounds) == Deadline(pytest.approx(hard), pytest.approx(soft))


def iteration(seconds, value=0.0, best=1):
    mixture = {0: 0.1, best: 0.9}
    return Iteration(1, value, 1, 1, seconds, (mixture, mixture))


CALM = (iteration(0.1), iteration(0.2))
FELL = (iteration(0.1, value=0.5), iteration(0.2, value=0.44), iteration(1.5, value=0.39))


@pytest.mark.parametrize(
    ("policy", "iterations", "player", "goes_on"),
    [
        (Adaptive(), (*CALM, iteration(0.99)), 0, True),
        (Adaptive(), (*CALM, iteration(1.0)), 0, False),
        (Adaptive(), (*CALM, iteration(1.5, best=2)), 0, True),
        (Adaptive(), (*CALM, iteration(1.99, best=2)), 0, True),
        (Adaptive(), (*CALM, iteration(2.0, best=2)), 0, False),  # half of what is allowed is over
        # A fall of the value by more than a tenth, seen from the player.
        (Adaptive(), (*CALM, iteration(1.5, value=-0.11)), 0, True),
        (Adaptive(), (*CALM, iteration(1.5, value=-0.1)), 0, False),
        (Adaptive(), (*CALM, iteration(1.5, value=-0.09)), 0, False),
        (Adaptive(), (*CALM, iteration(1.5, value=0.11)), 0, False),
        (Adaptive(), (*CALM, iteration(1.5, value=0.11)), 1, True),
        (Adaptive(), (*CALM, iteration(1.5, value=-0.11)), 1, False),
        # Two iterations say little; three in a row are to choose the same, and the one before them no longer counts.
        (Adaptive(), (iteration(0.1), iteration(1.5)), 0, True),
        (Adaptive(), (iteration(0.1, best=2), iteration(0.2), iteration(1.5)), 0, True),
        (Adaptive(), (iteration(0.05, best=2), *CALM, iteration(1.5)), 0, False),
        # A value that fell step by step is falling too, however small the last step.
        (Adaptive(), FELL, 0, True),
        (
            Adaptive(),
            (
                iteration(0.05, value=0.5),
                iteration(0.1, value=0.44),
                iteration(0.2, value=0.42),
                iteration(1.5, value=0.39),
            ),
            0,
            True,
        ),
        (
            Adaptive(),
            (iteration(0.02, value=0.5), *(iteration(when, value=0.39) for when in (0.05, 0.1, 0.2, 1.5))),
            0,
            False,
        ),
        (Uniform(), (iteration(0.99),), 0, True),
        (Uniform(), (iteration(1.0),), 0, False),
    ],
)
def test_a_search_goes_on_until_soft_and_an_adaptive_one_beyond_where_the_iterations_disagree(
    policy, iterations, player, goes_on
):
    assert policy.keep_going(list(iterations), player, Deadline(4.0, 1.0)) == goes_on


RIDERS = LightRiders()
LONGEST = RIDERS.max_depth  # 127 rounds of Light Riders on 16x16
CONTEST, QUARTER = Clock(10.0, 0.2), Clock(2.5, 0.05)


def riders_policy() -> TimePolicy:
    player = make_player("best", RIDERS)
    assert isinstance(player, SearchPlayer)
    return player.policy


POLICIES = [Uniform(), Adaptive(), riders_policy()]
clocks = st.builds(
    lambda increment, more, room: Clock(increment + more, increment, increment + more + room),
    st.floats(0.001, 2.0),
    st.floats(0.0, 60.0),
    st.one_of(st.floats(0.0, 60.0), st.just(math.inf)),
)


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None)
@given(clock=clocks, rounds=st.integers(0, 300))
def test_a_move_takes_no_more_than_the_bank_above_the_floor(policy: TimePolicy, clock: Clock, rounds: int):
    deadline = policy.deadline(clock, rounds)
    assert 0.0 < deadline.depth <= deadline.search <= usable_bank(clock, 0.05)
    floor = kept_back(clock, 0.1)
    assert floor <= 1.0
    assert floor <= 0.1 * (clock.bank if clock.cap == math.inf else clock.cap)
    if not fixed_time(clock) and clock.bank >= clock.increment + floor:
        assert deadline.search <= clock.bank - floor + 1e-9


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, max_examples=scaled(50))
@given(clock=clocks)
def test_the_longest_game_is_played_to_its_end_in_time_though_every_move_takes_all_it_may(
    policy: TimePolicy, clock: Clock
):
    for round_ in range(LONGEST):
        used = policy.deadline(clock, LONGEST - round_).search
        assert not clock.is_late(used)
        clock = clock.after(used)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("clock", [CONTEST, QUARTER])
def test_a_machine_that_stands_still_for_a_tenth_of_a_second_makes_no_move_late(
    policy: TimePolicy, clock: Clock
):
    for round_ in range(LONGEST):
        used = policy.deadline(clock, LONGEST - round_).search
        assert not clock.is_late(used + 0.1)
        clock = clock.after(used + (0.1 if round_ % 20 == 19 else 0.0))


Course = Callable[[int, int], tuple[int, float]]
"""Of a round and a depth: the action chosen and the value."""


def spent(policy: TimePolicy, clock: Clock, deadline: Deadline, round_: int, course: Course) -> float:
    """Seconds of a search whose depths each take 1.8 times as long as the one before, as those of `best` in Light Riders do."""
    found: list[Iteration] = []
    while True:
        depth = len(found) + 1
        seconds = 1e-5 * 1.8**depth
        if seconds > deadline.search:
            return deadline.search
        action, value = course(round_, depth)
        found.append(iteration(seconds, value, action))
        if not policy.keep_going(found, 0, deadline):
            return seconds


def bank_after(
    rounds: int, clock: Clock, course: Course, forced: Callable[[int], bool] = lambda round_: False
) -> float:
    policy = riders_policy()
    for round_ in range(rounds):
        used = (
            0.0
            if forced(round_)
            else spent(policy, clock, policy.deadline(clock, LONGEST - 1 - round_), round_, course)
        )
        clock = clock.after(used)
    return clock.bank


def calm(round_: int, depth: int) -> tuple[int, float]:
    return 1, 0.2


def disagreeing(round_: int, depth: int) -> tuple[int, float]:
    return 1 + depth % 2, 0.2


def falling(round_: int, depth: int) -> tuple[int, float]:
    return 1, 0.6 - 0.05 * depth


def usual(round_: int, depth: int) -> tuple[int, float]:
    """Of the positions of its own games about one in five has depths that disagree, after 20,000 to 60,000 nodes."""
    return disagreeing(round_, depth) if round_ % 5 == 3 else calm(round_, depth)


@pytest.mark.parametrize("clock", [CONTEST, QUARTER])
def test_about_half_of_the_bank_is_spent_by_round_20(clock: Clock):
    left = bank_after(20, clock, usual) / clock.bank
    assert 0.35 <= left <= 0.65


@pytest.mark.parametrize("clock", [CONTEST, QUARTER])
def test_more_is_spent_while_the_value_falls_or_the_depths_choose_differently_and_less_where_it_is_calm(
    clock: Clock,
):
    at_20 = {course: bank_after(20, clock, course) for course in (calm, usual, falling, disagreeing)}
    assert at_20[calm] > at_20[usual] > max(at_20[falling], at_20[disagreeing])
    assert min(at_20.values()) > kept_back(clock, 0.1)


def test_where_all_moves_are_forced_nothing_is_spent():
    assert bank_after(60, CONTEST, usual, lambda round_: True) == CONTEST.bank
    forced = bank_after(20, CONTEST, disagreeing, lambda round_: round_ % 2 == 0)
    assert forced > bank_after(20, CONTEST, disagreeing)


@pytest.mark.compiles_long
def test_a_forced_move_of_light_riders_is_answered_without_a_search():
    """Player 0 comes out of a corridor: its one free neighbour is to the right."""
    rows = ["." * 16 for _ in range(14)]
    state = RIDERS.from_field(["xxxx" + "." * 12, "xx0" + "." * 12 + "1", "xxxx" + "." * 12, *rows[1:]], 5)
    assert RIDERS.search_actions(state, 0) == [1]
    player = make_player("best", RIDERS)
    player.begin(RIDERS, 0)
    answer = player.choose(state, CONTEST)
    assert (answer.action, answer.statistics) == (1, None)


@pytest.mark.parametrize(
    ("start", "banks", "depths"),
    [
        (4, (10.0,), [5]),
        (4, (9.9,), [4]),
        (4, (9.9, 9.3), [4, 4]),  # 0.6 s lost is not more than 0.6 s
        (4, (9.9, 9.29), [4, 3]),
        (4, (3.2, 3.0), [4, 4]),
        (4, (3.2, 2.99), [4, 3]),  # anything lost below three seconds
        (4, (2.0, 2.0), [4, 4]),
        (4, (5.0, 5.1, 5.2), [4, 4, 4]),  # 0.2 s won by two moves
        (4, (5.0, 5.1, 5.3), [4, 4, 5]),  # more than a quarter of a second won
        (4, (5.0, 5.3), [4, 5]),
        (4, (9.9, 9.0, 8.0, 7.0, 6.0, 5.0), [4, 3, 2, 1, 1, 1]),
        (2, (9.9,), [2]),
    ],
)
def test_the_depth_follows_what_moves_cost(start, banks, depths):
    rule = DepthRule(start)
    assert [rule.next(Clock(bank, 0.2, 20.0)) for bank in banks] == depths
