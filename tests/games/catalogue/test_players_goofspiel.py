"""The named player of Goofspiel draws from equilibria."""

from collections import Counter

import numpy as np
import pytest

from saddlepoint.algorithms import BackwardInduction, Limits, search
from saddlepoint.game.base import CHANCE, SIMULTANEOUS
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.players.clock import Clock


def positions(game, count, seed):
    draw = np.random.default_rng(seed)
    for _ in range(count):
        state = game.initial_state()
        for _ in range(int(draw.integers(0, 2 * game.cards - 1))):
            node = game.current_player(state)
            if node == CHANCE:
                state = game.next_state(
                    state, int(draw.choice([outcome for outcome, _ in game.chance_outcomes(state)]))
                )
            elif game.players_to_act(state):
                state = game.next_state(
                    state, *(int(draw.choice(game.legal_actions(state, p))) for p in (0, 1))
                )
        if game.players_to_act(state):
            yield state


@pytest.mark.plain
def test_best_draws_its_cards_from_the_equilibrium():
    """Three cards, the highest prize last: more than one card is played, each as often as the equilibrium says."""
    game = Goofspiel(3, "ascending", "points")
    states = [state for state in positions(game, 60, 4) if game.current_player(state) == SIMULTANEOUS]
    mixed = next(
        (state, found)
        for state in states
        if max((found := search(game, state, BackwardInduction(table=False)).strategy(0)).values()) < 0.9
    )
    state, expected = mixed
    player, drawn = make_player("best", game, Limits(depth=6)), Counter()
    for seed in range(120):
        player.begin(game, 0, seed)
        drawn[player.choose(state, Clock(60.0, 60.0)).action] += 1
    assert len(drawn) > 1
    for card, share in drawn.items():
        assert expected[card] == pytest.approx(share / 120, abs=0.2)
