"""Who lost a game, by what its positions were worth: the losing move is the last one after which the loser never stood even again."""

import pytest
from hypothesis import given, strategies as st

from saddlepoint.algorithms.analysis import Kind, judge
from saddlepoint.algorithms.analysis.verdict import EVEN, LOST

VALUES = st.floats(-1.0, 1.0) | st.sampled_from([-1.0, -0.5, -0.2, -0.19, 0.0, 0.19, 0.2, 0.5, 1.0])
GAMES = st.lists(st.none() | VALUES, min_size=1, max_size=40)
RESULTS = st.sampled_from([-1.0, 0.0, 1.0])


def verdict(values, result, **further):
    return judge(values, result, -1.0, 1.0, **further)


def test_the_losing_move_is_the_last_after_which_the_loser_never_stood_even_again():
    found = verdict([0.0, -0.7, 0.1, -0.6, -0.9, -1.0], -1.0)
    assert (found.kind, found.loser, found.step, found.until, found.before, found.after) == (
        Kind.MOVE,
        0,
        2,
        3,
        0.1,
        -0.6,
    )
    assert found.fall == pytest.approx(0.7)


def test_even_is_a_tenth_of_the_range_below_the_middle_and_wobbling_around_it_counts_up_to_the_last_time():
    assert verdict([-0.19, -0.21, -0.2, -0.21, -0.6, -1.0], -1.0).step == 2
    assert (
        judge([45.0, 41.0, 39.0, 20.0, 0.0], 0.0, 0.0, 100.0).step == 1
    )  # the middle is 50, a tenth of the range 10


def test_a_loss_over_several_turns_is_a_slide_told_as_one():
    found = verdict([0.0, 0.0, -0.3, -0.4, -0.45, -0.6, -0.9, -1.0], -1.0)
    assert (found.kind, found.step, found.until) == (Kind.SLIDE, 1, 5)


def test_what_takes_many_moves_is_a_slide_to_the_end_whatever_the_values_saw():
    """Hunger is beyond the depth of a search until the end is near: no single move is blamed for it."""
    found = verdict([0.0, 0.0, -0.9, -1.0, -1.0], -1.0, slow=True)
    assert (found.kind, found.step, found.until) == (Kind.SLIDE, 1, 4)


def test_who_never_stood_even_is_told_so_with_the_largest_loss():
    found = verdict([-0.3, -0.35, -0.8, -0.85, -1.0], -1.0)
    assert (found.kind, found.step, found.before, found.after) == (Kind.NEVER_EVEN, 1, -0.35, -0.8)
    assert verdict([-1.0, -1.0, -1.0], -1.0).fall == 0.0


def test_a_loser_at_fault_is_not_blamed_by_values():
    values = [0.0, 0.9, -0.9, 0.8]
    assert verdict(values, -1.0, faults=(True, False)).kind == Kind.FAULT
    assert verdict(values, -1.0, faults=(True, False)).step is None
    assert (
        verdict(values, -1.0, faults=(False, True)).kind != Kind.FAULT
    )  # the winner's is not why it was lost
    assert verdict(values, 0.0, faults=(True, True)).kind == Kind.DRAWN


def test_what_chance_drew_is_no_move():
    found = verdict([0.0, 0.1, 0.1, -0.9, -1.0], -1.0, chance=frozenset({2}))
    assert (found.kind, found.step) == (Kind.CHANCE, 2)
    assert verdict([0.0, 0.1, 0.1, -0.9, -1.0], -1.0, chance=frozenset({1})).kind == Kind.MOVE


def test_a_game_of_one_move_a_draw_and_one_that_is_not_over():
    assert (verdict([0.0, None], -1.0).kind, verdict([0.0, None], -1.0).step) == (Kind.MOVE, 0)
    assert verdict([0.9, None], 1.0).kind == Kind.NEVER_EVEN
    assert verdict([-1.0], -1.0).step is None
    assert verdict([0.0, -0.9, 0.9, 0.0], 0.0).kind == Kind.DRAWN
    assert verdict([0.0, -0.9], None).kind == Kind.OPEN


def test_a_winner_who_was_worse_takes_nothing_from_the_losers_last_mistake():
    found = verdict([0.0, 0.9, 0.95, -0.8, -1.0], -1.0)
    assert (found.loser, found.step) == (0, 2)


def test_the_last_chance_is_the_last_position_that_was_clearly_better_than_the_end():
    assert verdict([0.0, -0.6, -0.7, -0.95, -1.0, None], -1.0).last_chance == 2
    assert verdict([0.0, -0.6, -0.7, -1.0, None], -1.0, chance=frozenset({2})).last_chance == 1, (
        "a player moved there"
    )
    assert verdict([0.0, -1.0, -1.0, None], -1.0).last_chance is None, "that is the losing move itself"
    assert verdict([0.0, 0.0, -1.0, None], -1.0, chance=frozenset({1})).last_chance is None, (
        "it comes after what lost the game"
    )


def test_who_resigns_is_judged_by_the_position_in_which_it_does():
    resigned = verdict([0.0, 0.1, -0.2], -1.0, resigned=True)
    assert (resigned.kind, resigned.loser, resigned.step, resigned.before) == (Kind.RESIGNED, 0, 2, -0.2)
    assert verdict([0.0, 0.1, -0.9], -1.0, resigned=True).kind == Kind.MOVE
    assert verdict([0.0, 0.1, -0.9], -1.0, resigned=True).step == 1


def test_a_game_lost_by_a_few_points_is_measured_by_those():
    """Thirty-one discs to thirty-three."""
    found = judge([0.0, 4.0, -0.3, -1.5, -2.0, None], -2.0, -64.0, 64.0)
    assert (found.kind, found.loser, found.step, found.until, found.last_chance) == (Kind.MOVE, 0, 2, 3, 3)
    assert judge([0.0, 3.0, -2.0], -2.0, -64.0, 64.0).step == 1


@given(GAMES, st.floats(-1.0, 1.0))
def test_every_result_has_a_verdict(values, result):
    found = verdict(values, result)
    assert (found.loser is None) == (result == 0.0)
    if found.step is not None and found.kind != Kind.NEVER_EVEN:
        assert found.until is not None and found.until > found.step


def test_an_empty_range_and_no_positions_are_refused():
    with pytest.raises(ValueError, match="range"):
        judge([0.0], 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="position"):
        judge([], 1.0, -1.0, 1.0)


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
