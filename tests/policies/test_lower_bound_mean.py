"""The bounds of a mean hold for few numbers, and where the expectation changes; they narrow with many numbers."""

import numpy as np
import pytest

from saddlepoint.policies import mean_at_least, mean_interval


@pytest.mark.parametrize("count", [3, 20, 60])
@pytest.mark.parametrize("chance", [0.02, 0.5, 0.98])
@pytest.mark.parametrize("steady", [False, True])
def test_the_true_mean_is_missed_in_one_of_twenty_cases_at_most(count, chance, steady):
    draw, missed = np.random.default_rng(count), 0
    for _ in range(100):
        numbers = np.where(draw.random(count) < chance, 3.0, -1.0).tolist()
        low, high = mean_interval(numbers, -1.0, 3.0, steady=steady)
        missed += not low <= 4 * chance - 1 <= high
    assert missed <= 11  # 5 are expected at most: more than 11 come in one run of 100


def test_many_numbers_tell_much_and_none_tells_nothing():
    assert mean_interval([], -2.0, 5.0) == (-2.0, 5.0)
    low, high = mean_interval([1.0, 0.0] * 500, 0.0, 1.0)
    assert 0.43 < low < 0.5 < high < 0.57
    assert mean_interval([1.0, 0.0] * 500 + [0.0, 1.0] * 500, 0.0, 1.0, steady=True)[0] > low
    low, high = mean_interval([0.25] * 1000, 0.0, 1.0)
    assert 0.2 < low < 0.25 < high < 0.3


def test_few_numbers_that_are_alike_prove_little():
    low, high = mean_interval([1.0] * 5, 0.0, 1.0)
    assert low < 0.6
    assert high == 1.0


@pytest.mark.parametrize(
    ("first", "later", "changes"), [(0.5, 0.5, 0), (0.75, 0.5, 200), (0.02, 0.02, 0), (1.0, 0.3, 100)]
)
def test_bounds_are_right_at_all_looks_together_also_where_the_expectation_changes(first, later, changes):
    draw, wrong, missed = np.random.default_rng(1), 0, 0
    for _ in range(400):
        expected = np.where(np.arange(500) < changes, first, later)
        numbers = (draw.random(500) < expected) * 1.0
        wrong += any(
            mean_at_least(numbers[:looked], 0.0, 1.0, planned=500) > expected[:looked].mean()
            for looked in (10, 50, 150, 250, 500)
        )
        low, high = mean_interval(numbers.tolist(), 0.0, 1.0)
        missed += not low <= expected.mean() <= high
    assert wrong <= 0.05 * 400
    assert missed <= 0.05 * 400


def test_a_lower_bound_is_right_where_each_expectation_follows_from_the_numbers_before():
    draw, wrong = np.random.default_rng(2), 0
    for _ in range(400):
        numbers, expected = [], []
        for _ in range(200):  # who has lost more often than expected is careful from then on
            expected.append(0.1 if sum(numbers) > sum(expected) + 4 else 0.8)
            numbers.append(float(draw.random() < expected[-1]))
        wrong += mean_at_least(numbers, 0.0, 1.0) > sum(expected) / 200
    assert wrong <= 0.05 * 400


def test_a_lower_bound_comes_near_the_mean_and_has_its_units():
    numbers = [-2.0, 6.0] * 2000
    assert 1.6 < mean_at_least(numbers, -2.0, 6.0) < 2.0
    assert mean_at_least([6.0] * 1000, -2.0, 6.0) > 5.9
    assert mean_at_least([], -2.0, 6.0) == -2.0
