"""The interval of a mean holds for few numbers, and narrows with many."""

import numpy as np
import pytest

from saddlepoint.policies import mean_interval


@pytest.mark.parametrize("count", [3, 20, 60])
@pytest.mark.parametrize("chance", [0.02, 0.5, 0.98])
def test_the_true_mean_is_missed_in_one_of_twenty_cases_at_most(count, chance):
    draw, missed = np.random.default_rng(count), 0
    for _ in range(100):
        low, high = mean_interval(np.where(draw.random(count) < chance, 3.0, -1.0).tolist(), -1.0, 3.0)
        missed += not low <= 4 * chance - 1 <= high
    assert missed <= 11  # 5 are expected at most: more than 11 come in one run of 100


def test_many_numbers_tell_much_and_none_tells_nothing():
    assert mean_interval([], -2.0, 5.0) == (-2.0, 5.0)
    low, high = mean_interval([1.0, 0.0] * 500, 0.0, 1.0)
    assert 0.43 < low < 0.5 < high < 0.57
    low, high = mean_interval([0.25] * 1000, 0.0, 1.0)
    assert 0.2 < low < 0.25 < high < 0.3


def test_few_numbers_that_are_alike_prove_little():
    low, high = mean_interval([1.0] * 5, 0.0, 1.0)
    assert low < 0.6
    assert high == 1.0
