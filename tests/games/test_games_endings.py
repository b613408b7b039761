"""What became of the players at the end, in words."""

import random

import pytest
from undercut import Undercut

from helpers.recorded_games import random_game
from saddlepoint import (
    CHANCE,
    TERMINAL,
    Battlesnake,
    BiasedRPS,
    ConnectFour,
    LightRiders,
    OshiZumo,
    RubiksFlip,
    Simplexity,
    Soccer,
    TicTacToe,
    Tron,
    Tron41,
)
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.play.record import reasons


def ended(game, state, *actions):
    states = [state]
    for joint in actions:
        states.append(game.next_state(states[-1], *joint))
    assert game.current_player(states[-1]) == TERMINAL
    return [None if one is None else one.words for one in game.ending(states)]


UP, RIGHT, DOWN, LEFT = range(4)


def snake(body0, body1, food="0,6", health0=90):
    return f"battlesnake 7x7 round 20\nsnake 0 health {health0}: {body0}\nsnake 1 health 90: {body1}\nfood: {food}"


RIDERS, SNAKES = LightRiders(7, 7), Battlesnake(7, 7)
SHUT_IN = "light_riders 4x3 round 2 facing up left alive 01\n0xxx\nx..1\n...."
OTHER = pytest.mark.compiles_long


def heads(*cells):
    return RIDERS.to_text(RIDERS.initial_state(heads=cells))


@pytest.mark.parametrize(
    ("game", "text", "actions", "told"),
    [
        (RIDERS, heads((0, 3), (4, 3)), [(LEFT, UP)], ["left the field", None]),
        (
            RIDERS,
            heads((1, 5), (6, 6)),
            [(UP, LEFT), (RIGHT, LEFT), (DOWN, UP), (LEFT, UP)],
            ["ran into its own trail", None],
        ),
        (RIDERS, heads((1, 3), (4, 4)), [(RIGHT, UP)] * 3, ["ran into the other rider's trail", None]),
        (RIDERS, heads((2, 3), (4, 3)), [(RIGHT, LEFT)], ["met the other rider"] * 2),
        (LightRiders(4, 3), SHUT_IN, [(RIGHT, LEFT)], ["was shut in and ran into a trail", None]),
        (SNAKES, snake("0,3 1,3 2,3", "5,5 5,4 5,3"), [(LEFT, UP)], ["left the board", None]),
        (
            SNAKES,
            snake("3,3 3,2 4,2 4,3 4,4 3,4 2,4", "6,5 6,4 6,3"),
            [(RIGHT, UP)],
            ["ran into its own body", None],
        ),
        (SNAKES, snake("4,4 3,4 2,4", "5,5 5,4 5,3 5,2"), [(RIGHT, UP)], ["ran into the other snake", None]),
        (
            SNAKES,
            snake("3,4 2,4 1,4", "5,4 6,4 6,3 6,2"),
            [(RIGHT, LEFT)],
            ["met the other snake head to head, which was longer", None],
        ),
        (
            SNAKES,
            snake("0,0 0,1 1,1 1,0 2,0 2,1", "6,5 6,4 6,3"),
            [(UP, UP)],
            ["was shut in: no way on was left", None],
        ),
        (
            SNAKES,
            snake("3,3 3,2 3,1", "6,5 6,4 6,3", "0,6 1,6", 1),
            [(UP, UP)],
            ["starved with 2 pieces of food on the board", None],
        ),
        pytest.param(TicTacToe(), "xx./oo./...", [(2,)], ["has three in a row", None], marks=OTHER),
        pytest.param(
            ConnectFour(4, 4), "....\nx...\nxo..\nxoo.", [(0,)], ["has four in a row", None], marks=OTHER
        ),
        pytest.param(
            Tron(3, 3),
            "0..\n...\n..1",
            [(RIGHT, LEFT), (DOWN, UP)],
            ["met the other head to head"] * 2,
            marks=OTHER,
        ),
    ],
)
def test_at_the_end_it_is_told_what_became_of_whom(game, text, actions, told):
    assert ended(game, game.from_text(text), *actions) == told


def test_a_starved_snake_is_told_since_when_it_had_not_eaten():
    game = Battlesnake(7, 7)
    # Both eat in turn 20, then go round in circles.
    states = [game.from_text(snake("3,3 3,2 3,1", "5,5 5,4 5,3", "3,4 5,6"))]
    circle = (UP, RIGHT, DOWN, LEFT)
    while game.current_player(states[-1]) != TERMINAL:
        state = states[-1]
        if game.current_player(state) == CHANCE:
            states.append(game.next_state(state, game.chance_outcomes(state)[0][0]))
        else:
            way = circle[(state.round - 20) % 4]
            states.append(game.next_state(state, way, way))
    ending = game.ending(states)[0]
    assert ending.words.endswith("it had not eaten since turn 21")
    assert states[ending.since].round == 21


@pytest.mark.compiles_long
@pytest.mark.parametrize(
    "game", [LightRiders(6, 6), Battlesnake(7, 7), Tron(5, 5), Tron41()], ids=lambda game: game.name
)
@pytest.mark.parametrize("seed", range(6))
def test_where_one_rider_is_left_the_other_has_an_ending_and_it_has_none(seed, game):
    states, _ = random_game(game, random.Random(seed))
    result, endings = game.returns(states[-1]), game.ending(states)
    if result != 0:
        loser = 0 if result < 0 else 1
        assert endings[loser] is not None and endings[loser].words
        assert endings[1 - loser] is None


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Simplexity()], ids=lambda game: game.name)
@pytest.mark.parametrize("seed", range(6))
def test_where_a_line_wins_the_winner_has_it(seed, game):
    states, _ = random_game(game, random.Random(seed))
    result, endings = game.returns(states[-1]), game.ending(states)
    assert [one is not None for one in endings] == [result > 0, result < 0]


def test_a_game_that_says_nothing_has_no_endings():
    game = Undercut()
    states, _ = random_game(game, random.Random(1))
    assert game.ending(states) == (None, None)
    assert reasons(game, states, ("a", "b")) == []


SMALL = {
    "light_riders": {"width": 5, "height": 5, "max_rounds": 3},
    "simplexity": {"rows": 3, "cols": 3, "win": 3},
    "goofspiel": {"cards": 3},
    "battlesnake": {"width": 7, "height": 7, "max_rounds": 6},
    "oshi_zumo": {"coins": 5, "size": 2},
    "tron": {"width": 4, "height": 4},
    "random_game": {"depth": 2},
    "connect_four": {"columns": 3, "rows": 3, "line": 3},
    "othello": {"size": 4},
    "soccer": {"width": 3, "height": 2, "max_moves": 4},
}
"""Sizes at which random games are short, and end in several ways."""


@pytest.mark.parametrize("name", GAMES)
def test_every_end_of_every_game_says_why(name):
    game = make_game(name, **SMALL.get(name, {}))
    for seed in range(20):
        told = reasons(game, random_game(game, random.Random(seed))[0], ("Ann", "Bob"))
        assert told
        assert all(sentence.endswith(".") and "player 0" not in sentence for sentence in told)
        assert reasons(game, [game.initial_state()], ("Ann", "Bob")) == []


@pytest.mark.parametrize(
    ("game", "text", "told"),
    [
        (
            Soccer(),
            "...../.a.../...B./..... 1 drawn",
            ["A draw was declared: that happens after a move with probability 0.1."],
        ),
        (Soccer(max_moves=9), "...../.a.../...B./..... 9", ["The limit of 9 moves is reached."]),
        (Soccer(), "...../...../....A/b.... 6 goal of 0", ["Ann carried the ball into the goal."]),
        (TicTacToe(), "xox/xxo/oxo", ["The board is full, and nobody has three in a row."]),
        (OshiZumo(), "(0, 3, 4)", ["The wrestler was pushed off Bob's end of the board."]),
        (OshiZumo(), "(0, 0, -2)", ["No coins are left, and the wrestler stands in Ann's half."]),
        (BiasedRPS(), "(1, 0)", ["Paper wraps rock, worth 25."]),
        (BiasedRPS(), "(2, 2)", ["Both showed scissors."]),
        (
            RubiksFlip(),
            "RBRB/WYWY/BRBR/YWYW",
            ["All tiles are placed, and nobody has three locked in a row."],
        ),
    ],
)
def test_draws_and_other_ends_that_are_nobodys_doing(game, text, told):
    assert reasons(game, [game.from_text(text)], ("Ann", "Bob")) == told
