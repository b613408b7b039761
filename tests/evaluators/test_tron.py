"""The evaluations of the bots that came with Tron-41, against their description."""

import math
from collections import deque

import pytest

from evaluators.tron_positions import MAPS, Cells, random_positions
from saddlepoint.evaluators import TronFreespace, TronOwnFill, TronTwoFills
from saddlepoint.game import TERMINAL
from saddlepoint.games.tron41 import Tron41


def freespace(cells):
    """Between 0 and 1, for player 0."""
    mine, yours = cells.distances(0), cells.distances(1)
    share = len(mine) / (len(mine) + len(yours)) if mine or yours else 0.5
    armor = {(1, 0): 1.0, (0, 1): 0.0}.get(tuple(cells.armor), 0.5)
    met = any(there in mine or there == cells.heads[0] for there in cells.around(cells.heads[1]))
    nearest = [min((n for cell, n in steps.items() if cells.mark(cell) != " "), default=None) for steps in (mine, yours)]
    if not met or nearest == [None, None]:
        return 0.90 * share + 0.10 * armor
    if None in nearest:
        powerup = 0.0 if nearest[0] is None else 1.0
    else:
        powerup = 1 - nearest[0] / (nearest[0] + nearest[1])
    return 0.85 * share + 0.05 * powerup + 0.10 * armor


@pytest.mark.parametrize("name", MAPS)
def test_tron_freespace_is_share_nearness_and_armor(name):
    game, states = random_positions(name, 120, seed=len(name))
    for state in states:
        cells = Cells(game, state)
        value = TronFreespace().evaluate(game, state)
        assert (value + 1) / 2 == pytest.approx(freespace(cells), abs=1e-12)
        space = len(cells.distances(0)) + len(cells.distances(1))
        assert TronFreespace().cutoff_depth(game, state) == (7 if space < 100 else 6 if space < 250 else 5)


@pytest.mark.plain
def test_tron_freespace_by_hand():
    rows = ["#############"] * 13
    rows[1:4] = ["#1   #########", "#    #########", "#  @2#########"]
    game = Tron41("\n".join(row[:13] for row in rows))
    state = game.initial_state()
    # Both reach ten cells; the armor is four steps from player 0 and one from player 1.
    assert (TronFreespace().evaluate(game, state) + 1) / 2 == pytest.approx(0.85 / 2 + 0.05 / 5 + 0.10 / 2)
    armed = state._replace(armor0=1)
    assert (TronFreespace().evaluate(game, armed) + 1) / 2 == pytest.approx(0.85 / 2 + 0.05 / 5 + 0.10)
    assert TronFreespace().cutoff_depth(game, state) == 7


def queue_fill(cells, player):
    """How many cells each head of one queue gets, the player's own first."""
    owner = {cells.heads[player]: player, cells.heads[1 - player]: 1 - player}
    waiting = deque(owner)
    while waiting:
        cell = waiting.popleft()
        for there in cells.around(cell):
            if cells.is_free(there) and there not in owner:
                owner[there] = owner[cell]
                waiting.append(there)
    return [sum(who == p for who in owner.values()) - 1 for p in (player, 1 - player)]


@pytest.mark.parametrize("name", MAPS)
def test_the_leaves_of_the_two_three_ply_opponents(name):
    game, states = random_positions(name, 80, seed=len(name), finished=True)
    ended = 0
    for state in states:
        for player in (0, 1):
            views = [fill().evaluate_for(game, state, player) for fill in (TronOwnFill, TronTwoFills)]
            if game.current_player(state) == TERMINAL:
                ended += 1
                assert views == [game.returns(state) * (1 - 2 * player)] * 2
                continue
            cells = Cells(game, state)
            own = len(cells.distances(player))
            mine, yours = queue_fill(cells, player)
            expected = [own / 200, (50 + mine - yours) / 200]
            assert [(view + 1) / 2 for view in views] == pytest.approx([1 / (1 + math.exp(-x)) for x in expected])
    assert ended > 0
