"""The named player of Goofspiel draws from equilibria."""

from collections import Counter

import pytest

from saddlepoint.algorithms import BackwardInduction, Limits, search
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.players.clock import Clock


@pytest.mark.plain
def test_best_draws_its_cards_from_the_equilibrium():
    """Three cards, the highest prize last: more than one card is played, each as often as the equilibrium says."""
    game = Goofspiel(3, "ascending", "points")
    state = game.next_state(game.initial_state(), 0, 2)
    expected = search(game, state, BackwardInduction(table=False)).strategy(0)
    assert expected == pytest.approx({1: 0.6, 2: 0.4})
    player, drawn = make_player("best", game, Limits(depth=6)), Counter()
    for seed in range(120):
        player.begin(game, 0, seed)
        drawn[player.choose(state, Clock(60.0, 60.0)).action] += 1
    assert {card: count / 120 for card, count in drawn.items()} == pytest.approx(expected, abs=0.2)
