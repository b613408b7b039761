"""The rules in their own words, and what every game promises; the games of the official rules are in test_games_recorded.py."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from helpers.sizes import COMPILED_ONLY
from saddlepoint import check_game
from saddlepoint.boards.grid import LEFT, RIGHT, UP, int_of, words_of
from saddlepoint.boards.images import board_on, pad_of
from saddlepoint.compiled import PLAIN_PYTHON, jit
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, GameError
from saddlepoint.games.battlesnake import CAUSES, Battlesnake
from saddlepoint.games.battlesnake.board import cells_in
from saddlepoint.games.battlesnake.rules import pad_clear, pad_has, pad_set

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
SMALL = Battlesnake(7, 7)


def position(lines, game=SMALL):
    return game.from_text(f"battlesnake {game.width}x{game.height} round 5\n{lines}")


def played(lines, action0, action1, game=SMALL):
    """The snakes after a round: (cells as written, health, cause) of each."""
    state = game.next_state(position(lines, game), action0, action1)
    shown = [line.partition(": ")[2] for line in game.to_text(state).splitlines()[1:3]]
    snakes = [game.snake(state, player) for player in (0, 1)]
    return [(cells, snake.health, CAUSES[snake.cause]) for cells, snake in zip(shown, snakes)]


FAR = "snake 1 health 90: 5,5 5,4 5,3"
FAR_ON = ("4,5 5,5 5,4", 89, "")
ROUNDS = [  # positions, moves, and of each snake: the cells, health and cause of death where they tell the rule
    pytest.param(
        f"snake 0 health 90: 1,1 1,2 2,2 2,1\n{FAR}\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2 2,2", 89, ""), FAR_ON],
        id="a tail moves on",
    ),
    pytest.param(
        f"snake 0 health 90: 1,1 1,2 2,2 2,1 2,1\n{FAR}\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2 2,2 2,1", 89, "snake-self-collision"), FAR_ON],
        id="a doubled tail stays",
    ),
    pytest.param(
        "snake 0 health 90: 1,1 1,0 0,0\nsnake 1 health 90: 2,3 2,2 2,1\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,0", 89, ""), ("1,3 2,3 2,2", 89, "")],
        id="a tail of the other snake makes room too",
    ),
    pytest.param(
        "snake 0 health 90: 1,1 1,0 0,0\nsnake 1 health 90: 2,3 2,2 2,1 2,1\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,0", 89, "snake-collision"), ("1,3 2,3 2,2 2,1", 89, "")],
        id="a doubled tail of the other snake does not",
    ),
    pytest.param(
        f"snake 0 health 1: 1,1 1,2 1,3\n{FAR}\nfood: 2,1",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2 1,2", 100, ""), FAR_ON],
        id="food fills and doubles the tail",
    ),
    pytest.param(
        "snake 0 health 9: 1,1 0,1 0,2\nsnake 1 health 9: 3,1 4,1 5,1 5,2\nfood: 2,1",
        (RIGHT, LEFT),
        [("2,1 1,1 0,1 0,1", 100, "head-collision"), ("2,1 3,1 4,1 5,1 5,1", 100, "")],
        id="both eat one piece and the longer head wins",
    ),
    pytest.param(
        "snake 0 health 9: 1,1 0,1 0,2\nsnake 1 health 9: 3,1 4,1 5,1\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 0,1", 8, "head-collision"), ("2,1 3,1 4,1", 8, "head-collision")],
        id="heads of equal snakes both die",
    ),
    pytest.param(
        "snake 0 health 1: 1,1 1,2 1,3\nsnake 1 health 90: 2,2 3,2 4,2\nfood:",
        (RIGHT, LEFT),
        [("2,1 1,1 1,2", 0, "out-of-health"), ("1,2 2,2 3,2", 89, "")],
        id="who starves is no obstacle",
    ),
    pytest.param(
        "snake 0 health 9: 0,1 1,1 1,2 1,3\nsnake 1 health 90: 2,2 3,2 4,2\nfood:",
        (LEFT, LEFT),
        [("-1,1 0,1 1,1 1,2", 8, "wall-collision"), ("1,2 2,2 3,2", 89, "")],
        id="who leaves the board is no obstacle",
    ),
    pytest.param(
        "snake 0 health 9: 1,1 1,2 1,3 1,4\nsnake 1 health 90: 2,2 3,2 4,2\nfood:",
        (UP, LEFT),
        [("1,2 1,1 1,2 1,3", 8, "snake-self-collision"), ("1,2 2,2 3,2", 89, "snake-collision")],
        id="who dies in a collision still kills",
    ),
]


@pytest.mark.parametrize(("lines", "moves", "expected"), ROUNDS)
def test_a_round_goes_as_the_rules_say(lines, moves, expected):
    assert played(lines, *moves) == expected


HURT = f"snake 0 health 60: 1,1 1,2 1,3\n{FAR}\n"


@pytest.mark.parametrize(
    ("more", "hazards", "health"),
    [
        ({}, "food:\nhazards: 2,1", (45, "")),
        ({}, "food:\nhazards: 2,1 2,1 2,1", (17, "")),
        ({}, "food: 2,1\nhazards: 2,1 2,1 2,1", (100, "")),
        ({"hazard_damage": 30}, "food:\nhazards: 2,1 2,1", (0, "hazard")),
        ({"hazard_damage": -100}, "food:\nhazards: 2,1", (100, "")),
    ],
)
def test_hazards_hurt_as_often_as_they_are_listed_and_not_where_food_lies(more, hazards, health):
    assert played(HURT + hazards, RIGHT, LEFT, Battlesnake(7, 7, hazard_stack=4, **more))[0][1:] == health


def test_hazards_are_piled_only_as_high_as_the_game_says():
    with pytest.raises(GameError, match="hazard_stack"):
        position(f"{HURT}food:\nhazards: 2,1 2,1")


@pytest.mark.parametrize(
    ("setting", "probability"), [(0, 0.0), (1, 0.0), (2, 0.01), (15, 0.14), (100, 0.99), (101, 1.0)]
)
def test_the_setting_of_food_means_one_in_a_hundred_less(setting, probability):
    assert Battlesnake(7, 7, food_spawn_chance=setting).food_probability == probability


def test_food_falls_on_free_cells_that_are_not_beside_a_head():
    state = SMALL.next_state(position(f"snake 0 health 90: 1,1 1,2 1,3\n{FAR}\nfood: 6,6"), RIGHT, LEFT)
    assert SMALL.current_player(state) == CHANCE
    outcomes = dict(SMALL.chance_outcomes(state))
    assert outcomes.pop(0) == 0.86
    taken = {(2, 1), (1, 1), (1, 2), (4, 5), (5, 5), (5, 4), (6, 6)}
    near = {(2, 2), (2, 0), (3, 1), (4, 6), (4, 4), (3, 5)}
    free = {(x, y) for x in range(7) for y in range(7)} - taken - near
    assert {((k - 1) % 7, (k - 1) // 7) for k in outcomes} == free
    assert all(abs(share - 0.14 / len(free)) < 1e-12 for share in outcomes.values())
    after = SMALL.next_state(state, 1 + 6)
    assert (SMALL.current_player(after), SMALL.outcome_to_string(state, 7)) == (SIMULTANEOUS, "food 6,0")
    assert SMALL.cell(6, 0) in cells_in(SMALL.grid, after.food)


def test_drawn_outcomes_are_distributed_as_listed_ones():
    state = SMALL.next_state(position(f"snake 0 health 90: 1,1 1,2 1,3\n{FAR}\nfood: 6,6"), RIGHT, LEFT)
    words = np.random.default_rng(1).integers(2**64, size=3000, dtype=np.uint64)
    with np.errstate(over="ignore"):
        drawn = Counter(int(SMALL.plain.drawn_outcome(state, word)) for word in words)
    expected = {outcome: 3000 * share for outcome, share in SMALL.chance_outcomes(state)}
    assert set(drawn) <= set(expected)
    distance = sum((drawn[outcome] - number) ** 2 / number for outcome, number in expected.items())
    assert distance < 75  # 36 degrees of freedom, p < 0.001


@pytest.mark.parametrize("size", [7, 11, 19])
def test_the_official_starts(size):
    game = Battlesnake(size, size)
    heads = [tuple(game.position(game.snake(s, p).cells[0]) for p in (0, 1)) for s in game.starts()]
    assert len(set(heads)) == len(heads) == 24
    assert all(heads[k] == heads[k + 1][::-1] for k in range(0, 24, 2))
    middle = (size - 1) // 2
    for start, (one, other) in zip(game.starts(), heads, strict=True):
        food = {game.position(cell) for cell in cells_in(game.grid, start.food)}
        assert (middle, middle) in food
        assert len(food) == 3
        assert all(any(abs(x - a) == abs(y - b) == 1 for a, b in food) for x, y in (one, other))
    assert [s.food for s in game.starts()[::2]] == [s.food for s in game.starts()[1::2]]


def test_starts_are_drawn_from_a_seed():
    game = Battlesnake()
    assert game.initial_state() == game.initial_state()
    assert len({game.initial_state(seed) for seed in range(100)}) > 30
    a, b = game.initial_state(3), game.initial_state(3, swapped=True)
    assert (game.snake(a, 0), game.snake(a, 1)) == (game.snake(b, 1), game.snake(b, 0))
    assert a.food == b.food
    assert len(Battlesnake(5, 8).starts()) == 24


VARIANTS = (
    Battlesnake(7, 7, max_rounds=12),
    Battlesnake(4, 3, "wrapped", max_rounds=9),
    Battlesnake(5, 5, "constrictor", "empty"),
    Battlesnake(3, 3, "royale", minimum_food=2, shrink_every=2, max_rounds=6, hazard_stack=4),
)


@pytest.mark.parametrize(
    "game", [*(pytest.param(game, marks=COMPILED_ONLY) for game in VARIANTS[:-1]), VARIANTS[-1]], ids=str
)
def test_it_keeps_what_every_game_promises(game):
    check_game(game, playouts=1 if PLAIN_PYTHON else 6, states=game.starts()[:: 8 if PLAIN_PYTHON else 1])


# -- bits ----------------------------------------------------------------------------------------------------------------

WORDS = 3
BOARD = st.integers(0, 2 ** (64 * WORDS) - 1)
CELL = st.integers(0, 64 * WORDS - 1)
FLAG = st.integers(0, 1)


@jit
def changed(first, second, cell, other, flag):
    """Two boards after a cell of each was changed if `flag` is 1; whether both cells were set in the second one before."""
    pad = pad_of(first + second)
    before = pad_has(pad, len(first), cell), pad_has(pad, len(first), other)
    pad_set(pad, 0, cell, flag)
    pad_clear(pad, len(first), other, flag)
    return board_on(pad, 0, first), board_on(pad, 1, first), before


def words(bits):
    return tuple(np.uint64(word) for word in words_of(bits, WORDS))


@pytest.mark.compiles_soon
@given(BOARD, BOARD, CELL, CELL, FLAG)
def test_single_bits_of_two_boards_are_set_and_cleared(first, second, cell, other, flag):
    one, two, before = changed(words(first), words(second), cell, other, flag)
    assert tuple(before) == (second >> cell & 1, second >> other & 1)
    assert int_of(one) == first | flag << cell
    assert int_of(two) == second & ~(flag << other)
