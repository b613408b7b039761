"""Proof-number search says who wins, as plain minimax does, and shows a line of the proof."""

from dataclasses import replace

import pytest

from helpers.random_trees import SureTree, minimax, random_positions
from saddlepoint import ConnectFour, Limits, ProofNumber, Searcher, search

pytestmark = pytest.mark.compiles_long

TREE = SureTree()
BOARD = ConnectFour(4, 4, 3)
SMALL = ProofNumber(megabytes=0.5)


def trees(count, levels, depth=6):
    for seed in range(count):
        state = TREE.initial_state(seed, depth, 2 + seed % 5, 0, levels, seed % 2)
        if TREE.current_player(state) >= 0:
            yield state


@pytest.mark.parametrize("levels", [2, 3])
def test_who_wins_is_what_plain_minimax_says(levels):
    searcher = Searcher(TREE, SMALL)
    seen = set()
    for state in trees(700, levels):
        result = searcher.search(state, Limits(), variation=False)
        assert result.exact
        assert result.value == minimax(TREE, state)
        seen.add(result.value)
    assert seen == ({-1.0, 1.0} if levels == 2 else {-1.0, 0.0, 1.0})


@pytest.mark.parametrize("wins", [True, False])
def test_the_answer_holds_on_a_board_and_its_move_keeps_the_value(wins):
    searcher = Searcher(BOARD, replace(SMALL, winning_actions=wins))
    for state in random_positions(BOARD, 250, 5, least=2):
        value = minimax(BOARD, state)
        result = searcher.search(state, Limits(), variation=False)
        assert result.value == value
        action = result.best_action(BOARD.current_player(state))
        assert minimax(BOARD, BOARD.next_state(state, action)) == value


def test_the_line_of_the_proof_ends_with_the_result():
    searcher = Searcher(BOARD, SMALL)
    for state in random_positions(BOARD, 60, 6):
        result = searcher.search(state, Limits())
        for joint in result.principal_variation:
            state = BOARD.next_state(state, *joint)
        assert BOARD.current_player(state) < -1
        assert BOARD.returns(state) == result.value


def test_a_target_is_answered_by_bounds():
    for state in trees(150, 5):
        value = minimax(TREE, state)
        for target in (-1.0, -0.5, 0.0, 0.5, 1.0):
            searcher = Searcher(TREE, ProofNumber(target=target, megabytes=0.01))
            low, high = searcher.search(state, Limits(), variation=False).bounds
            assert low <= value <= high
            assert (low >= target) == (value >= target)
            assert (high < target) == (value < target)


def test_a_table_far_too_small_costs_time_and_nothing_else():
    tiny = Searcher(BOARD, ProofNumber(megabytes=0.001))
    for state in random_positions(BOARD, 40, 9, least=4):
        assert tiny.search(state, Limits(), variation=False).value == minimax(BOARD, state)


def test_the_winner_of_six_columns_by_four_rows_is_the_second_player():
    """John Tromp's table of Connect-4 results by board size."""
    game = ConnectFour(6, 4)
    assert (
        search(game, game.initial_state(), ProofNumber(), Limits(seconds=60), variation=False).value == -1.0
    )


@pytest.mark.parametrize("nodes", [1, 2, 5, 100, 3000])
def test_stopped_early_it_names_a_legal_move_and_claims_nothing(nodes):
    game = ConnectFour(6, 4)
    result = Searcher(game, ProofNumber()).search(game.initial_state(), Limits(nodes=nodes))
    assert not result.exact
    assert not result.complete
    assert result.bounds == (-1.0, 1.0)
    assert result.best_action(0) in range(6)
