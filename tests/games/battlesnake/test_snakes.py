"""The Battlesnake players that follow rules."""

import random
from collections import Counter

import numpy as np
import pytest

from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.game import DIRECTIONS
from saddlepoint.games.catalogue.make import make_player
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


def test_starter_avoids_its_neck_and_nothing_else():
    # The wall is on the left, the other snake above.
    text = position("0,3 0,2 0,1", "1,4 0,4 0,5")
    assert set(choices("snake_starter", text)) == {"up", "right", "left"}


def test_starter_goes_anywhere_from_its_first_cell():
    text = position("1,1 1,1 1,1", "5,5 5,5 5,5")
    assert set(choices("snake_starter", text)) == set(DIRECTIONS)


def test_space_goes_into_the_larger_room():
    # Its own body parts the board: one column is on the left.
    text = position("1,0 1,1 1,2 1,3 1,4 1,5 1,6 1,6", "6,6 6,5 6,4")
    assert set(choices("snake_space", text)) == {"right"}


def test_space_follows_a_tail_that_moves_on_but_not_one_that_stays():
    ring = "0,0 0,1 1,1 1,0"
    assert set(choices("snake_space", position(ring, "5,5 5,4 5,3"))) == {"right"}
    # A tail that is doubled stays: the only other way is the wall.
    assert choices("snake_space", position(ring + " 1,0", "5,5 5,4 5,3"))["right"] < 40


@pytest.mark.parametrize(("length", "feared"), [(3, True), (2, False)])
def test_space_keeps_away_from_the_head_of_a_snake_at_least_as_long(length, feared):
    # Both can enter 3,3; food lies there.
    other = " ".join(["4,3", "5,3", "6,3"][:length])
    found = choices("snake_space", position("2,3 1,3 0,3", other, food="3,3", health=(20, 90)))
    assert ("right" in found) != feared


def test_space_goes_to_food_when_it_is_hungry_or_not_longer():
    # Food is two cells to the left; the larger share of the board on the right does not matter, all of it is one room.
    longer = "3,3 3,4 3,5 3,6 4,6"
    assert set(choices("snake_space", position(longer, "6,0 6,1 6,2", food="1,3", health=(30, 90)))) == {
        "left"
    }
    assert len(choices("snake_space", position(longer, "6,0 6,1 6,2", food="1,3", health=(90, 90)))) > 1
    assert set(choices("snake_space", position("3,3 3,4", "6,0 6,1 6,2", food="1,3", health=(90, 90)))) == {
        "left"
    }


@pytest.mark.parametrize("mode", ["standard", "wrapped", "constrictor", "royale"])
def test_both_play_whole_games_in_every_mode(mode):
    game = Battlesnake(7, 7, mode=mode, map="empty" if mode == "constrictor" else "standard", max_rounds=120)
    players = [make_player("snake_space", game), make_player("snake_starter", game)]
    drawn = random.Random(5)
    won = 0
    for seed in range(6):
        state = game.initial_state(seed)
        for seat, player in enumerate(players):
            player.begin(game, seat, seed)
        while game.players_to_act(state) or game.current_player(state) == -1:
            if game.players_to_act(state):
                state = game.next_state(state, *(player.choose(state, CLOCK) for player in players))
            else:
                state = game.next_state(
                    state, int(game.drawn_outcome(state, np.uint64(drawn.getrandbits(64))))
                )
        won += game.returns(state) > 0
    assert won >= 5
