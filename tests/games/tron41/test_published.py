"""The course's two simplest bots."""

from collections import Counter

import pytest

from helpers.tron_positions import Cells, board, random_positions
from saddlepoint import LightRiders
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import ACTIONS
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
