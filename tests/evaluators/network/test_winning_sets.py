"""Winning sets: what the rules say when they are asked is what a reader of the rules would list."""

import random

import numpy as np
import pytest

from helpers.fitted_files import random_weights
from helpers.small_games import ROWS_OF_THREE, Guess, Rows
from saddlepoint import ConnectFour, Othello, TicTacToe
from saddlepoint.evaluators.network.file import MISSING, load_weights, open_sets, save_weights, words_of
from saddlepoint.evaluators.network.fitted import fitted_in_memory
from saddlepoint.evaluators.network.inputs import find_inputs, random_positions
from saddlepoint.evaluators.network.winning_sets import Boards, Place, WinningSet, find_winning_sets, minimal


def sets_of(game, seed=0):
    return find_winning_sets(game, Boards(game, find_inputs(game, seed, 60).coding), seed)


def turned(row):
    """The cells that a quarter turn brings onto a row."""
    return tuple(4 * (3 - cell % 4) + cell // 4 for cell in row)


@pytest.mark.parametrize("way", ["placed", "dropped", "turned"])
def test_rows_are_found_however_a_piece_comes_to_its_place(way):
    """Where the square is turned after each move, a row is one of cells that are turned onto a row: which is a row again."""
    rows = {frozenset(row) for row in ROWS_OF_THREE}
    assert {frozenset(turned(row)) for row in ROWS_OF_THREE} == rows
    found = sets_of(Rows(way))
    for player in (0, 1):
        own = {frozenset(place.word for place in one.places) for one in found if one.player == player}
        assert own <= rows
        assert len(own) >= 0.85 * len(rows)
        assert {one.value for one in found if one.player == player} == {player + 1}


@pytest.mark.plain
def test_the_eight_lines_of_tic_tac_toe_are_found_among_bits():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    wanted = {
        WinningSet(player, 1, frozenset(Place(player, cell) for cell in line))
        for player in (0, 1)
        for line in lines
    }
    assert set(sets_of(TicTacToe())) == wanted


@pytest.mark.parametrize("game", [Othello(4), Guess()], ids=repr)
def test_a_game_that_is_won_in_another_way_has_none(game):
    assert sets_of(game) == []
    assert not len(find_inputs(game, 1, 60).coding.set_starts)


def test_of_a_set_and_a_larger_one_the_smaller_is_kept():
    small, large = ({Place(0, bit) for bit in range(count)} for count in (3, 4))
    sets = [WinningSet(player, 1, frozenset(some)) for player, some in ((0, large), (0, small), (1, large))]
    assert minimal(sets) == [sets[1], sets[2]]


@pytest.mark.parametrize("game", [TicTacToe(), Rows()], ids=repr)
def test_sets_are_counted_that_the_other_has_no_place_of_by_what_is_missing(game):
    coding = find_inputs(game, 0, 60).coding
    boards = Boards(game, coding)
    sets = find_winning_sets(game, boards, 0)
    states = random_positions(game, 20, 100, random.Random(1))
    words = words_of(game, states)
    wanted = np.zeros((len(states), 2, MISSING), np.uint64)
    for number, row in enumerate(words.tolist()):
        for one in sets:
            if not any(
                other.value(row) == value
                for place in one.places
                for other, value in boards.others(place, one.value)
            ):
                missing = sum(place.value(row) != one.value for place in one.places)
                wanted[number, one.player, missing] += missing < MISSING
    found = open_sets(coding, words).reshape(wanted.shape)
    assert (found == wanted).all()
    assert found.any(axis=(0, 2)).all()


def test_a_file_keeps_them_and_a_file_without_them_has_none(tmp_path):
    for game in (TicTacToe(), ConnectFour(4, 4, 3)):
        weights = random_weights(game)
        save_weights(tmp_path / "x.weights", weights)
        kept = load_weights(tmp_path / "x.weights").coding
        assert np.array_equal(kept.set_rows, weights.coding.set_rows)
        assert len(kept.set_starts) == (128 if game == TicTacToe() else 0)


@pytest.mark.plain
def test_a_position_in_which_a_set_lacks_one_place_is_told_from_one_without_it():
    """By the weights of these numbers alone: the network says more for the player who has it."""
    game = TicTacToe()
    weights = random_weights(game)
    layers = weights.network
    numbers = layers.scaled_first.copy()
    numbers[:] = 0.0
    numbers[-2 * MISSING + 1] = 1.0  # player 0's sets that lack one place
    only = layers._replace(
        first=np.zeros_like(layers.first),
        scaled_first=numbers,
        second=np.abs(layers.second),
        last=np.abs(layers.last),
    )
    evaluator = fitted_in_memory(weights._replace(network=only, digest=""))
    ahead, even = (play(game, moves) for moves in ((0, 8, 1), (0, 8, 5)))
    assert evaluator.evaluate(game, ahead) > evaluator.evaluate(game, even)


def play(game, actions):
    state = game.initial_state()
    for action in actions:
        state = game.next_state(state, action)
    return state
