"""The principal variation goes on as deep as the search looked, past what chance draws."""

import pytest

from saddlepoint.algorithms import BackwardInduction, Limits, search
from saddlepoint.algorithms.result import continued
from saddlepoint.game.base import CHANCE
from saddlepoint.games import Goofspiel, TicTacToe

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("depth", [1, 2])
def test_what_chance_draws_is_in_the_line_and_counts_as_no_depth(depth):
    game = Goofspiel(3)
    state = game.initial_state()
    result = search(game, state, BackwardInduction(), Limits(depth=depth))
    assert result.depth == depth
    chose = []
    for joint in result.principal_variation:
        chose.append(game.current_player(state) != CHANCE)
        state = game.next_state(state, *joint)
    assert (sum(chose), all(chose)) == (depth, False)


@pytest.mark.parametrize("told", [None, ({}, {})])
def test_where_a_search_tells_no_action_the_line_ends(told):
    """A value may come from the table, and no action with it."""
    game = TicTacToe()
    state = game.initial_state()
    assert continued(game, state, (), ({4: 1.0}, {}), 3, lambda state, depth: told) == ((4, -1),)
    assert continued(game, state, (), ({}, {}), 3, lambda state, depth: told) == ()
