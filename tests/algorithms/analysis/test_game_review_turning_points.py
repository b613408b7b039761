"""Where a game turned, by its values."""

import pytest

from saddlepoint.algorithms.analysis import TurningPoint, turning_points

pytestmark = pytest.mark.plain


def test_large_changes_are_found_the_largest_first():
    values = [0.0, 0.1, -0.5, -0.5, 0.9, 1.0]
    assert turning_points(values, -1.0, 1.0) == [TurningPoint(3, 1.4), TurningPoint(1, -0.6)]


def test_the_threshold_is_a_share_of_the_range_and_the_number_has_a_bound():
    values = [0.0, 5.0, 0.0, 5.0]
    assert turning_points(values, -100.0, 100.0) == []
    assert [point.step for point in turning_points(values, -100.0, 100.0, threshold=0.025)] == [0, 1, 2]
    assert [point.step for point in turning_points(values, -5.0, 5.0, most=2)] == [0, 1]


def test_a_value_that_is_not_known_is_passed_over():
    assert turning_points([None, 0.5, None, -0.5, None], -1.0, 1.0) == [TurningPoint(1, -1.0)]
    assert turning_points([], -1.0, 1.0) == []
    assert turning_points([None], -1.0, 1.0) == []


@pytest.mark.parametrize(("low", "high", "threshold"), [(1.0, 1.0, 0.1), (0.0, 1.0, 0.0), (0.0, 1.0, 1.5)])
def test_what_makes_no_sense_is_refused(low, high, threshold):
    with pytest.raises(ValueError, match="must be"):
        turning_points([0.0], low, high, threshold=threshold)
