"""The Battlesnake players that follow rules."""

from collections import Counter

import pytest

from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.game import DIRECTIONS
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.players.clock import Clock

CLOCK = Clock(1.0, 0.0)


def choices(spec, text, player=0, seeds=40):
    """How often the player moves where, over many games."""
    game = Battlesnake().fitted_to(text)
    state = game.from_text(text)
    chosen = make_player(spec, game)
    counts = Counter()
    for seed in range(seeds):
        chosen.begin(game, player, seed)
        counts[DIRECTIONS[chosen.choose(state, CLOCK)]] += 1
    return counts


def position(first, second, food="", size=7, health=(90, 90)):
    return f"battlesnake {size}x{size} round 9\nsnake 0 health {health[0]}: {first}\nsnake 1 health {health[1]}: {second}\nfood: {food}"


RING, LONGER = "0,0 0,1 1,1 1,0", "3,3 3,4 3,5 3,6 4,6"
AFAR, BELOW = "5,5 5,4 5,3", "6,0 6,1 6,2"
MOVES = [
    # The wall is on the left, the other snake above.
    pytest.param(
        "snake_starter",
        position("0,3 0,2 0,1", "1,4 0,4 0,5"),
        {"up", "right", "left"},
        id="starter avoids its neck and nothing else",
    ),
    pytest.param(
        "snake_starter",
        position("1,1 1,1 1,1", "5,5 5,5 5,5").replace("round 9", "round 0"),
        set(DIRECTIONS),
        id="starter goes anywhere from its first cell",
    ),
    # Its own body parts the board: one column is on the left.
    pytest.param(
        "snake_space",
        position("1,0 1,1 1,2 1,3 1,4 1,5 1,6 1,6", "6,6 6,5 6,4"),
        {"right"},
        id="space goes into the larger room",
    ),
    pytest.param("snake_space", position(RING, AFAR), {"right"}, id="space follows a tail that moves on"),
    # Food is two cells to the left; the larger share of the board on the right does not matter, all of it is one room.
    pytest.param(
        "snake_space",
        position(LONGER, BELOW, food="1,3", health=(30, 90)),
        {"left"},
        id="space goes to food when it is hungry",
    ),
    pytest.param(
        "snake_space",
        position("3,3 3,4", BELOW, food="1,3"),
        {"left"},
        id="space goes to food when it is not longer",
    ),
]


@pytest.mark.parametrize(("spec", "text", "moves"), MOVES)
def test_a_player_by_rules_moves(spec, text, moves):
    assert set(choices(spec, text)) == moves


def test_space_does_not_follow_a_tail_that_stays_and_leaves_food_when_it_is_longer():
    # A tail that is doubled stays: the only other way is the wall.
    assert choices("snake_space", position(RING + " 1,0", AFAR))["right"] < 40
    assert len(choices("snake_space", position(LONGER, BELOW, food="1,3"))) > 1


@pytest.mark.parametrize(("length", "feared"), [(3, True), (2, False)])
def test_space_keeps_away_from_the_head_of_a_snake_at_least_as_long(length, feared):
    # Both can enter 3,3; food lies there.
    other = " ".join(["4,3", "5,3", "6,3"][:length])
    found = choices("snake_space", position("2,3 1,3 0,3", other, food="3,3", health=(20, 90)))
    assert ("right" in found) != feared


@pytest.mark.parametrize("mode", ["standard", "wrapped", "constrictor", "royale"])
def test_both_play_whole_games_in_every_mode(mode):
    game = Battlesnake(7, 7, mode=mode, map="empty" if mode == "constrictor" else "standard", max_rounds=120)
    players = [make_player("snake_space", game), make_player("snake_starter", game)]
    results = []
    for seed in range(6):
        results.append(play_game(game, players, game.initial_state(seed), (CLOCK, CLOCK), seed).result)
    assert sum(result > 0 for result in results) >= 5
