"""Every named player of every game keeps to a limit of positions, its special searches included."""

import pytest
from player_limits import measured, subjects

from saddlepoint.algorithms import Limits
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.catalogue.games import make_game

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="whole games")
UNCOUNTED = {"random", "wall", "safe", "snake_starter", "snake_space"}
"""Players that look at no position but the one they are in."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "player"), subjects(), ids=str)
def test_no_move_visits_more_positions_than_it_may(game, player):
    for nodes in (1, 200):
        longest = measured(game, player, Limits(nodes=nodes), 80, 2)
        # Two games; some are over after one move, and one in which somebody is caught after any.
        assert longest.moves >= (2 if game == "pursuit_evasion" else min(6, 2 * make_game(game).max_depth))
        assert (longest.nodes is None) == (player in UNCOUNTED)
        assert (
            longest.nodes is None or longest.nodes <= nodes + 1
        )  # the position at which it stops is counted
