"""Intervals: Wilson's where there are no draws, narrower with draws, and honest about few games."""

import random

import pytest

from saddlepoint.arena.statistics.paired import Score


@pytest.mark.parametrize(
    # Without draws it is Wilson's interval, which statsmodels' proportion_confint(..., method="wilson") gives as
    ("wins", "losses", "low", "high"),
    [(8, 2, 0.490162, 0.943318), (0, 10, 0.0, 0.277533), (50, 50, 0.403832, 0.596168), (1, 0, 0.206549, 1.0)],
)
def test_without_draws_it_is_wilsons_interval(wins: int, losses: int, low: float, high: float) -> None:
    assert Score(wins, 0, losses).interval() == pytest.approx((low, high), abs=1e-5)


def test_draws_narrow_the_interval_but_never_to_a_point() -> None:
    def width(score: Score) -> float:
        low, high = score.interval()
        return high - low

    assert width(Score(50, 0, 50)) > width(Score(25, 50, 25)) > width(Score(0, 100, 0)) > 0.01
    assert width(Score(0, 1, 0)) > 0.5
    assert Score().interval() == (0.0, 1.0)


def test_both_sides_see_the_same() -> None:
    low, high = Score(30, 12, 7).interval()
    assert Score(7, 12, 30).interval() == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("win", "draw"), [(0.5, 0.0), (0.3, 0.5), (0.85, 0.1), (0.05, 0.9)])
def test_the_interval_holds_the_true_rate_about_95_times_in_100(win: float, draw: float) -> None:
    random_source = random.Random(11)
    held, trials = 0, 2000
    for _ in range(trials):
        drawn = random_source.choices("wdl", [win, draw, 1 - win - draw], k=60)
        low, high = Score(drawn.count("w"), drawn.count("d"), drawn.count("l")).interval()
        held += low <= win + draw / 2 <= high
    assert 0.93 <= held / trials <= 0.995
