"""The named players of Battlesnake, against each other."""

import pytest

from saddlepoint.algorithms import Limits
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.plain


@pytest.mark.compiles_long
def test_voronoi_does_not_enter_the_cell_that_a_longer_snake_may_enter():
    text = "battlesnake 7x7 round 9\nsnake 0 health 90: 2,3 1,3 0,3\nsnake 1 health 90: 4,3 5,3 6,3 6,2\nfood: 3,3"
    game = Battlesnake(7, 7)
    player = make_player("snake_voronoi", game, Limits(depth=2))
    player.begin(game, 0, 1)
    answer = player.choose(game.from_text(text), Clock(0.0, 5.0))
    assert game.action_to_string(None, 0, answer.action) in ("up", "down")
