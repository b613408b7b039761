"""`best` beats simple players in games, with few nodes a move: who knew nothing beyond its search's horizon did not."""

import numpy as np
import pytest
from plain_bots import PlainBot

from helpers.points import points
from saddlepoint.algorithms import Limits
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.connect_four import ConnectFour
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.othello import PASS, Othello
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.slow

CLOCKS = Clock(60.0, 60.0), Clock(60.0, 60.0)


def share_of_best(game, rival, games, limits):
    """The share of the points that `best` gets against a bot."""
    return points(game, (make_player("best", game, limits), PlainBot(rival)), games, CLOCKS) / games


@pytest.mark.parametrize("size", [6, 8])
def test_othello_against_a_table_of_square_values(size):
    """100 for a corner, 10 on the edge, -20 next to a corner and -50 diagonally; random among equals."""
    values = np.array([[100, -20, 10], [-20, -50, -2], [10, -2, -1]])

    def table(game, state, player, draw):
        def worth(action):
            from_edge = [min(place, size - 1 - place, 2) for place in (action % 8, action // 8)]
            return (0 if action == PASS else values[from_edge[1], from_edge[0]]) + 0.5 * draw.random()

        return max(game.legal_actions(state, player), key=worth)

    assert share_of_best(Othello(size), table, 20, Limits(nodes=300)) >= 0.85


@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (9, 6)])
def test_connect_four_against_who_looks_one_disc_ahead(columns, rows):
    """It wins at once, stops a win at once, and else takes a column near the middle; random among equals."""

    def careful(game, state, player, draw):
        actions = game.legal_actions(state, player)
        draw.shuffle(actions)
        for mover in (player, 1 - player):
            for action in actions:
                if game.next_state(state._replace(turn=mover), action).winner == mover:
                    return action
        return min(actions, key=lambda action: abs(2 * action - columns + 1))

    assert share_of_best(ConnectFour(columns, rows), careful, 30, Limits(nodes=300)) >= 0.9


@pytest.mark.parametrize("cards", [8, 13])
@pytest.mark.parametrize("more", [0, 1])
def test_goofspiel_against_who_bids_what_the_prize_is_worth(cards, more):
    """Or one more. An equilibrium has at least half of the points, but for chance (200 games: 4 standard errors are 0.14)."""

    def bidder(game, state, player, draw):
        return min(
            game.legal_actions(state, player), key=lambda card: (abs(card - state.prize - more), -card)
        )

    assert share_of_best(Goofspiel(cards), bidder, 200, Limits(depth=1)) >= 0.5 - 0.14
