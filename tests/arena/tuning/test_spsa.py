"""SPSA: the gain sequences of fishtest, and that noisy pairs of games lead to the top."""

import math
import random

import pytest
from hypothesis import given, strategies as st

from saddlepoint.arena.tuning.spsa import Gains, flips, moved


def test_the_gains_end_where_they_are_said_to() -> None:
    gains, total = Gains(c=0.04, r=0.01), 5000
    assert gains.reach(total - 1, total) == pytest.approx(0.04)
    assert gains.step(total - 1, total) == pytest.approx(0.01 * 0.04)


@given(st.integers(0, 998))
def test_the_gains_shrink_by_spalls_exponents(played: int) -> None:
    gains, total = Gains(c=0.04, r=0.01, A=0.1), 1000
    c = 0.04 * 1000**0.101
    a = 0.01 * 0.04**2 * (100 + 1000) ** 0.602
    assert gains.reach(played, total) == pytest.approx(c / (played + 1) ** 0.101)
    # Spall moves by a_k times (y+ - y-) / (2 c_k); the difference of a pair of games counts both ends already.
    assert gains.step(played, total) == pytest.approx(a / (100 + played + 1) ** 0.602 / gains.reach(played, total))


def test_the_rate_is_fishtests_where_there_are_many_games() -> None:
    assert Gains().rate(1_000_000) == 0.002
    assert Gains().rate(2500) == pytest.approx(0.02)
    assert Gains(r=0.3).rate(500) == 0.3


def test_every_way_is_drawn_as_often_as_every_other_and_again_by_the_same_seed() -> None:
    ways = [flips(7, k, 2) for k in range(4000)]
    assert ways == [flips(7, k, 2) for k in range(4000)]
    for way in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        assert abs(ways.count(way) - 1000) < 4 * math.sqrt(4000 * 3 / 16)
    assert ways != [flips(8, k, 2) for k in range(4000)]


def test_parameters_stay_in_their_ranges() -> None:
    assert moved((0.9, 0.1, 0.5), (1, -1, 1), 0.25) == (1.0, 0.0, 0.75)


def test_a_parameter_that_makes_no_difference_stays_about_where_it_is() -> None:
    draw, gains, total = random.Random(3), Gains(), 400
    ends: list[float] = []
    for seed in range(80):
        theta = (0.5,)
        for k in range(total):
            theta = moved(theta, flips(seed, k, 1), gains.step(k, total) * (draw.choice((-1, 1)) + draw.choice((-1, 1))))
        ends.append((theta[0] - 0.5) / gains.c)
    assert math.sqrt(sum(end**2 for end in ends) / len(ends)) < 3


def test_it_climbs_in_ten_dimensions_through_the_noise_of_single_pairs() -> None:
    """Strength falls with the distance from a point; a pair of games shows who is nearer, mostly."""
    draw = random.Random(5)
    top = [0.3 + 0.05 * k for k in range(10)]
    gains, total = Gains(), 4000

    def strength(theta: tuple[float, ...]) -> float:
        return -600 * sum((a - b) ** 2 for a, b in zip(theta, top, strict=True))

    start = theta = (0.95, 0.05) * 5
    for k in range(total):
        way = flips(1, k, 10)
        ahead, behind = (moved(theta, way, by * gains.reach(k, total)) for by in (1, -1))
        chance = 1 / (1 + 10 ** ((strength(behind) - strength(ahead)) / 400))
        lead = sum(1 if draw.random() < chance else -1 for _ in range(2))
        theta = moved(theta, way, gains.step(k, total) * lead)
    assert strength(start) < -1400
    assert strength(theta) > -60, strength(theta)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c=0", "SPSA's c is a share"),
        ("r=-1", "SPSA's r is above 0"),
        ("A=-1", "SPSA's A is 0 or more"),
        ("pairs=0", "one pair of games a step or more"),
        ("pairs=1.5", "'1.5' is no value of pairs"),
        ("b=1", "'b=1' has no place"),
        ("c=0.1 c=0.2", "'c=0.2' has no place"),
        ("c", "'c' has no place"),
    ],
)
def test_gains_that_are_none_are_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refusal:
        Gains.parse(text)
    assert "\n" not in str(refusal.value)


def test_gains_are_read_by_their_names() -> None:
    assert Gains.parse("c=0.1, r=0.05 A=0.2 alpha=0.7 gamma=0.2 pairs=4") == Gains(0.1, 0.05, 0.2, 0.7, 0.2, 4)
