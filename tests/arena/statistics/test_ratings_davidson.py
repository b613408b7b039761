"""Where results have no likeliest strengths, which of them are why; the likelihood's derivatives; where the maximum lies."""

import numpy as np
import pytest
from scipy.optimize import minimize

from saddlepoint.arena.statistics.ratings import PairOutcomes, _likelihood, fit, separated_rows

# Rows a-b, b-c, a-c.
TRIANGLE = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0], [1.0, 0.0, -1.0]])


def rows_of(*outcomes: tuple[float, float, float]) -> list[bool]:
    """Which rows are separated, the first ones of the triangle."""
    found = np.array(outcomes, dtype=float)
    return separated_rows(TRIANGLE[: len(found)], found, bool(found[:, 1].any())).tolist()


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([(3, 0, 0)], [True]),
        ([(0, 0, 3)], [True]),
        ([(3, 0, 1)], [False]),
        ([(3, 1, 1)], [False]),
        ([(0, 3, 0)], [True]),  # draws alone: the share of draws has no upper bound
        ([(3, 1, 0)], [True]),
        ([(0, 1, 3)], [True]),
        (
            [(3, 1, 0), (2, 1, 2)],
            [False, False],
        ),  # a meeting with all three holds the share of draws, and that the gap
        ([(3, 0, 0), (2, 0, 2)], [True, False]),
        ([(3, 0, 0), (0, 0, 3), (1, 0, 1)], [True, True, False]),
        ([(3, 0, 0), (3, 0, 0), (0, 0, 3)], [False, False, False]),  # a cycle
        (
            [(3, 2, 0), (0, 2, 3), (1, 0, 1)],
            [False, False, False],
        ),  # a meeting without draws bounds their share
        (
            [(3, 2, 0), (3, 2, 0), (3, 2, 0)],
            [False, False, False],
        ),  # a gap that grows with the share cannot be twice itself
    ],
)
def test_results_without_likeliest_strengths(
    outcomes: list[tuple[float, float, float]], expected: list[bool]
) -> None:
    assert rows_of(*outcomes) == expected


def test_gaps_may_grow_with_the_share_of_draws_around_a_square() -> None:
    # a and c above b and e by as much as draws are likely: nothing bounds it.
    square = np.array(
        [[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0], [0.0, 0.0, 1.0, -1.0], [1.0, 0.0, 0.0, -1.0]]
    )
    won, lost = (3.0, 2.0, 0.0), (0.0, 2.0, 3.0)
    assert separated_rows(square, np.array([won, lost, won, won]), True).all()
    assert not separated_rows(square, np.array([won, won, won, won]), True).any()
    assert not separated_rows(square, np.array([won, lost, won, lost]), True).any()


def test_the_likelihood_is_that_of_the_shares() -> None:
    # With d = ln 4 and nu = 1: win : draw : loss = 2 : 1 : 1/2.
    value, _, _ = _likelihood(
        np.array([[1.0]]), np.array([[3.0, 2.0, 1.0]]), np.array([np.log(4), 0.0]), True
    )
    assert value == pytest.approx(3 * np.log(2 / 3.5) + 2 * np.log(1 / 3.5) + np.log(0.5 / 3.5))


def test_the_fit_is_the_maximum_and_its_covariance_the_inverse_information() -> None:
    games = PairOutcomes(
        np.array([0, 1, 0, 1]),
        np.array([1, 2, 2, 0]),
        np.array([[9.0, 4.0, 3.0], [6.0, 2.0, 5.0], [8.0, 3.0, 4.0], [4.0, 3.0, 8.0]]),
    )
    found = fit(games, np.zeros(3, np.int64))
    assert not found.separated
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
    design = np.zeros((4, 3))
    for row, (i, j) in enumerate(zip(games.i, games.j)):
        design[row, i], design[row, j] = 1, -1
    best = minimize(
        lambda p: -_likelihood(design, games.outcomes, p, True)[0] + p[:3].sum() ** 2,
        np.zeros(4),
        options={"gtol": 1e-8},
    )
    assert found.strengths == pytest.approx(best.x[:3], abs=1e-5)
    assert found.tie == pytest.approx(np.exp(best.x[3]), abs=1e-5)
    # Of every difference that is known the variance is that of the information, whatever the strengths' mean.
    information = _likelihood(design, games.outcomes, np.array([*found.strengths, np.log(found.tie)]), True)[
        2
    ]
    inverse = np.linalg.pinv(information)
    for contrast in ([1, -1, 0, 0], [0, 1, -1, 0], [0, 0, 0, 1]):
        vector = np.array(contrast, dtype=float)
        assert vector @ found.covariance @ vector == pytest.approx(vector @ inverse @ vector, rel=1e-6)


def test_half_a_win_and_half_a_loss_are_added_only_where_results_are_separated() -> None:
    games = PairOutcomes(np.array([0, 1]), np.array([1, 2]), np.array([[10.0, 0.0, 0.0], [6.0, 0.0, 4.0]]))
    found = fit(games, np.zeros(3, np.int64))
    assert found.separated
    assert found.strengths[0] - found.strengths[1] == pytest.approx(np.log(10.5 / 0.5), abs=1e-8)
    assert found.strengths[1] - found.strengths[2] == pytest.approx(np.log(6 / 4), abs=1e-8)
    assert found.tie == 0.0
