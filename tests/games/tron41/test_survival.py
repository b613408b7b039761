"""The longest survival of one player in Tron-41: against trying everything."""

import random

import pytest

from helpers.sizes import scaled
from helpers.tron_positions import started
from saddlepoint.games.tron41 import Tron41, TronControl
from saddlepoint.games.tron41.survival import plan_survival, stay_separated

pytestmark = pytest.mark.compiles_long

GUIDE = TronControl()


APART = ("#######", "#  x  #", "# 1x2 #", "#  x  #", "#######")
"""The small positions here are of this size: each size is compiled anew."""
WALLED = ("#######", "#  #  #", "# 1#2 #", "#  #  #", "#######")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("rows", "status", "apart"),
    [
        # Barriers part the players until somebody can open them.
        (APART, {}, True),
        ((*APART[:1], "#* x ^#", *APART[2:]), {}, True),
        (APART, {"armor1": 1}, False),
        ((*APART[:1], "#@ x  #", *APART[2:]), {}, False),
        ((*APART[:3], "#  x !#", *APART[4:]), {}, False),
        ((*APART[:1], "#     #", *APART[2:]), {}, False),
        # Walls part them for good.
        (WALLED, {"armor0": 1}, True),
        ((*WALLED[:1], "#! # @#", *WALLED[2:]), {}, True),
        # What nobody reaches does not count.
        (("#######", "#1x2x!#", "#  x x#", "# x  x#", "#######"), {}, True),
    ],
)
def test_players_stay_separated_until_somebody_can_open_what_parts_them(rows, status, apart):
    assert bool(stay_separated(*started(*rows, **status))) == apart


def traps_taken(before, after):
    return sum(word.bit_count() for word in before.traps) - sum(word.bit_count() for word in after.traps)


def most_alone(game, state, player):
    """The best worth of all lines, by trying everything: handed over turns, and traps taken."""
    armored, best = game.armor(state, player) > 0, 0.0
    for action in game.safe_actions(state, player, armored):
        child = game.next_state(state, action)
        worth = (0.0 if game.speed(state, player) else 1.0) + GUIDE.trap_separated * traps_taken(state, child)
        best = max(best, worth + most_alone(game, game.with_turn(child, player), player))
    return best


def replayed(game, state, player, actions):
    """The worth of a line whose every step must survive."""
    worth, state = 0.0, game.with_turn(state, player)
    for action in actions:
        child = game.next_state(state, action)
        assert game.head(child, player) >= 0
        worth += (0.0 if game.speed(state, player) else 1.0) + GUIDE.trap_separated * traps_taken(
            state, child
        )
        state = game.with_turn(child, player)
    return worth


def small_position(draw):
    """A player in a room of 3x3 with barriers and at most two power-ups, the other elsewhere."""
    room = [draw.choice("    x") for _ in range(9)]
    for place in draw.sample(range(9), draw.randrange(3)):
        room[place] = draw.choice("!@^*")
    room[draw.randrange(9)] = "1"
    rows = ["#" + "".join(room[3 * y : 3 * y + 3]) + ("#2#" if y == 0 else "# #") for y in range(3)]
    return started("#######", *rows, "#######", armor0=draw.randrange(2), speed0=draw.choice((0, 0, 2)))


def test_a_beam_as_wide_as_all_positions_finds_the_longest_life():
    draw, with_bomb = random.Random(5), 0
    for _ in range(scaled(30, 3)):
        game, state = small_position(draw)
        with_bomb += any(int(word) for word in state.bombs)
        found = plan_survival(game, GUIDE, state, 0, width=2048, widest=2048)
        assert found.value == most_alone(game, state, 0) == replayed(game, state, 0, found.actions)
    assert with_bomb > 0


def test_wider_beams_last_no_less_and_every_plan_can_be_played():
    game = Tron41("divider")
    for seed in range(scaled(3, 1)):
        state, player = game.initial_state(seed), seed % 2
        narrow = plan_survival(game, GUIDE, state, player, widest=3)
        wide = plan_survival(game, GUIDE, state, player, widest=9)
        assert narrow.value <= wide.value
        for found in (narrow, wide):
            assert replayed(game, state, player, found.actions) == found.value


@pytest.mark.plain
@pytest.mark.parametrize("nodes", [1, 20, 300])
def test_no_more_positions_are_visited_than_allowed_and_what_was_found_can_be_played(nodes):
    game = Tron41("small_room")
    state = game.initial_state(1)
    found = plan_survival(game, GUIDE, state, 0, nodes=nodes)
    assert found.nodes <= nodes + 1  # the one that is refused is counted
    assert (len(found.actions) > 0) == (nodes > 1)
    replayed(game, state, 0, found.actions)
    assert plan_survival(game, GUIDE, state, 0, nodes=nodes).actions == found.actions


@pytest.mark.plain
def test_a_bomb_is_kept_for_the_end():
    game, state = started("#######", "#! # 2#", "# 1#  #", "#  #  #", "#######")
    found = plan_survival(game, GUIDE, state, 0, width=64, widest=64)
    assert found.value == most_alone(game, state, 0) == replayed(game, state, 0, found.actions)
    places = []
    for action in found.actions:
        state = game.with_turn(game.next_state(state, action), 0)
        places.append(game.position(state, 0))
    assert places.index((1, 1)) >= 3  # with most of the room behind it
    assert len(found.actions) > 5
