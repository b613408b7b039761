"""The course's two simplest bots, and our player when the players stay separated."""

import random
from collections import Counter

import pytest

from helpers.tron_positions import Cells, board, random_positions, started
from saddlepoint import CHANCE, TERMINAL, LightRiders, Limits
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import ACTIONS, Tron41, TronControl
from saddlepoint.games.tron41.players import SurvivalPlan
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock

CLOCK = Clock(1.0, 0.0)


def choices(spec, game, state, seeds=64):
    """How often the player moves where, over many games."""
    player = make_player(spec, game)
    counts = Counter()
    for seed in range(seeds):
        player.begin(game, state.turn, seed)
        counts[ACTIONS[player.choose(state, CLOCK)]] += 1
    return counts


STUCK = ("#####", "# x #", "#x1x#", "# x2#", "#####")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("spec", "rows", "armor", "directions"),
    [
        # Up and left lie in the open; on the right there is the block below, below there is the block beside.
        pytest.param(
            "wall",
            ("########", "#      #", "#      #", "#  1   #", "#   #  #", "#      #", "#2     #", "########"),
            0,
            "RD",
            id="wall prefers targets with fewer than three safe continuations",
        ),
        pytest.param("wall", STUCK, 1, "U", id="wall goes up where nothing is safe even with armor"),
        pytest.param("safe", STUCK, 1, "U", id="safe too"),
    ],
)
def test_a_simple_bot_goes(spec, rows, armor, directions):
    game, state = board(*rows)
    assert set(choices(spec, game, state._replace(armor0=armor))) == set(directions)


def test_wall_takes_any_safe_direction_in_the_open_and_keeps_it_for_the_game():
    empty = "#       #"
    game, state = board("#########", *[empty] * 3, "#   1   #", *[empty] * 3, "#2      #", "#########")
    counts = choices("wall", game, state, 200)
    assert set(counts) == set("UDLR")
    assert all(count > 20 for count in counts.values())
    player = make_player("wall", game)
    player.begin(game, 0, 5)
    assert len({player.choose(state, CLOCK) for _ in range(20)}) == 1


def test_safe_is_uniform_over_safe_actions():
    game, state = board("#####", "#   #", "#x1 #", "# x2#", "#####")
    counts = choices("safe", game, state._replace(armor0=1), 400)
    assert set(counts) == {"U", "R"}
    assert all(150 < count < 250 for count in counts.values())


def test_wall_follows_its_rule_in_random_positions():
    game, states = random_positions("hunger_games", 100, seed=3)
    for state in states:
        player = make_player("wall", game)
        player.begin(game, state.turn, 9)
        action = player.choose(state, CLOCK)
        safe = game.safe_actions(state, state.turn)
        hugging = [a for a in safe if len(continuations(game, state, a)) < 3]
        assert action in (hugging or safe or [ACTIONS.index("U")])


def continuations(game, state, action):
    cells = Cells(game, state)
    (r, c), (dr, dc) = cells.heads[state.turn], [(-1, 0), (0, 1), (1, 0), (0, -1)][action]
    return [cell for cell in cells.around((r + dr, c + dc)) if cells.is_free(cell)]


def test_they_play_tron41_only():
    with pytest.raises(SpecError, match="wall plays tron41, not light_riders"):
        make_player("wall", LightRiders())


# -- survival ------------------------------------------------------------------------------------------------------------

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
