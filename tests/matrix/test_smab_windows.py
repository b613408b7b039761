"""The parts of bound windows, by numbers worked out by hand: the worth of a mixture, the best option alone."""

import math

import numpy as np
import pytest

from saddlepoint.matrix.smab_windows import _best_alone, _mixture_value, _restore_ratios, _spread

pytestmark = pytest.mark.plain

# Two columns; an option's margins in them, then its worth. The first number is the count of failures.
WORK = np.array([0.0, 1.0, -3.0, 4.0, 0.0, 1.0, 2.0, 5.0, 5.0, -1.0])


def mixed(weights):
    """A mixture of the first two of three options, as the simplex method leaves it."""
    table, basic = np.zeros((4, 4)), np.array([0.0, 7.0, 1.0])
    table[:3, 3] = weights[0], 9.0, weights[1]
    return table, basic


@pytest.mark.parametrize(
    ("weights", "worth", "shortfall"),
    [
        ((1, 1), 3, 1),
        ((1, 3), 2.5, 0),
        ((0.25, 0.75), 2.5, 0),
        ((1, 0), 4, 3),
        ((0, 1), 2, 0),
        ((1, 2), 8 / 3, 1 / 3),
        ((-1, 1), 2, 0),
        ((0, 0), -math.inf, math.inf),
    ],
)
def test_a_mixture_has_the_mean_worth_and_falls_short_by_its_worst_margin(weights, worth, shortfall):
    assert tuple(_mixture_value(3, 2, 3, *mixed(weights), WORK)) == pytest.approx((worth, shortfall))


def test_the_best_option_alone_is_the_worthiest_that_falls_short_nowhere_else_the_nearest():
    assert tuple(_best_alone(3, 2, WORK)) == (1, 0.0, 2.0)
    assert tuple(_best_alone(1, 2, WORK)) == (0, -3.0, -math.inf)
    other = WORK.copy()
    other[4:6] = (0.0, -1.0)
    other[7:9] = (-2.0, 5.0)
    assert tuple(_best_alone(3, 2, other)) == (1, -1.0, -math.inf)


def test_the_spread_is_the_largest_difference_of_margins_or_of_worths():
    assert tuple(_spread(3, 2, WORK)) == (4.0, 8.0)
    assert tuple(_spread(2, 2, WORK)) == (4.0, 4.0)
    flat = WORK.copy()
    flat[[1, 2, 4, 5, 7, 8]] = 1.0
    assert tuple(_spread(3, 2, flat)) == (4.0, 5.0)


@pytest.mark.parametrize(
    ("weights", "restored"),
    [
        ((1 / 3, 2 / 3 - 1e-13), (1, 2)),
        ((0.3, 0.1), (3, 1)),
        ((0.0, 0.25), (0, 1)),
        ((-1e-17, 1.0), (0, 1)),
        ((math.sqrt(0.5), 1.0), None),
        ((1 / 3, 2 / 3 - 1e-9), None),
        ((0.0, 0.0), None),
        ((-1.0, 0.0), None),
    ],
)
def test_weights_next_to_a_ratio_of_small_whole_numbers_become_those_numbers_and_all_others_stay(
    weights, restored
):
    table, basic = mixed(weights)
    assert _restore_ratios(3, 2, table, basic) == (restored is not None)
    assert tuple(table[[0, 2], 3]) == (restored or weights)
    assert table[1, 3] == 9.0
