"""The move that lost a game."""

import pytest

from saddlepoint.algorithms.analysis import ReviewedTurn, losing_move


def turn(step, value, loss0=0.0, loss1=0.0):
    return ReviewedTurn(step, value, (0, 0), ({0: 1.0}, {0: 1.0}), (1, 1), (loss0, loss1), 4, False)


def test_the_last_mistake_before_the_game_was_lost_counts():
    turns = [turn(0, 0.0), turn(2, 0.1, loss0=0.4), turn(4, -0.3, loss1=0.5), turn(6, 0.2, loss0=1.1), turn(8, -0.9, loss0=0.3)]
    found = losing_move(turns, -1.0, -1.0, 1.0)
    assert (found.player, found.turn.step, found.loss) == (0, 6, 1.1)


def test_of_a_game_that_was_lost_all_along_it_is_the_worst_mistake():
    turns = [turn(0, 0.8, loss1=0.2), turn(1, 0.9, loss1=0.25), turn(2, 0.95, loss1=0.2)]
    found = losing_move(turns, 1.0, -1.0, 1.0)
    assert (found.player, found.turn.step) == (1, 1)


def test_a_move_after_which_the_loser_stood_no_worse_is_no_mistake():
    turns = [turn(0, 0.0), turn(2, 0.1, loss1=0.4), turn(4, -0.97, loss1=1.3), turn(6, -1.0), turn(8, 1.0)]
    found = losing_move(turns, 1.0, -1.0, 1.0)
    assert found is None  # what turned the game after step 6 was nobody's move
    found = losing_move([*turns[:1], turn(2, -0.2, loss1=0.4), turn(4, 0.5, loss1=0.3)], 1.0, -1.0, 1.0)
    assert found is not None and found.turn.step == 2


def test_small_losses_draws_and_losses_of_the_winner_are_nobodys_losing_move():
    assert losing_move([], -1.0, -1.0, 1.0) is None
    assert losing_move([turn(0, 0.0, loss0=0.1)], -1.0, -1.0, 1.0) is None
    assert losing_move([turn(0, 0.0, loss0=0.9)], 0.0, -1.0, 1.0) is None
    assert losing_move([turn(0, 0.0, loss0=0.9)], 1.0, -1.0, 1.0) is None
    with pytest.raises(ValueError, match="range"):
        losing_move([], 1.0, 1.0, 1.0)
