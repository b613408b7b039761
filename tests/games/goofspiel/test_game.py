"""Goofspiel: its bounds, chances, parameters and text."""

import random

import numpy as np
import pytest

from helpers.recorded_games import random_game
from helpers.sizes import COMPILED_ONLY
from saddlepoint.game.base import CHANCE
from saddlepoint.games.goofspiel import Goofspiel, State

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAMES = (
    Goofspiel(1),
    Goofspiel(4),
    pytest.param(Goofspiel(4, "random", "points"), marks=pytest.mark.compiles_soon),
    Goofspiel(5, "descending"),
    Goofspiel(5, "ascending", "points"),
    Goofspiel(5, "3 1 5 2 4"),
    Goofspiel(4, "descending", "points", lowest=0),
    Goofspiel(13, "ascending", lowest=2),
    Goofspiel(6, "random", "points", lowest=-3),
    Goofspiel(13, "descending", "points", lowest=-100),
)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_nobody_gets_further_than_by_all_prizes_that_are_left(game):
    draw = random.Random(3)
    for _ in range(12):
        states, _ = random_game(game, draw)
        for state in states:
            left = [card for card in range(game.cards) if state.deck >> card & 1 or state.prize == card]
            reach = sum(abs(card + game.lowest) for card in left)
            bounds = [state.points - reach, state.points + reach]
            assert list(game.bounds(state)) == (bounds if game.utility == "points" else [*np.sign(bounds)])
            if game.current_player(state) == CHANCE:
                shares = [share for _, share in game.chance_outcomes(state)]
                assert shares == pytest.approx([1 / len(left)] * len(left))
        assert game.min_utility <= game.returns(states[-1]) <= game.max_utility
        assert len(states) - 1 == (2 if game.order == "random" else 1) * game.cards <= game.max_depth


def test_parameters():
    assert (Goofspiel(5).max_utility, Goofspiel(5, "random", "points").max_utility) == (1, 15)
    assert Goofspiel(4, "random", "points", lowest=0).min_utility == -6
    assert Goofspiel(3, "2 0 1", lowest=0).initial_state() == State(7, 7, 0b011, 2, 0)


@COMPILED_ONLY
def test_different_positions_of_a_game_have_different_hashes():
    game = Goofspiel(6)
    states = [
        State(a, b, c, prize, points)
        for a in (0, 1, 5, 63)
        for b in (0, 1, 5, 63)
        for c in (0, 1, 5, 63)
        for prize in range(-1, 6)
        for points in range(-21, 22)
    ]
    assert len({int(game.hash(state)) for state in states}) == len(states)


def test_text():
    game = Goofspiel(3, lowest=2)
    state = State(0b101, 0b011, 0b010, 2, -4)
    assert game.render(state) == "prize 4   left 3   0: 2 4   1: 2 3   points -4"
    assert game.render(State(0, 0b111, 0, -1, 0)) == "prize -   left -   0: -   1: 2 3 4   points +0"
    assert game.action_to_string(state, 0, 2) == "4"
    assert game.to_text(state) == "goofspiel hand0=5 hand1=3 deck=2 prize=2 points=-4"
    assert game.from_text(" goofspiel hand1=3 hand0=5 deck=2 points=-4 prize=2\n") == state
    assert game.from_text("goofspiel hand0=7 hand1=0 deck=0 prize=-1 points=0") == State(7, 0, 0, -1, 0)
