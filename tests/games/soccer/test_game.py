"""Littman's soccer by its rules."""

import pytest

from saddlepoint.game.base import SIMULTANEOUS, TERMINAL
from saddlepoint.games.soccer import STEPS, Soccer

pytestmark = pytest.mark.plain
GAME = Soccer(draw=0.0)
UP, RIGHT, DOWN, LEFT, STAND = range(5)


def test_the_start_is_symmetric_and_chance_gives_the_ball() -> None:
    state = GAME.initial_state()
    assert GAME.render(state).splitlines()[:4] == ["|.....|", " ...b. ", " .a... ", "|.....|"]
    assert GAME.chance_outcomes(state) == [(0, 0.5), (1, 0.5)]
    assert GAME.to_text(GAME.next_state(state, 1)) == "...../...B./.a.../..... 0"
    assert any(image.state == state and image.swap for image in GAME.symmetries(state))


LOOSE = Soccer(draw=0.0, ball="loose")
IN_FRONT = "...../....A/b..../..... 8"


@pytest.mark.parametrize(
    ("board", "steps", "first", "after"),
    [
        # Only the ball scores, in the other's goal, and the second step is not made any more.
        (IN_FRONT, (RIGHT, RIGHT), 0, "...../....A/b..../..... 9 goal of 0"),
        (IN_FRONT, (RIGHT, RIGHT), 1, "...../....A/.b.../..... 9 goal of 0"),
        ("...../....a/B..../..... 8", (RIGHT, LEFT), 0, "...../....a/B..../..... 9 goal of 1"),
        ("....A/...../b..../..... 8", (RIGHT, STAND), 0, "....A/...../b..../..... 9"),
        ("...../A...b/...../..... 8", (LEFT, STAND), 0, "...../A...b/...../..... 9"),
    ],
)
def test_only_the_ball_scores_in_the_goal_of_the_other_and_a_goal_ends_the_game(board, steps, first, after):
    state = GAME.next_state(GAME.from_text(board), *steps)
    assert GAME.to_text(GAME.next_state(state, first)) == after


def test_a_draw_is_declared_by_chance_unless_there_is_a_goal_and_by_the_limit() -> None:
    game = Soccer(draw=0.2, max_moves=14)
    state = game.next_state(game.from_text("....A/...../b..../..... 8"), DOWN, STAND)
    assert game.chance_outcomes(state) == [(0, 0.4), (1, 0.4), (2, 0.1), (3, 0.1)]
    drawn = game.next_state(state, 2)
    assert game.to_text(drawn) == "...../....A/b..../..... 9 drawn"
    assert (game.current_player(drawn), game.returns(drawn)) == (TERMINAL, 0.0)
    shot = game.next_state(game.from_text("...../....A/b..../..... 8"), RIGHT, STAND)
    assert game.returns(game.next_state(shot, 3)) == 1.0
    last = game.from_text("....A/...../b..../..... 14")
    assert (game.current_player(last), game.returns(last)) == (TERMINAL, 0.0)
    assert game.current_player(last._replace(moves=13)) == SIMULTANEOUS


def test_searches_leave_out_steps_against_an_edge_but_no_shot() -> None:
    state = GAME.from_text("...../....A/b..../..... 8")
    searched = [[STEPS[action] for action in GAME.search_actions(state, player)] for player in (0, 1)]
    assert searched == [["up", "right", "down", "left", "stand"]] * 2
    corner = GAME.from_text("....A/...../...../b.... 8")
    searched = [[STEPS[action] for action in GAME.search_actions(corner, player)] for player in (0, 1)]
    assert searched == [["down", "left", "stand"], ["up", "right", "stand"]]


def test_the_picture_has_the_goals_and_a_shot_is_made_by_clicking_one() -> None:
    picture = GAME.picture(GAME.from_text("...../....A/b..../..... 8"))
    assert (picture.width, picture.height, len(picture.walls)) == (7, 4, 4)
    assert {(mark.x, mark.y, mark.owner) for mark in picture.marks} == {
        (0, 1, 0),
        (0, 2, 0),
        (6, 1, 1),
        (6, 2, 1),
    }
    assert [move.to for move in picture.moves if move.player == 0 and move.arrow == "right"] == [(6, 1)]
    assert [piece.shape for piece in picture.pieces] == ["disc", "ring"]


def test_a_loose_ball_lies_in_a_row_of_the_goals_and_is_the_first_ones() -> None:
    start = LOOSE.initial_state()
    assert LOOSE.chance_outcomes(start) == [(0, 0.5), (1, 0.5)]
    assert LOOSE.to_text(LOOSE.next_state(start, 1)) == "...../...b./.ao../..... 0"
    assert LOOSE.outcome_to_string(start, 1) == "the ball in row 3"


def test_how_it_is_played_is_said_of_these_parameters() -> None:
    usual, loose = (
        " ".join(Soccer().how_to_play),
        " ".join(Soccer(draw=0.0, max_moves=50, ball="loose").how_to_play),
    )
    assert (
        "the other one gets the ball. " in usual
        and "may end in a draw by chance" in usual
        and "lies" not in usual
    )
    assert (
        "The ball lies in the middle column at first" in loose
        and "gets the ball, once somebody has it." in loose
    )
    assert "by chance" not in loose and loose.endswith("After 50 moves it is a draw.")
    assert len(Soccer(ball="loose").how_to_play) == 5
