"""What an action gives away at a stage where both players choose."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint.algorithms.analysis.verdict import column_loss, column_losses, row_loss, row_losses
from saddlepoint.matrix import solve_matrix

pytestmark = pytest.mark.plain

matrices = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(-3, 3), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def test_where_the_other_player_loses_whatever_it_does_a_row_that_one_of_its_actions_punishes_was_a_mistake():
    """Against the first column both rows win; only the second tells them apart."""
    matrix = [[1.0, 1.0], [1.0, -1.0]]
    assert row_loss(matrix, 1.0, 0) == 0.0
    assert row_loss(matrix, 1.0, 1) == pytest.approx(2.0)
    assert column_loss([[-1.0, -1.0], [-1.0, 1.0]], -1.0, 1) == pytest.approx(2.0)


def test_what_is_played_with_some_probability_gives_nothing_away_where_there_is_one_equilibrium():
    """Rock, paper, scissors."""
    matrix = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    assert [row_loss(matrix, 0.0, k) for k in range(3)] == [0.0] * 3
    assert [column_loss(matrix, 0.0, k) for k in range(3)] == [0.0] * 3


@pytest.mark.compiles_long
@COMPILED_ONLY
@settings(max_examples=scaled(60), deadline=None)
@given(matrices)
def test_it_is_never_less_than_against_the_strategy_that_a_solver_finds(rows: list[list[int]]):
    matrix = np.array(rows, np.float64)
    found = solve_matrix(matrix)
    replies = found.row_strategy, found.column_strategy
    for own, value, reply in ((matrix, found.value, replies[1]), (-matrix.T, -found.value, replies[0])):
        for row, expected in enumerate(own @ reply):
            lost = row_loss(own, value, row)
            assert max(0.0, value - float(expected)) - 1e-5 <= lost <= value - own[row].min() + 1e-5
            assert lost == pytest.approx(column_loss(-own.T, -value, row))


@settings(max_examples=scaled(60), deadline=None)
@given(matrices)
def test_some_action_of_each_player_gives_nothing_away_where_there_is_a_saddle_point(rows: list[list[int]]):
    matrix = np.array(rows, np.float64)
    value = solve_matrix(matrix).value
    if matrix.min(axis=1).max() == matrix.max(axis=0).min():
        assert any(row_loss(matrix, value, row) == 0.0 for row in range(matrix.shape[0]))
        assert any(column_loss(matrix, value, column) == 0.0 for column in range(matrix.shape[1]))


@pytest.mark.compiles_long
@COMPILED_ONLY
@settings(max_examples=scaled(60), deadline=None)
@given(matrices)
def test_with_an_equilibrium_at_hand_the_losses_of_all_actions_are_the_same(rows: list[list[int]]):
    matrix = np.array(rows, np.float64)
    found = solve_matrix(matrix)
    known = found.row_strategy, found.column_strategy
    assert row_losses(matrix, found.value, known) == pytest.approx(row_losses(matrix, found.value), abs=1e-4)
    assert column_losses(matrix, found.value, known) == pytest.approx(
        column_losses(matrix, found.value), abs=1e-4
    )


@pytest.mark.compiles_long
def test_where_there_is_one_equilibrium_nothing_more_is_solved(monkeypatch):
    matrix = np.random.default_rng(3).uniform(-1, 1, (20, 20))
    found = solve_matrix(matrix)
    wanted = row_losses(matrix, found.value), column_losses(matrix, found.value)
    monkeypatch.setattr("scipy.optimize.linprog", None)
    known = found.row_strategy, found.column_strategy
    assert row_losses(matrix, found.value, known) == pytest.approx(wanted[0], abs=1e-5)
    assert column_losses(matrix, found.value, known) == pytest.approx(wanted[1], abs=1e-5)
