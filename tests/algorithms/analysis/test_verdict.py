"""Who lost a finished game and where it turned, by what its positions were worth; what an action gives away where both choose."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint.algorithms.analysis import Kind, TurningPoint, judge, turning_points
from saddlepoint.algorithms.analysis.verdict import (
    EVEN,
    LOST,
    column_loss,
    column_losses,
    row_loss,
    row_losses,
)
from saddlepoint.matrix import solve_matrix

pytestmark = pytest.mark.plain


VALUES = st.floats(-1.0, 1.0) | st.sampled_from([-1.0, -0.5, -0.2, -0.19, 0.0, 0.19, 0.2, 0.5, 1.0])
GAMES = st.lists(st.none() | VALUES, min_size=1, max_size=40)
RESULTS = st.sampled_from([-1.0, 0.0, 1.0])


def verdict(values, result, **further):
    return judge(values, result, -1.0, 1.0, **further)


ONE, TWO = frozenset({1}), frozenset({2})
VERDICTS = {
    "the losing move is the last one after which the loser never stood even again": [
        (
            [0.0, -0.7, 0.1, -0.6, -0.9, -1.0],
            -1.0,
            {},
            {"kind": Kind.MOVE, "loser": 0, "step": 2, "until": 3},
        ),
        (
            [0.0, -0.7, 0.1, -0.6, -0.9, -1.0],
            -1.0,
            {},
            {"before": 0.1, "after": -0.6, "fall": pytest.approx(0.7)},
        ),
    ],
    "a tenth of the range below the middle is even, and wobbling around it counts up to the last time": [
        ([-0.19, -0.21, -0.2, -0.21, -0.6, -1.0], -1.0, {}, {"step": 2}),
    ],
    "a loss over several turns is a slide told as one": [
        (
            [0.0, 0.0, -0.3, -0.4, -0.45, -0.6, -0.9, -1.0],
            -1.0,
            {},
            {"kind": Kind.SLIDE, "step": 1, "until": 5},
        ),
    ],
    "what takes many moves, as hunger does, is a slide to the end whatever the values saw": [
        ([0.0, 0.0, -0.9, -1.0, -1.0], -1.0, {"slow": True}, {"kind": Kind.SLIDE, "step": 1, "until": 4}),
    ],
    "who never stood even is told so with the largest loss": [
        (
            [-0.3, -0.35, -0.8, -0.85, -1.0],
            -1.0,
            {},
            {"kind": Kind.NEVER_EVEN, "step": 1, "before": -0.35, "after": -0.8},
        ),
        ([-1.0, -1.0, -1.0], -1.0, {}, {"fall": 0.0}),
        ([0.9, None], 1.0, {}, {"kind": Kind.NEVER_EVEN}),
        ([-1.0], -1.0, {}, {"step": None}),
    ],
    "a loser at fault is not blamed by values, and the winner's fault is not why it was lost": [
        ([0.0, 0.9, -0.9, 0.8], -1.0, {"faults": (True, False)}, {"kind": Kind.FAULT, "step": None}),
        ([0.0, 0.9, -0.9, 0.8], -1.0, {"faults": (False, True)}, {"kind": Kind.MOVE, "step": 1}),
        ([0.0, 0.9, -0.9, 0.8], 0.0, {"faults": (True, True)}, {"kind": Kind.DRAWN}),
    ],
    "what chance drew is no move": [
        ([0.0, 0.1, 0.1, -0.9, -1.0], -1.0, {"chance": TWO}, {"kind": Kind.CHANCE, "step": 2}),
        ([0.0, 0.1, 0.1, -0.9, -1.0], -1.0, {"chance": ONE}, {"kind": Kind.MOVE}),
    ],
    "a game of one move, a draw, and one that is not over": [
        ([0.0, None], -1.0, {}, {"kind": Kind.MOVE, "step": 0}),
        ([0.0, -0.9, 0.9, 0.0], 0.0, {}, {"kind": Kind.DRAWN}),
        ([0.0, -0.9], None, {}, {"kind": Kind.OPEN}),
    ],
    "a winner who was worse takes nothing from the loser's last mistake": [
        ([0.0, 0.9, 0.95, -0.8, -1.0], -1.0, {}, {"loser": 0, "step": 2}),
    ],
    "the last chance is a player's last position that was clearly better than the end, after the losing move": [
        ([0.0, -0.6, -0.7, -0.95, -1.0, None], -1.0, {}, {"last_chance": 2}),
        ([0.0, -0.6, -0.7, -1.0, None], -1.0, {"chance": TWO}, {"last_chance": 1}),
        ([0.0, -1.0, -1.0, None], -1.0, {}, {"last_chance": None}),
        ([0.0, 0.0, -1.0, None], -1.0, {"chance": ONE}, {"last_chance": None}),
    ],
    "who resigns is judged by the position in which it does, unless it was lost before": [
        (
            [0.0, 0.1, -0.2],
            -1.0,
            {"resigned": True},
            {"kind": Kind.RESIGNED, "loser": 0, "step": 2, "before": -0.2},
        ),
        ([0.0, 0.1, -0.9], -1.0, {"resigned": True}, {"kind": Kind.MOVE, "step": 1}),
    ],
}


@pytest.mark.parametrize(
    ("rule", "values", "result", "further", "told"),
    [pytest.param(rule, *row, id=rule) for rule, rows in VERDICTS.items() for row in rows],
)
def test_who_lost_a_game_and_where(rule, values, result, further, told):
    found = verdict(values, result, **further)
    assert {name: getattr(found, name) for name in told} == told, rule


def test_what_is_even_is_measured_by_the_range_and_by_the_points_that_were_lost_by():
    """Of a range from 0 to 100 the middle is 50, a tenth of it 10; thirty-one discs to thirty-three are not many of 64."""
    assert judge([45.0, 41.0, 39.0, 20.0, 0.0], 0.0, 0.0, 100.0).step == 1
    found = judge([0.0, 4.0, -0.3, -1.5, -2.0, None], -2.0, -64.0, 64.0)
    assert (found.kind, found.loser, found.step, found.until, found.last_chance) == (Kind.MOVE, 0, 2, 3, 3)
    assert judge([0.0, 3.0, -2.0], -2.0, -64.0, 64.0).step == 1


@given(GAMES, st.floats(-1.0, 1.0))
def test_every_result_has_a_verdict(values, result):
    found = verdict(values, result)
    assert (found.loser is None) == (result == 0.0)
    if found.step is not None and found.kind != Kind.NEVER_EVEN:
        assert found.until is not None and found.until > found.step


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: judge([0.0], 1.0, 1.0, 1.0), "range"),
        (lambda: judge([], 1.0, -1.0, 1.0), "position"),
        (lambda: turning_points([0.0], 1.0, 1.0, threshold=0.1), "range must be"),
        (lambda: turning_points([0.0], 0.0, 1.0, threshold=0.0), "threshold must be"),
        (lambda: turning_points([0.0], 0.0, 1.0, threshold=1.5), "threshold must be"),
    ],
)
def test_an_empty_range_no_positions_and_no_share_are_refused(ask, said):
    with pytest.raises(ValueError, match=said):
        ask()


@given(GAMES, RESULTS)
def test_the_mirrored_game_has_the_mirrored_verdict(values, result):
    here = verdict(values, result)
    there = verdict([None if one is None else -one for one in values], -result)
    assert (here.kind, here.step, here.until) == (there.kind, there.step, there.until)
    assert here.fall == pytest.approx(there.fall)
    assert here.loser == (None if there.loser is None else 1 - there.loser)


@given(GAMES, st.sampled_from([-1.0, 1.0]))
def test_after_the_losing_move_the_loser_never_stands_even_and_before_it_does(values, result):
    found = verdict(values, result)
    loser_sign = 1.0 if result < 0 else -1.0
    own = {step: loser_sign * value for step, value in enumerate(values[:-1]) if value is not None}
    own[len(values) - 1] = -1.0
    even = [step for step, value in own.items() if value >= 2 * EVEN]
    assert found.loser == (0 if result < 0 else 1)
    if found.kind == Kind.NEVER_EVEN:
        assert not even
    else:
        assert found.step == even[-1]
        assert found.until is not None and found.until > found.step
        assert all(own[step] <= 2 * LOST + 1e-6 for step in own if step >= found.until)


@given(GAMES, st.sampled_from([-1.0, 1.0]), st.floats(0.1, 50.0), st.floats(-20.0, 20.0))
def test_the_scale_of_results_does_not_matter(values, result, scale, shift):
    rounded = [None if one is None else round(one, 1) + 0.05 for one in values]  # none of them on a threshold
    moved = [None if one is None else scale * one + shift for one in rounded]
    here = verdict(rounded, result)
    there = judge(moved, scale * result + shift, shift - scale, shift + scale)
    assert (here.kind, here.loser, here.step, here.until) == (
        there.kind,
        there.loser,
        there.step,
        there.until,
    )


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=30))
def test_in_a_solved_game_of_turns_it_is_the_move_that_gave_the_result_away(values):
    """Values of best play only change by a mistake of whoever moves: the last change to the result is the losing move."""
    found = verdict([*values, None], -1.0)
    if -1.0 in values and all(one == -1.0 for one in values):
        assert found.kind == Kind.NEVER_EVEN
    else:
        assert found.kind == Kind.MOVE
        assert found.step == max(step for step, one in enumerate(values) if one > -1.0)


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
