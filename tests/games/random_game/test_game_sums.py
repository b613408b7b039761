"""A random game by what its path is worth so far."""

import pytest

from saddlepoint.games.random_game import RandomGame, Sums

pytestmark = pytest.mark.plain


def test_with_sums_a_position_is_worth_what_the_joint_actions_so_far_brought():
    game = RandomGame(actions=3, depth=5, utility="sums", seed=4)
    state, seen = game.initial_state(), set()
    for step in range(5):
        worth = Sums().evaluate(game, state)
        assert worth == state.sum
        seen.add(worth)
        state = game.next_state(state, step % 3, (2 * step + 1) % 3)
    assert len(seen) > 1
    assert Sums().evaluate(game, state) == game.returns(state)


def test_without_them_nothing_is_known_before_the_end():
    game = RandomGame(actions=3, depth=5, seed=4)
    assert Sums().evaluate(game, game.initial_state()) == 0.5


def test_how_it_is_played_says_what_its_results_can_be() -> None:
    text = " ".join(RandomGame().how_to_play)
    assert "with utility uniform" in text and "with sums" in text
