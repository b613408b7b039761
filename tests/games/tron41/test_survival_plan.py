"""Our player when the players stay separated."""

import random

import pytest

from helpers.tron_positions import started
from saddlepoint import CHANCE, TERMINAL, Limits
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import Tron41, TronControl
from saddlepoint.games.tron41.survival import SurvivalPlan
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock

ENDLESS = Clock(1e9, 0.0)


@pytest.mark.compiles_long
@pytest.mark.plain
def test_a_room_without_power_ups_is_filled_by_a_path_proven_longest():
    game, state = started("########", "#      #", "# 1    #", "#   x  #", "########", "#2     #", "########")
    plan, steps = SurvivalPlan(TronControl()), 0
    while (action := plan.next_action(game, state, 0, None, 5000)) is not None:
        assert plan.proven
        plan.follow(game, state, 0, action)
        state = game.with_turn(game.next_state(state, action), 0)
        steps += 1
    assert steps == 16  # every free cell


@pytest.mark.compiles_long
@pytest.mark.plain
def test_a_plan_is_dropped_where_the_board_changed_also_in_a_forced_move():
    corridor = ["########", "#1     #", "########", "########", "########", "#2     #", "########"]
    game, state = started(*corridor)
    plan, right = SurvivalPlan(TronControl()), 1
    assert plan.next_action(game, state, 0, None, 2000) == right
    plan.follow(game, state, 0, right)
    # A trap of the other player's falls into the corridor.
    state = game.from_text("\n".join(["########", "#x1 x  #", *corridor[2:]]))
    plan.follow(game, state, 0, right)
    state = game.with_turn(game.next_state(state, right), 0)
    assert plan.next_action(game, state, 0, None, 2000) is None


@pytest.mark.compiles_long
@pytest.mark.parametrize("opponent", [pytest.param("safe", marks=pytest.mark.slow), "wall"])
def test_best_never_crashes_while_there_is_a_way(opponent):
    game = Tron41("divider")
    best, other = make_player("best", game, Limits(nodes=300)), make_player(opponent, game)
    for seed in range(2):
        draw, state, mine = random.Random(seed), game.initial_state(seed), seed % 2
        best.begin(game, mine, seed)
        other.begin(game, 1 - mine, seed)
        while (node := game.current_player(state)) != TERMINAL:
            if node == CHANCE:
                state = game.next_state(state, draw.randrange(game.trap_choices(state)))
                continue
            action = Answer.of((best if node == mine else other).choose(state, ENDLESS)).action
            if node == mine and game.head(game.next_state(state, action), mine) < 0:
                assert not game.safe_actions(state, mine, game.armor(state, mine) > 0)
            state = game.next_state(state, action)
